/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The head that every emitted file has. Inside this room only. */
#ifndef TS_ESTIMATORS_EMIT_PARTS_H
#define TS_ESTIMATORS_EMIT_PARTS_H

#include "estimators/emit.h"

int ts_emit_head(const struct ts_emit_columns *columns, const bool *used,
                 struct ts_buf *out) TS_MUST_CHECK;

#endif
