/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether a plan's stop rule can do anything. */
#include "model/plan.h"

#include "stats/stop.h"

#include <string.h>

#define INTERVAL_LEAST 6 /* launches from which on there is a 95 % interval of a median */

/* What a rule can come out as after some number of launches, whatever the values are. Tests are
 * taken as independent: too much is thought possible rather than too little. */
struct outcome {
    bool met, unmet;
};

static struct outcome outcome_of(const struct ts_stop_rule *rule, int index, int launches)
{
    const struct ts_stop_node *node = &rule->nodes[index];
    struct outcome left = {0}, right = {0};
    if (node->kind == TS_STOP_OR || node->kind == TS_STOP_AND) {
        left = outcome_of(rule, node->left, launches);
        right = outcome_of(rule, node->right, launches);
    }
    switch (node->kind) {
    case TS_STOP_OR:
        return (struct outcome){left.met || right.met, left.unmet && right.unmet};
    case TS_STOP_AND:
        return (struct outcome){left.met && right.met, left.unmet || right.unmet};
    case TS_STOP_NOT:
        left = outcome_of(rule, node->left, launches);
        return (struct outcome){left.unmet, left.met};
    case TS_STOP_LAST:
        if (launches < node->launches)
            return (struct outcome){false, true};
        return outcome_of(rule, node->left, node->launches);
    case TS_STOP_LAUNCHES:
        return (struct outcome){launches >= node->launches, launches < node->launches};
    case TS_STOP_MINUTES:
        return (struct outcome){true, true};
    case TS_STOP_VARIATION:
        return (struct outcome){launches >= 2, true};
    case TS_STOP_WIDTH:
        return (struct outcome){launches >= INTERVAL_LEAST, true};
    case TS_STOP_STABLE:
        return (struct outcome){launches > node->launches, true};
    }
    return (struct outcome){true, true};
}

int ts_plan_check_stop(const char *text, struct ts_why *why)
{
    struct ts_stop_rule rule;
    const size_t size = strlen(text);
    if (size >= TS_PLAN_STOP_MAX)
        return ts_fail(why, TS_EINVAL, "stop: longer than %d characters", TS_PLAN_STOP_MAX - 1);
    return ts_stop_parse(text, size, &rule, why) ? TS_EINVAL : TS_OK;
}

int ts_plan_check_stop_ends(const struct ts_plan *plan, struct ts_why *why)
{
    struct ts_stop_rule rule;
    if (!plan->stop || !*plan->stop)
        return TS_OK;
    const int err = ts_plan_check_stop(plan->stop, why);
    if (err)
        return err;
    if (ts_stop_parse(plan->stop, strlen(plan->stop), &rule, why))
        return TS_EINVAL;
    for (int launches = 1; launches <= plan->launches; launches++) {
        if (outcome_of(&rule, rule.count - 1, launches).met)
            return TS_OK;
    }
    return ts_fail(why, TS_EINVAL,
                   "stop: can never be met within launches: %d; ask for fewer in it, or allow more "
                   "launches",
                   plan->launches);
}
