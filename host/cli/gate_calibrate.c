/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/gate.h"

#include "base/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SESSIONS_LEAST 6

/* One app's launches, all sides together: they are taken for launches of one build. */
struct source {
    double *values;   /* owned */
    size_t *sessions; /* owned; of one session follow each other */
    size_t count, session_count;
};

static int take_source(const struct ts_compare_data *data, size_t app, struct source *source)
{
    size_t left_out[TS_LEFT_OUT_COUNT] = {0}, most = 1;
    int err = TS_OK;
    for (size_t i = 0; i < data->count; i++)
        most += data->groups[i].count;
    *source = (struct source){calloc(most, sizeof *source->values),
                              calloc(most, sizeof *source->sessions), 0, 0};
    if (!source->values || !source->sessions)
        return TS_ENOMEM;
    for (size_t i = 0; i < data->count && !err; i++) {
        struct ts_place *places;
        double *values;
        size_t count;
        err = ts_group_side(&data->groups[i], app, &values, &places, &count, left_out);
        for (size_t j = 0; j < count && !err; j++) {
            source->values[source->count] = values[j];
            source->sessions[source->count++] = places[j].session;
        }
        source->session_count += data->groups[i].sessions;
        free(values);
        free(places);
    }
    return err;
}

/* Half of the sessions to each side, by chance; so all apps of a trial may differ in which. */
static void split_sessions(const struct source *source, struct ts_rng *rng, struct ts_gate_app *app)
{
    size_t left = source->session_count / 2, sessions_left = source->session_count;
    int side = 0;
    app->count[0] = app->count[1] = 0;
    for (size_t i = 0; i < source->count; i++) {
        if (!i || source->sessions[i] != source->sessions[i - 1]) {
            side = ts_rng_below(rng, (uint32_t)(sessions_left ? sessions_left : 1)) >= left;
            left -= !side && left;
            sessions_left -= sessions_left > 0;
        }
        app->values[side][app->count[side]] = source->values[i];
        app->places[side][app->count[side]++].session = source->sessions[i];
    }
}

static void draw_blocks(const struct source *source, struct ts_rng *rng, struct ts_gate_app *app)
{
    const size_t sides = source->count / 2 > TS_COMPARE_LEAST ? source->count / 2 : source->count;
    const size_t length = (size_t)fmax(1, round(cbrt((double)source->count)));
    for (int side = 0; side < 2; side++) {
        for (app->count[side] = 0; app->count[side] < sides;) {
            size_t at = ts_rng_below(rng, (uint32_t)(source->count - length + 1));
            for (size_t i = 0; i < length && app->count[side] < sides; i++) {
                app->places[side][app->count[side]].session = 0;
                app->values[side][app->count[side]++] = source->values[at++];
            }
        }
    }
}

static int run_trial(const struct source *sources, size_t count, struct ts_gate *gate,
                     const struct ts_gate_rules *rules, const struct ts_compare_rules *compare,
                     double slower_by, struct ts_rng *rng)
{
    for (size_t i = 0; i < count; i++) {
        struct ts_gate_app *app = &gate->apps[i];
        app->outcome = TS_GATE_INCONCLUSIVE;
        if (sources[i].session_count >= SESSIONS_LEAST)
            split_sessions(&sources[i], rng, app);
        else
            draw_blocks(&sources[i], rng, app);
        for (size_t j = 0; j < app->count[1]; j++)
            app->values[1][j] *= 1 + slower_by;
    }
    return ts_gate_decide(gate, rules, compare);
}

static int run_trials(const struct source *sources, size_t count, struct ts_gate *gate,
                      const struct ts_gate_rules *rules, const struct ts_compare_rules *compare,
                      struct ts_gate_rates *out)
{
    struct ts_rng rng;
    int err = TS_OK;
    ts_rng_seed(&rng, compare->seed, 2);
    for (int trial = 0; trial < out->trials && !err; trial++) {
        const double one = 1.0 / out->trials;
        err = run_trial(sources, count, gate, rules, compare, 0, &rng);
        out->slower_same += one * (gate->outcome == TS_GATE_SLOWER);
        out->inconclusive_same += one * (gate->outcome == TS_GATE_INCONCLUSIVE);
        out->pass_same += one * (gate->outcome == TS_GATE_PASS);
        if (!err)
            err = run_trial(sources, count, gate, rules, compare, rules->max_regression, &rng);
        out->slower_border += one * (gate->outcome == TS_GATE_SLOWER);
        out->pass_border += one * (gate->outcome == TS_GATE_PASS);
    }
    return err;
}

static int make_room(const struct source *sources, size_t count, struct ts_gate *gate)
{
    gate->apps = calloc(count + 1, sizeof *gate->apps);
    if (!gate->apps)
        return TS_ENOMEM;
    gate->count = count;
    for (size_t i = 0; i < count; i++) {
        for (int side = 0; side < 2; side++) {
            gate->apps[i].values[side] = calloc(sources[i].count + 1, sizeof(double));
            gate->apps[i].places[side] = calloc(sources[i].count + 1, sizeof(struct ts_place));
            if (!gate->apps[i].values[side] || !gate->apps[i].places[side])
                return TS_ENOMEM;
        }
    }
    return TS_OK;
}

int ts_gate_calibrate(const struct ts_compare_data *data, const struct ts_gate_rules *rules,
                      const struct ts_compare_options *options, int trials,
                      struct ts_gate_rates *out, struct ts_why *why)
{
    struct source *sources = calloc(data->apps.count + 1, sizeof *sources);
    struct ts_gate gate = {0};
    size_t count = 0;
    *out = (struct ts_gate_rates){.trials = trials};
    int err = sources ? TS_OK : TS_ENOMEM;
    for (size_t app = 0; app < data->apps.count && !err; app++) {
        err = take_source(data, app, &sources[count]);
        count++;
        if (!err && sources[count - 1].count < 2 * TS_COMPARE_LEAST)
            err = ts_fail(why, TS_EINVAL, "%.100s has %zu launches that count; it takes %d",
                          data->apps.items[app], sources[count - 1].count, 2 * TS_COMPARE_LEAST);
    }
    if (!err)
        err = make_room(sources, count, &gate);
    if (!err)
        err = run_trials(sources, count, &gate, rules, &options->rules, out);
    for (size_t i = 0; i < count; i++) {
        free(sources[i].values);
        free(sources[i].sessions);
    }
    free(sources);
    ts_gate_free(&gate);
    return err;
}
