/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "estimators/cost.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static bool first_of_probe(const struct ts_spore_model *model, const struct ts_cost_rules *rules,
                           size_t feature)
{
    for (size_t i = 0; i < feature; i++) {
        if (rules->probe[i] == rules->probe[feature] && ts_spore_uses(model, i))
            return false;
    }
    return true;
}

static struct ts_cost_round judge(const struct ts_spore_model *model,
                                  const struct ts_cost_rules *rules)
{
    struct ts_cost_round round = {
        .rejected = SIZE_MAX, .terms = model->count, .error = model->error};
    double dearest = rules->limit;
    for (size_t i = 0; i < model->width; i++) {
        if (!ts_spore_uses(model, i))
            continue;
        if (rules->cost[i] > dearest) {
            dearest = rules->cost[i];
            round.rejected = rules->probe[i];
        }
        round.unknown |= isnan(rules->cost[i]);
        if (first_of_probe(model, rules, i))
            round.cost += isnan(rules->cost[i]) ? 0 : rules->cost[i];
    }
    return round;
}

int ts_cost_fit(const struct ts_spore_data *data, const struct ts_spore_settings *settings,
                const struct ts_cost_rules *rules, struct ts_spore_model *out,
                struct ts_cost_log *log, struct ts_why *why)
{
    struct ts_spore_data left = *data;
    bool *barred = calloc(data->width + 1, sizeof *barred);
    *log = (struct ts_cost_log){0};
    *out = (struct ts_spore_model){0};
    if (!barred)
        return ts_fail(why, TS_ENOMEM, "out of memory");
    for (size_t i = 0; data->barred && i < data->width; i++)
        barred[i] = data->barred[i];
    left.barred = barred;
    int err = TS_OK;
    while (log->count < TS_COST_ROUNDS_MOST) {
        ts_spore_free(out);
        err = ts_spore_fit(&left, settings, out, why);
        if (err)
            break;
        const struct ts_cost_round round = judge(out, rules);
        log->rounds[log->count++] = round;
        const bool bad = round.error > rules->worst_error;
        log->reached = round.rejected == SIZE_MAX && !bad;
        if (round.rejected == SIZE_MAX || bad)
            break;
        for (size_t i = 0; i < data->width; i++)
            barred[i] |= rules->probe[i] == round.rejected;
    }
    free(barred);
    return err;
}
