/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/result.h"

#include "model/care.h"

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

const char *const ts_start_type_names[] = {"unknown", "cold", "warm", "hot", NULL};
const char *const ts_budget_names[] = {
#define TS_BUDGET_TEXT(NAME, text) text,
    TS_BUDGET_LIST(TS_BUDGET_TEXT)
#undef TS_BUDGET_TEXT
        NULL};

bool ts_conditions_from_am(const struct ts_conditions *conditions)
{
    return strcmp(conditions->launch_from, ts_launch_from_names[TS_FROM_AM]) == 0;
}

bool ts_result_from_am(const struct ts_result *result)
{
    return ts_conditions_from_am(&result->conditions);
}

const struct ts_instant *ts_result_zero(const struct ts_result *result)
{
    return ts_result_from_am(result) ? &result->start : &result->lift;
}

const char *ts_result_zero_words(const struct ts_result *result)
{
    return ts_launch_zero_words(ts_result_from_am(result) ? TS_FROM_AM : TS_FROM_BUTTON);
}

const char *const ts_rule_names[] = {"literal", "robust", NULL};

const char *ts_start_type_name(enum ts_start_type type)
{
    return ts_start_type_names[type];
}

const char *ts_rule_name(enum ts_rule rule)
{
    return ts_rule_names[rule];
}

enum ts_flag ts_result_verdict_flag(const struct ts_result *result)
{
    int flag = 0;
    while (flag < TS_FLAG_COUNT &&
           !(flags[flag].disqualifies && ts_result_has(result, (enum ts_flag)flag)))
        flag++;
    return (enum ts_flag)flag;
}

const char *ts_result_verdict(const struct ts_result *result)
{
    const enum ts_flag flag = ts_result_verdict_flag(result);
    return flag == TS_FLAG_COUNT ? "usable" : flags[flag].name;
}

bool ts_result_usable(const struct ts_result *result)
{
    return ts_result_verdict_flag(result) == TS_FLAG_COUNT;
}
