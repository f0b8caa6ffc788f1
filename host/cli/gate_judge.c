/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/gate.h"

#include "stats/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *ts_gate_outcome_name(enum ts_gate_outcome outcome)
{
    static const char *const names[] = {"pass", "slower", "inconclusive", "invalid"};
    return names[outcome];
}

void ts_gate_free(struct ts_gate *gate)
{
    for (size_t i = 0; i < gate->count; i++) {
        for (int side = 0; side < 2; side++) {
            free(gate->apps[i].values[side]);
            free(gate->apps[i].places[side]);
        }
    }
    free(gate->apps);
    *gate = (struct ts_gate){0};
}

/* What one app's launches say at a look. */
static int look_at(struct ts_gate_app *app, double share, const double *bounds,
                   const struct ts_compare_rules *compare)
{
    struct ts_compare_rules rules = *compare;
    struct ts_side sides[2];
    rules.u_common = app->u_common_ms;
    for (int side = 0; side < 2; side++)
        sides[side] = (struct ts_side){app->values[side], app->places[side],
                                       (size_t)ceil(share * (double)app->count[side] - 1e-9)};
    if (sides[0].count < TS_COMPARE_LEAST || sides[1].count < TS_COMPARE_LEAST)
        return TS_OK;
    const int err = ts_compare(sides[0], sides[1], &rules, &app->comparison, &app->why);
    if (err == TS_EINVAL)
        app->outcome = TS_GATE_INVALID;
    else if (!err && app->comparison.p_slower <= bounds[0])
        app->outcome = TS_GATE_SLOWER;
    else if (!err && app->comparison.p_not_slower <= bounds[1])
        app->outcome = TS_GATE_PASS;
    return err == TS_EINVAL ? TS_OK : err;
}

static enum ts_gate_outcome outcome_of(const struct ts_gate *gate)
{
    size_t counts[TS_GATE_INVALID + 1] = {0};
    for (size_t i = 0; i < gate->count; i++)
        counts[gate->apps[i].outcome]++;
    if (counts[TS_GATE_INVALID] || !gate->count || *gate->why.text)
        return TS_GATE_INVALID;
    if (counts[TS_GATE_SLOWER])
        return TS_GATE_SLOWER;
    return counts[TS_GATE_INCONCLUSIVE] ? TS_GATE_INCONCLUSIVE : TS_GATE_PASS;
}

int ts_gate_decide(struct ts_gate *gate, const struct ts_gate_rules *rules,
                   const struct ts_compare_rules *compare)
{
    double slower[TS_LOOKS_MAX], pass[TS_LOOKS_MAX];
    const double apps = gate->count ? (double)gate->count : 1;
    int err = ts_spending_bounds(rules->alpha / apps, rules->information, rules->looks, slower);
    if (!err)
        err = ts_spending_bounds(rules->alpha, rules->information, rules->looks, pass);
    for (size_t look = rules->again ? 0 : rules->looks - 1; look < rules->looks && !err; look++) {
        const double bounds[] = {slower[look], pass[look]};
        const double share =
            rules->again ? rules->information[look] / rules->information[rules->looks - 1] : 1;
        for (size_t i = 0; i < gate->count && !err; i++) {
            struct ts_gate_app *app = &gate->apps[i];
            if (app->outcome != TS_GATE_INCONCLUSIVE)
                continue;
            app->look = look + 1;
            err = look_at(app, share, bounds, compare);
        }
        if (outcome_of(gate) == TS_GATE_SLOWER)
            break;
    }
    gate->outcome = outcome_of(gate);
    return err;
}

/* A rig that loses many launches says little of the others. */
static void check_app(struct ts_gate_app *app, const struct ts_gate_rules *rules)
{
    static const char *const sides[] = {"the base", "the new side"};
    app->outcome = TS_GATE_INCONCLUSIVE;
    for (int side = 0; side < 2; side++) {
        size_t all = 0;
        for (int why = 0; why < TS_LEFT_OUT_COUNT; why++)
            all += app->left_out[side][why];
        const size_t lost = app->left_out[side][TS_UNUSABLE] + app->left_out[side][TS_NO_VALUE];
        if (all && (double)lost > rules->max_unusable * (double)all)
            ts_why_say(&app->why, "%zu of %zu launches of %s are not usable", lost, all,
                       sides[side]);
        else if (app->count[side] < TS_COMPARE_LEAST)
            ts_why_say(&app->why, "%s has %zu launches that count; it takes %d", sides[side],
                       app->count[side], TS_COMPARE_LEAST);
        else
            continue;
        app->outcome = TS_GATE_INVALID;
        return;
    }
}

static int load_app(const struct ts_compare_data *data, size_t index,
                    const struct ts_gate_rules *rules, struct ts_gate_app *app)
{
    int err = TS_OK;
    app->app = data->apps.items[index];
    for (int side = 0; side < 2 && !err; side++)
        err = ts_group_side(&data->groups[side], index, &app->values[side], &app->places[side],
                            &app->count[side], app->left_out[side]);
    if (!err)
        check_app(app, rules);
    return err;
}

int ts_gate_load(const struct ts_compare_data *data, const struct ts_gate_rules *rules,
                 const struct ts_compare_options *options, struct ts_gate *out)
{
    /* The comparison finds what the sides share, and what speaks against comparing them. */
    struct ts_compared compared = {0};
    *out = (struct ts_gate){.apps = calloc(data->apps.count + 1, sizeof *out->apps)};
    int err = out->apps ? ts_compare_run(data, options, &compared, &out->why) : TS_ENOMEM;
    const bool alike = err != TS_EPROTO;
    err = alike ? err : TS_OK;
    for (size_t i = 0; i < data->apps.count && !err; i++) {
        struct ts_gate_app *app = &out->apps[out->count++];
        err = load_app(data, i, rules, app);
        for (size_t j = 0; j < compared.count; j++) {
            if (compared.apps[j].app == app->app)
                app->u_common_ms = compared.apps[j].u_common_ms;
        }
        if (!alike) {
            app->outcome = TS_GATE_INVALID;
            app->why = out->why;
        }
    }
    ts_compared_free(&compared, 1);
    return err;
}
