/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study.h"

#include "base/rng.h"
#include "estimators/features.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#define EVENTS_MOST 64

static void add_event(struct ts_accessibility_event *events, size_t *count, double at,
                      enum ts_accessibility_kind kind, const char *package)
{
    struct ts_accessibility_event *event = &events[(*count)++];
    *event = (struct ts_accessibility_event){.kind = kind, .uptime_ms = (int64_t)at};
    snprintf(event->package, sizeof event->package, "%s", package);
}

/* A cold start is quiet while the process comes up; content goes on changing until it is settled,
 * at most ten times a second. A hot start shows what it has, and then a number of changes that
 * varies widely (paper E, figure 7). */
static size_t make_events(struct ts_rng *rng, const char *app, bool cold, double settled,
                          struct ts_accessibility_event *events)
{
    size_t count = 0;
    const size_t changes = cold ? 1 + ts_rng_below(rng, 3) : 1 + ts_rng_below(rng, 12);
    double at = 1000 + settled * (cold ? 0.5 : 0.3) + 8 * ts_rng_uniform(rng);
    add_event(events, &count, 1000, TS_ACCESSIBILITY_CLICKED, "launcher");
    add_event(events, &count, at, TS_ACCESSIBILITY_WINDOW, app);
    const double step = fmax(30, (settled * 0.95 - (at - 1000)) / (double)changes);
    for (size_t i = 0; i < changes; i++) {
        at += step * ts_rng_range(rng, 0.9, 1.1);
        add_event(events, &count, at, TS_ACCESSIBILITY_CONTENT, app);
    }
    return count;
}

static void make_launch(const struct study_options *options, size_t device, size_t number,
                        struct ts_rng *rng, struct ts_feature_table *out)
{
    struct ts_accessibility_event events[EVENTS_MOST];
    struct ts_feature_table_row row = {.start_type = TS_START_HOT};
    double values[TS_FEATURE_COUNT];
    const size_t app = ts_rng_below(rng, (uint32_t)options->apps);
    const bool cold = ts_rng_uniform(rng) < 0.44;
    const double base = cold ? 600 + 90 * (double)app : 180 + 15 * (double)app;
    const double factor =
        (1 + 0.3 * (double)device) * options->load * exp(options->noise * ts_rng_normal(rng));
    row.start_type = cold ? TS_START_COLD : TS_START_HOT;
    row.settled_ms = base * factor;
    row.time_to_initial_display_ms = cold ? row.settled_ms * 0.6 : NAN;
    snprintf(row.device, sizeof row.device, "phone %zu", device + 1);
    snprintf(row.app, sizeof row.app, "app.%02zu", app + 1);
    snprintf(row.launch, sizeof row.launch, "%zu/%zu", device + 1, number + 1);
    for (size_t i = 0; i < TS_FEATURE_COUNT; i++)
        values[i] = NAN;
    const size_t count = make_events(rng, row.app, cold, row.settled_ms, events);
    struct ts_launch_cut cut;
    size_t from = 0;
    assert_true(ts_launch_cut_next(events, count, &from, &cut));
    ts_features_of_launch(events, &cut, INFINITY, values);
    values[TS_FEATURE_battery_percent] = ts_rng_range(rng, 50, 100);
    assert_int_equal(ts_feature_table_add(out, &row, values), TS_OK);
}

void study_make(const struct study_options *options, struct ts_feature_table *out)
{
    assert_int_equal(ts_feature_table_start(out), TS_OK);
    for (size_t device = 0; device < options->devices; device++) {
        struct ts_rng rng;
        ts_rng_seed(&rng, options->seed, device + 1);
        for (size_t i = 0; i < options->launches; i++)
            make_launch(options, device, i, &rng, out);
    }
}
