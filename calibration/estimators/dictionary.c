/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "estimators/dictionary.h"

#include <string.h>

const char *const ts_probe_names[] = {"state", "accessibility", "polling", "apk", "nothing", NULL};

const struct ts_feature ts_features[TS_FEATURE_COUNT] = {
#define TS_FEATURE_ROW(name, unit, probe, what) {#name, unit, what, TS_PROBE_##probe},
    TS_FEATURE_LIST(TS_FEATURE_ROW)
#undef TS_FEATURE_ROW
};

bool ts_probe_runs_during_launch(enum ts_probe probe)
{
    return probe == TS_PROBE_ACCESSIBILITY || probe == TS_PROBE_POLLING;
}

const struct ts_feature *ts_feature_find(const char *name)
{
    for (size_t i = 0; i < TS_FEATURE_COUNT; i++) {
        if (strcmp(ts_features[i].name, name) == 0)
            return &ts_features[i];
    }
    return NULL;
}

bool ts_feature_is_used(const char *name)
{
    const struct ts_feature *feature = ts_feature_find(name);
    return !feature || feature->probe != TS_PROBE_NOTHING;
}
