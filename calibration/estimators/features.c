/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "estimators/features.h"

#include "stats/order.h"

#include <math.h>
#include <string.h>

#define TIMES_MOST                                                                                 \
    512 /* events of one launch: a content change comes ten times a second at most                 \
         */

static bool is_other_window(const struct ts_accessibility_event *event,
                            const struct ts_accessibility_event *click)
{
    return event->kind == TS_ACCESSIBILITY_WINDOW && event->package[0] &&
           strcmp(event->package, click->package) != 0;
}

static size_t find_end(const struct ts_accessibility_event *events, size_t count, size_t click,
                       const char *package)
{
    int64_t last = events[click].uptime_ms;
    for (size_t i = click + 1; i < count; i++) {
        if (events[i].kind == TS_ACCESSIBILITY_CLICKED ||
            events[i].uptime_ms - events[click].uptime_ms > TS_LAUNCH_MOST_MS ||
            events[i].uptime_ms < events[click].uptime_ms)
            return i;
        if (strcmp(events[i].package, package) != 0)
            continue;
        /* The first event may be late: a cold start is silent for longer than it is quiet. */
        if (last > events[click].uptime_ms && events[i].uptime_ms - last > TS_LAUNCH_QUIET_MS)
            return i;
        last = events[i].uptime_ms;
    }
    return count;
}

bool ts_launch_cut_next(const struct ts_accessibility_event *events, size_t count, size_t *from,
                        struct ts_launch_cut *out)
{
    size_t click = count;
    for (size_t i = *from; i < count; i++) {
        if (events[i].kind == TS_ACCESSIBILITY_CLICKED) {
            click = i;
            continue;
        }
        if (click == count || !is_other_window(&events[i], &events[click]) ||
            events[i].uptime_ms < events[click].uptime_ms ||
            events[i].uptime_ms - events[click].uptime_ms > TS_LAUNCH_MOST_MS)
            continue;
        *out = (struct ts_launch_cut){click, 0, events[i].package};
        out->end = find_end(events, count, click, out->package);
        *from = out->end > i ? out->end : i + 1;
        return true;
    }
    *from = count;
    return false;
}

/* First and last of one kind. */
static void take_kind(const double *times, const enum ts_accessibility_kind *kinds, size_t count,
                      enum ts_accessibility_kind kind, double *first, double *last)
{
    *first = *last = NAN;
    for (size_t i = 0; i < count; i++) {
        if (kinds[i] != kind)
            continue;
        *first = isnan(*first) ? times[i] : *first;
        *last = times[i];
    }
}

static void take_times(double *times, size_t count, double *out)
{
    static const double quantiles[] = {0.10, 0.25, 0.50, 0.75, 0.90};
    ts_sort(times, count); /* events arrive late now and then */
    for (size_t i = 0; i < 5; i++)
        out[TS_FEATURE_event_q10_ms + i] = ts_quantile(times, count, quantiles[i]);
    for (size_t i = 0; i < TS_FEATURE_EVENTS_KEPT; i++)
        out[TS_FEATURE_event_01_ms + i] = count ? times[i < count ? i : count - 1] : NAN;
    out[TS_FEATURE_first_event_ms] = count ? times[0] : NAN;
    out[TS_FEATURE_last_event_ms] = count ? times[count - 1] : NAN;
    out[TS_FEATURE_mean_interval_ms] =
        count > 1 ? (times[count - 1] - times[0]) / (double)(count - 1) : NAN;
}

void ts_features_of_launch(const struct ts_accessibility_event *events,
                           const struct ts_launch_cut *cut, double horizon_ms, double *out)
{
    double times[TIMES_MOST];
    enum ts_accessibility_kind kinds[TIMES_MOST];
    size_t count = 0, windows = 0, contents = 0;
    for (size_t i = cut->click + 1; i < cut->end && count < TIMES_MOST; i++) {
        const double at = (double)(events[i].uptime_ms - events[cut->click].uptime_ms);
        if (at > horizon_ms || at < 0 || strcmp(events[i].package, cut->package) != 0)
            continue;
        windows += events[i].kind == TS_ACCESSIBILITY_WINDOW;
        contents += events[i].kind == TS_ACCESSIBILITY_CONTENT;
        kinds[count] = events[i].kind;
        times[count++] = at;
    }
    out[TS_FEATURE_event_count] = (double)count;
    out[TS_FEATURE_window_count] = (double)windows;
    out[TS_FEATURE_content_count] = (double)contents;
    take_kind(times, kinds, count, TS_ACCESSIBILITY_WINDOW, &out[TS_FEATURE_window_first_ms],
              &out[TS_FEATURE_window_last_ms]);
    take_kind(times, kinds, count, TS_ACCESSIBILITY_CONTENT, &out[TS_FEATURE_content_first_ms],
              &out[TS_FEATURE_content_last_ms]);
    take_times(times, count, out);
}
