/* SPDX-License-Identifier: GPL-3.0-or-later */
/* APKs: facts about apps that no launch changes. */
#ifndef TS_CLI_ESTIMATE_APK_H
#define TS_CLI_ESTIMATE_APK_H

#include "base/err.h"
#include "estimators/dictionary.h"

struct ts_apk {
    char package[128];
    double values[TS_FEATURE_COUNT]; /* those of TS_PROBE_APK; NAN: not known, or not of it */
};

/* TS_EIO: it cannot be read. TS_EPROTO: it is no APK. */
int ts_apk_open(const char *path, struct ts_apk *out, struct ts_why *why) TS_MUST_CHECK;

/* Sets the features of `package` in values[TS_FEATURE_COUNT]; without its APK nothing. `package`
 * may go on behind a '/', as components do. */
void ts_apk_fill(const struct ts_apk *apks, size_t count, const char *package, double *values);

#endif
