/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TS_MODEL_METRIC_H
#define TS_MODEL_METRIC_H

/* A value and its standard uncertainty, in one unit; NAN is "unknown" and becomes null in files. */
struct ts_metric {
    double value, u, u_common; /* u includes u_common, the part that the whole session shares */
};

#endif
