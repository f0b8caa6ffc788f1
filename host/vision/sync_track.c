/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "vision/sync_track.h"

#include <math.h>
#include <stdlib.h>

#define FRAMES_LEAST 8

int ts_led_track_open(struct ts_led_track *track, const struct ts_sync_edge *edges,
                      size_t edge_count, int led)
{
    *track = (struct ts_led_track){.at_ms = malloc((2 * edge_count + 1) * sizeof(double))};
    if (!track->at_ms)
        return TS_ENOMEM;
    track->sum_ms = track->at_ms + edge_count;
    bool on = false;
    for (size_t i = 0; i < edge_count; i++) {
        const bool now = edges[i].mask >> led & 1;
        if (i > 0 && now == on)
            continue;
        const size_t n = track->count++;
        track->at_ms[n] = edges[i].ms;
        track->sum_ms[n] =
            n == 0 ? 0 : track->sum_ms[n - 1] + (on ? edges[i].ms - track->at_ms[n - 1] : 0);
        if (n == 0)
            track->first_on = now;
        on = now;
    }
    return TS_OK;
}

void ts_led_track_close(struct ts_led_track *track)
{
    free(track->at_ms);
    *track = (struct ts_led_track){0};
}

static size_t change_before(const struct ts_led_track *track, double at_ms, size_t hint)
{
    if (hint >= track->count)
        hint = 0;
    while (hint > 0 && track->at_ms[hint] > at_ms)
        hint--;
    while (hint + 1 < track->count && track->at_ms[hint + 1] <= at_ms)
        hint++;
    return hint;
}

bool ts_led_track_on(const struct ts_led_track *track, double at_ms, size_t *hint)
{
    *hint = change_before(track, at_ms, *hint);
    return track->first_on == (*hint % 2 == 0);
}

static double lit_until(const struct ts_led_track *track, double at_ms, size_t *hint)
{
    const bool on = ts_led_track_on(track, at_ms, hint);
    return track->sum_ms[*hint] + (on ? at_ms - track->at_ms[*hint] : 0);
}

double ts_led_track_share(const struct ts_led_track *track, double from_ms, double length_ms,
                          size_t *hint)
{
    if (track->count == 0 || from_ms < track->at_ms[0])
        return NAN;
    const double before = lit_until(track, from_ms, hint);
    size_t ahead = *hint;
    const double after = lit_until(track, from_ms + length_ms, &ahead);
    if (ahead == *hint) /* no edge inside: exactly 0 or 1, whatever sums round to */
        return after > before ? 1 : 0;
    return (after - before) / length_ms;
}

int ts_sync_by_value(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Slopes between frames half the record apart, their median; late stragglers do not bend it. */
int ts_arrival_line(const struct ts_sync_frames *frames, struct ts_arrival_line *line,
                    struct ts_why *why)
{
    const size_t count = frames->count, half = count / 2;
    if (count < FRAMES_LEAST)
        return ts_fail(why, TS_EPROTO, "only %zu camera frames beside the sync LEDs", count);
    for (size_t i = 1; i < count; i++)
        if (frames->sequence[i] <= frames->sequence[i - 1])
            return ts_fail(why, TS_EPROTO, "camera frames are out of order");
    double *values = malloc(count * sizeof *values);
    if (!values)
        return TS_ENOMEM;
    for (size_t i = 0; i + half < count; i++)
        values[i] = (frames->arrival_ms[i + half] - frames->arrival_ms[i]) /
                    (ts_frame_number(frames, i + half) - ts_frame_number(frames, i));
    qsort(values, count - half, sizeof *values, ts_sync_by_value);
    line->period_ms = values[(count - half) / 2];
    for (size_t i = 0; i < count; i++)
        values[i] = frames->arrival_ms[i] - line->period_ms * ts_frame_number(frames, i);
    qsort(values, count, sizeof *values, ts_sync_by_value);
    line->first_ms = values[half];
    const double spread = 0.7413 * (values[3 * count / 4] - values[count / 4]) + 0.01;
    free(values);
    const double n = (double)count;
    /* A line's slope; and the host's clock itself is only known to some 10^-4. */
    line->period_u_ms = hypot(3 * spread * sqrt(12 / n) / ts_frame_number(frames, count - 1),
                              1e-4 * line->period_ms);
    if (!(line->period_ms > 0.5 && line->period_ms < 1000))
        return ts_fail(why, TS_EPROTO, "camera frames arrive every %.3f ms", line->period_ms);
    return TS_OK;
}
