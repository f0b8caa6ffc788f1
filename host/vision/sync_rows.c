/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "vision/sync_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NEIGHBOURS 5
#define STEP_LEAST 50.0 /* of a block: 2 codes of 255 in each of its 25 pixels */
#define UNSTEADY   0.3  /* share of the LED's step */

enum { UNKNOWN, DARK, LIT, EDGE };

static void add_block(struct ts_sync_rows *rows, int led, int block,
                      const struct ts_camera_geometry *camera)
{
    const int down = block / camera->blocks_x;
    const double row = (down * TS_BLOCK_PX + (TS_BLOCK_PX - 1) / 2.0) / camera->height_px;
    int at = 0;
    while (at < rows->channel_count &&
           (rows->channels[at].led != led || fabs(rows->channels[at].row - row) > 1e-9))
        at++;
    if (at == TS_SYNC_CHANNELS)
        return;
    struct ts_sync_channel *channel = &rows->channels[at];
    if (at == rows->channel_count) {
        rows->channel_count++;
        channel->led = led;
        channel->row = row;
    }
    channel->blocks[channel->block_count++] = block;
    if (!rows->strongest[led])
        rows->strongest[led] = channel; /* blocks come strongest first */
}

static int find_channels(struct ts_sync_rows *rows, const struct ts_sync_frames *frames,
                         const struct ts_calibration *calibration, struct ts_why *why)
{
    const int block_count = frames->camera->blocks_x * frames->camera->blocks_y;
    double leds = 0;
    for (int led = 0; led < TS_LED_COUNT; led++) {
        const struct ts_led_view *view = &calibration->led[led];
        if (!view->seen)
            continue;
        for (int i = 0; i < 12 && view->blocks[i] >= 0 && view->blocks[i] < block_count; i++)
            add_block(rows, led, view->blocks[i], frames->camera);
        leds += rows->strongest[led] != NULL;
    }
    if (rows->channel_count == 0)
        return ts_fail(why, TS_EPROTO, "no sync LED has been found in the camera's picture yet");
    rows->rows_per_edge = rows->channel_count / leds;
    return TS_OK;
}

int ts_sync_rows_open(struct ts_sync_rows *rows, const struct ts_sync_frames *frames,
                      const struct ts_calibration *calibration, struct ts_why *why)
{
    memset(rows, 0, sizeof *rows);
    const int err = find_channels(rows, frames, calibration, why);
    if (err)
        return err;
    const size_t all = frames->count * (size_t)rows->channel_count + 1;
    rows->rows = malloc(all * sizeof *rows->rows);
    rows->levels = malloc(all * sizeof *rows->levels);
    rows->scratch = malloc(all * sizeof *rows->scratch);
    rows->full = malloc(2 * frames->count * sizeof *rows->full);
    rows->state = malloc(frames->count);
    if (!rows->rows || !rows->levels || !rows->scratch || !rows->full || !rows->state)
        return TS_ENOMEM;
    for (int c = 0; c < rows->channel_count; c++) {
        struct ts_sync_channel *channel = &rows->channels[c];
        channel->level = rows->levels + (size_t)c * frames->count;
        for (size_t i = 0; i < frames->count; i++) {
            unsigned sum = 0;
            for (int k = 0; k < channel->block_count; k++)
                sum += frames->blocks[i][channel->blocks[k]];
            channel->level[i] = (float)sum;
        }
    }
    return TS_OK;
}

void ts_sync_rows_close(struct ts_sync_rows *rows)
{
    free(rows->rows);
    free(rows->levels);
    free(rows->scratch);
    free(rows->full);
    free(rows->state);
    memset(rows, 0, sizeof *rows);
}

/* Median level of the frames of `full` (indices, rising) nearest to frame i, and how far they are
 * from one; *near remembers the place. */
static double level_near(const float *level, const size_t *full, size_t count, size_t i,
                         size_t *near, double *spread)
{
    double values[NEIGHBOURS] = {0};
    while (*near + NEIGHBOURS < count && full[*near + NEIGHBOURS] < i + (i - full[*near]) &&
           full[*near] < i)
        ++*near;
    size_t used = 0;
    for (size_t k = *near; k < count && used < NEIGHBOURS; k++) {
        size_t at = used++;
        const double value = level[full[k]];
        for (; at > 0 && values[at - 1] > value; at--)
            values[at] = values[at - 1];
        values[at] = value;
    }
    *spread = used ? values[used - 1] - values[0] : 0;
    return values[used / 2];
}

static void judge_frames(struct ts_sync_rows *rows, const struct ts_sync_frames *frames,
                         const struct ts_sync_channel *channel, const struct ts_led_track *track,
                         const struct ts_sync_timing *timing)
{
    size_t hint = 0;
    for (size_t i = 0; i < frames->count; i++) {
        const double from = timing->origin_ms + timing->readout_ms * channel->row +
                            timing->period_ms * ts_frame_number(frames, i) - timing->margin_ms;
        const double share =
            ts_led_track_share(track, from, timing->exposure_ms + 2 * timing->margin_ms, &hint);
        rows->state[i] = (char)(isnan(share) ? UNKNOWN
                                : share <= 0 ? DARK
                                : share >= 1 ? LIT
                                             : EDGE);
    }
}

static void choose_in(struct ts_sync_rows *rows, const struct ts_sync_frames *frames,
                      const struct ts_sync_channel *channel)
{
    size_t darks = 0, lits = 0, near_dark = 0, near_lit = 0;
    size_t *dark = rows->full, *lit = rows->full + frames->count;
    for (size_t i = 0; i < frames->count; i++) {
        if (rows->state[i] == DARK)
            dark[darks++] = i;
        else if (rows->state[i] == LIT)
            lit[lits++] = i;
    }
    if (darks == 0 || lits == 0)
        return;
    for (size_t i = 0; i < frames->count; i++) {
        if (rows->state[i] != EDGE)
            continue;
        double low_spread, high_spread;
        const double low = level_near(channel->level, dark, darks, i, &near_dark, &low_spread);
        const double high = level_near(channel->level, lit, lits, i, &near_lit, &high_spread);
        const double step = high - low, level = channel->level[i];
        if (step < STEP_LEAST * channel->block_count)
            continue;
        /* The light beside the LED is changing just here. */
        if (fmax(low_spread, high_spread) > UNSTEADY * step || level < low - UNSTEADY * step ||
            level > high + UNSTEADY * step)
            continue;
        rows->rows[rows->count++] = (struct ts_sync_row){.led = channel->led,
                                                         .number = ts_frame_number(frames, i),
                                                         .row = channel->row,
                                                         .level = channel->level[i] / high,
                                                         .dark = low / high};
    }
}

void ts_sync_rows_choose(struct ts_sync_rows *rows, const struct ts_sync_frames *frames,
                         const struct ts_led_track *tracks, const struct ts_sync_timing *timing)
{
    rows->count = 0;
    for (int c = 0; c < rows->channel_count; c++) {
        const struct ts_sync_channel *channel = &rows->channels[c];
        const struct ts_led_track *track = &tracks[channel->led];
        const size_t first = rows->count;
        judge_frames(rows, frames, channel, track, timing);
        choose_in(rows, frames, channel);
        size_t hint = 0;
        for (size_t i = first; i < rows->count; i++) {
            (void)ts_led_track_on(
                track, timing->origin_ms + timing->period_ms * rows->rows[i].number, &hint);
            rows->rows[i].hint = hint;
        }
    }
}
