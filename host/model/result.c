/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/result.h"

#include <stddef.h>
#include <string.h>

static const struct {
    const char *name;
    bool disqualifies;
} flags[TS_FLAG_COUNT] = {
#define TS_FLAG_ROW(NAME, text, disqualifies) {#text, disqualifies},
    TS_FLAG_LIST(TS_FLAG_ROW)
#undef TS_FLAG_ROW
};

const char *ts_flag_name(enum ts_flag flag)
{
    return flags[flag].name;
}

bool ts_flag_disqualifies(enum ts_flag flag)
{
    return flags[flag].disqualifies;
}

enum ts_flag ts_flag_by_name(const char *name)
{
    int flag = 0;
    while (flag < TS_FLAG_COUNT && strcmp(flags[flag].name, name) != 0)
        flag++;
    return (enum ts_flag)flag;
}

static const char *const start_types[] = {"unknown", "cold", "warm", "hot"};

const char *ts_start_type_name(enum ts_start_type type)
{
    return start_types[type];
}

enum ts_start_type ts_start_type_by_name(const char *name)
{
    for (int type = TS_START_COLD; type <= TS_START_HOT; type++) {
        if (strcmp(start_types[type], name) == 0)
            return (enum ts_start_type)type;
    }
    return TS_START_UNKNOWN;
}

const char *ts_rule_name(enum ts_rule rule)
{
    return rule == TS_RULE_LITERAL ? "literal" : "robust";
}

const char *ts_result_verdict(const struct ts_result *result)
{
    for (int flag = 0; flag < TS_FLAG_COUNT; flag++) {
        if (flags[flag].disqualifies && ts_result_has(result, (enum ts_flag)flag))
            return flags[flag].name;
    }
    return "usable";
}

bool ts_result_usable(const struct ts_result *result)
{
    for (int flag = 0; flag < TS_FLAG_COUNT; flag++) {
        if (flags[flag].disqualifies && ts_result_has(result, (enum ts_flag)flag))
            return false;
    }
    return true;
}
