/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every block is compared with the level at which it last rested, not with the frame before, so
 * that a slow fade adds up until it shows. Whole rows brighten and darken together with the mains;
 * that is taken out, but only as far as it was seen to go while nothing happened: a fade over the
 * whole screen must not pass for it. */
#include "vision/track.h"

#include "vision/memory.h"
#include "vision/wide.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PIXELS         25.0f
#define MOVE_SUM       (3.5f * PIXELS) /* away from rest: a move */
#define NOISE_TIMES    5.0f            /* the mean |difference| of two frames is 1.13 sigma */
#define NOISE_START    (0.1f * PIXELS)
#define NOISE_CLIP     4.0f  /* times the mean square: that block moves */
#define LEARN_MS       130.0 /* the noise and the flicker are learnt first ... */
#define LEARN_LEAST    6
#define LEARN_MOST     25    /* ... from so many frames */
#define GAIN_DEFAULT   0.02f /* until it has been learnt */
#define GAIN_MOST      0.12f
#define GAIN_SLACK     0.003f
#define GAIN_MATTERS   0.004f            /* weaker flicker is left to the thresholds */
#define GAIN_LEAST     (20.0f * PIXELS)  /* darker blocks say nothing */
#define GAIN_TELLS     (300.0f * PIXELS) /* light of a row: of less, noise makes a gain */
#define GAIN_BRIGHT    (235.0f * PIXELS) /* brighter ones may be cut off */
#define SATURATED      (140.0f * PIXELS) /* some of the block's pixels may be cut off */
#define ROW_MOVES      0.05              /* of a row's blocks: fewer at once may be noise */
#define EXPOSURE_SLACK 0.01f
#define LAMPS_MOST     0.03f /* what flickers more does not tell exposure */
#define DRIFT_PER_MS   0.0004
#define DRIFT_SLACK    0.03f
#define DRIFT_EVERY    4     /* frames */
#define REST_FRAMES    64.0f /* the rest follows slow drift, ... */
#define REST_MS        512   /* ... and not what fades, however many frames show it */
#define SAME_MOVE_MS   600.0 /* in the same direction: a slow fade that goes on */
#define APART_MS       140.0 /* a video's moves are counted no faster */
#define LANES          8

int ts_track_open(struct ts_track *track, const struct ts_vision_view *view, const uint8_t *ignore)
{
    const size_t across = (size_t)view->camera->blocks_x, down = (size_t)view->camera->blocks_y;
    const size_t blocks = across * down;
    *track = (struct ts_track){
        .view = view,
        .across = across,
        .down = down,
        .blocks = blocks,
        .period_ms = view->period_ms,
        .learning = (size_t)fmax(LEARN_LEAST, fmin(LEARN_MOST, LEARN_MS / view->period_ms)),
        .ignore = ignore};
    float **const floats[] = {
        &track->rest,      &track->was,     &track->noise,    &track->expected, &track->before,
        &track->threshold, &track->last_ms, &track->first_ms, &track->untap_ms, &track->start};
    bool fine = true;
    for (size_t i = 0; i < sizeof floats / sizeof *floats; i++) {
        *floats[i] = ts_memory_zeroed(blocks, sizeof(float));
        fine = fine && *floats[i];
    }
    track->direction = ts_memory_zeroed(blocks, 1);
    track->out = ts_memory_zeroed(blocks, 1);
    track->moved = ts_memory_zeroed(blocks, sizeof *track->moved);
    track->moves = ts_memory_zeroed(blocks, sizeof *track->moves);
    track->row_gain = ts_memory_zeroed(down, sizeof *track->row_gain);
    track->gain_sum = ts_memory_zeroed(down, sizeof *track->gain_sum);
    track->unlevel = ts_memory_zeroed(down, sizeof *track->unlevel);
    if (fine && track->direction && track->out && track->moved && track->moves && track->row_gain &&
        track->gain_sum && track->unlevel) {
        ts_track_forget(track);
        return TS_OK;
    }
    ts_track_close(track);
    return TS_ENOMEM;
}

void ts_track_forget(struct ts_track *track)
{
    for (size_t i = 0; i < track->blocks; i++) {
        track->last_ms[i] = track->untap_ms[i] = -INFINITY;
        track->first_ms[i] = INFINITY;
        track->moves[i].count = 0;
        track->direction[i] = 0;
    }
    memset(track->unlevel, 0, track->down * sizeof *track->unlevel);
    track->frames = 0;
    track->gain_seen = 0;
    track->noise_square = track->noise_slope = 0;
}

static void keep_moves_before(struct ts_moves *moves, double from_ms)
{
    struct ts_moves left = {0};
    for (size_t i = ts_moves_known(moves); i-- > 0;) {
        if (ts_moves_back(moves, i) < from_ms)
            left.ms[left.count++] = (float)ts_moves_back(moves, i);
    }
    *moves = left;
}

void ts_track_rewind(struct ts_track *track, double from_ms, const uint16_t *sums)
{
    for (size_t i = 0; i < track->blocks; i++) {
        struct ts_moves *moves = &track->moves[i];
        keep_moves_before(moves, from_ms);
        if ((double)track->last_ms[i] >= from_ms)
            track->last_ms[i] = moves->count ? (float)ts_moves_back(moves, 0) : -INFINITY;
        if ((double)track->first_ms[i] >= from_ms)
            track->first_ms[i] = INFINITY;
        if ((double)track->untap_ms[i] >= from_ms)
            track->untap_ms[i] = -INFINITY;
        track->rest[i] = track->was[i] = track->before[i] = (float)sums[i];
        track->direction[i] = 0;
    }
    memset(track->unlevel, 0, track->down * sizeof *track->unlevel);
    if (track->around.count > 0)
        track->exposure = ts_samples_gain(&track->around, track->start, sums);
}

void ts_track_close(struct ts_track *track)
{
    free(track->rest);
    free(track->was);
    free(track->noise);
    free(track->expected);
    free(track->before);
    free(track->threshold);
    free(track->last_ms);
    free(track->first_ms);
    free(track->untap_ms);
    free(track->start);
    free(track->direction);
    free(track->out);
    free(track->moved);
    free(track->moves);
    free(track->row_gain);
    free(track->gain_sum);
    free(track->unlevel);
    *track = (struct ts_track){0};
}

static void begin(struct ts_track *track, const uint16_t *sums)
{
    for (size_t i = 0; i < track->blocks; i++) {
        track->rest[i] = track->was[i] = track->before[i] = (float)sums[i];
        track->noise[i] = track->expected[i] = NOISE_START;
        track->threshold[i] = MOVE_SUM;
    }
}

/* How much brighter the row is than its blocks at rest, from those that do not move; and how much
 * light that is. */
static float measure_gain(const struct ts_track *track, const uint16_t *sums, size_t row,
                          float most, float *light)
{
    const size_t from = row * track->across;
    float now[LANES] = {0}, rest[LANES] = {0};
    for (size_t x = 0; x + LANES <= track->across; x += LANES) {
        for (size_t lane = 0; lane < LANES; lane++) {
            const size_t i = from + x + lane;
            const float value = (float)sums[i], level = track->rest[i];
            const float slack = track->threshold[i] + most * level;
            const bool counts =
                level >= GAIN_LEAST && fabsf(value - level) <= slack && !track->ignore[i];
            now[lane] += counts ? value : 0;
            rest[lane] += counts ? level : 0;
        }
    }
    float now_sum = 0, rest_sum = 0;
    for (size_t lane = 0; lane < LANES; lane++) {
        now_sum += now[lane];
        rest_sum += rest[lane];
    }
    *light = rest_sum;
    return rest_sum > 0 ? now_sum / rest_sum : 1;
}

/* How much brighter what is around the phone is than at the beginning; 0: that tells nothing. */
static float gain_around(struct ts_track *track, const uint16_t *sums)
{
    if (track->frames == track->learning) {
        memcpy(track->start, track->rest, track->blocks * sizeof *track->start);
        ts_samples_choose(track->view, track->start, true, NULL, &track->around);
        if (!ts_samples_tell(&track->around, track->start))
            track->around.count = 0;
        track->exposure = 1;
    }
    return track->around.count == 0 ? 0 : ts_samples_gain(&track->around, track->start, sums);
}

static float exposure_slack(const struct ts_track *track)
{
    return 1.5f * track->around_seen + EXPOSURE_SLACK;
}

/* The camera's exposure drifts slowly, and all that rests goes with it. Faster than this, or if
 * what is around the phone does not go with it, it is the screen that fades. */
static void follow_exposure(struct ts_track *track, const uint16_t *sums, float around)
{
    float now = 0, rest = 0;
    for (size_t i = track->frames % 3; i < track->blocks; i += 3) {
        const float value = (float)sums[i], level = track->rest[i];
        const bool counts = level >= GAIN_LEAST && value < GAIN_BRIGHT && !track->ignore[i] &&
                            fabsf(value - level) <= track->threshold[i] + DRIFT_SLACK * level;
        now += counts ? value : 0;
        rest += counts ? level : 0;
    }
    if (rest <= 0)
        return;
    const float most = (float)(DRIFT_PER_MS * track->period_ms * DRIFT_EVERY);
    float gain = fminf(1 + most, fmaxf(1 - most, now / rest));
    if (around > 0 && track->around_seen < LAMPS_MOST) {
        const float off = around / track->exposure, slack = exposure_slack(track);
        gain = fminf(fmaxf(1, off + slack), fmaxf(fminf(1, off - slack), gain));
    }
    float *restrict rests = track->rest;
    for (size_t i = 0, blocks = track->blocks; i < blocks; i++)
        rests[i] *= gain;
    track->exposure *= gain;
}

/* So much more light: the rests go with it. Of a bright block some pixels are cut off at full
 * scale: it follows in part, anything between not at all and fully. */
static void expose_rests(struct ts_track *track, const uint16_t *restrict sums, float gain)
{
    float *restrict rest = track->rest;
    for (size_t i = 0; i < track->blocks; i++) {
        const float value = (float)sums[i], all = rest[i] * gain;
        const float low = gain < 1 ? all : rest[i], high = gain < 1 ? rest[i] : all;
        const float part = value < low ? low : value > high ? high : value;
        rest[i] = rest[i] > SATURATED ? part : all;
    }
    track->exposure *= gain;
}

/* Automatic exposure is faster than a drift, and told from a fade by what is around the phone, as
 * long as that looks as it did at the beginning. What lamps do to it while nothing happens is left
 * to the gains of rows. */
static void follow_surroundings(struct ts_track *track, const uint16_t *sums, float around)
{
    const float gain = around / track->exposure;
    if (gain <= 0)
        return;
    if (!track->tapped)
        track->around_seen = fmaxf(track->around_seen, fabsf(gain - 1));
    const float most = exposure_slack(track);
    if (track->around_seen < LAMPS_MOST && fabsf(gain - 1) > most)
        expose_rests(track, sums, gain > 1 ? gain - most : gain + most);
}

static void find_gains(struct ts_track *track, const uint16_t *sums)
{
    const bool learning = !track->tapped;
    const float seen = (float)track->gain_seen;
    const float most =
        track->frames < track->learning ? GAIN_DEFAULT : fminf(GAIN_MOST, 1.2f * seen + GAIN_SLACK);
    const bool matters = learning ? track->frames % 2 == 0 || seen > GAIN_MATTERS
                                  : seen > GAIN_MATTERS || track->frames < track->learning;
    for (size_t row = 0; row < track->down; row++) {
        track->row_gain[row] = 1;
        if (!matters)
            continue;
        float light;
        const float gain = measure_gain(track, sums, row, most, &light);
        if (learning && light >= GAIN_TELLS && fabsf(gain - 1) < GAIN_MOST)
            track->gain_seen = fmax(track->gain_seen, fabs((double)gain - 1));
        track->row_gain[row] = fminf(1 + most, fmaxf(1 - most, gain));
    }
}

/* What moves takes its rest from a frame whose gain was measured amid the change. Where all of a
 * row does, it would seem so much brighter or darker for ever: gains are measured by the rests, and
 * the rests follow what the gains leave. But flicker goes to and fro: no mean over many frames
 * without a change goes as far as flicker itself was seen to. */
static void level_row(struct ts_track *track, size_t row, size_t moved)
{
    if ((double)moved > ROW_MOVES * (double)track->across) {
        track->unlevel[row] = (uint32_t)REST_FRAMES;
        track->gain_sum[row] = 0;
        return;
    }
    if (!track->unlevel[row])
        return;
    track->gain_sum[row] += track->row_gain[row];
    if (--track->unlevel[row])
        return;
    const float mean = track->gain_sum[row] / REST_FRAMES;
    if ((double)fabsf(mean - 1) <= track->gain_seen)
        return;
    for (size_t i = row * track->across; i < (row + 1) * track->across; i++) {
        track->rest[i] *= mean;
        track->before[i] *= mean;
    }
}

static float expected_noise(const struct ts_track *track, float level)
{
    return (float)sqrt(track->noise_square + track->noise_slope * (double)level);
}

/* What is out, and how fast the others' rest and noise follow. */
struct pace {
    size_t blocks;
    float scale, share, noise_share;
};

/* One row without branches. Not to be inlined: compilers forget there that the arrays are apart,
 * and then do not vectorise it. */
TS_WIDE static unsigned follow(const struct pace *pace, const uint16_t *restrict sums,
                               const float *restrict expected, float *restrict rest,
                               float *restrict noise, float *restrict before,
                               float *restrict threshold, int8_t *restrict out)
{
    const float scale = pace->scale, share = pace->share, noise_share = pace->noise_share;
    unsigned any = 0;
    for (size_t i = 0, blocks = pace->blocks; i < blocks; i++) {
        const float value = (float)sums[i] * scale;
        const float away = value - rest[i];
        const float change = fabsf(value - before[i]);
        const float moved = fabsf(away) > threshold[i] ? 1.0f : 0.0f;
        const float stays = 1.0f - moved;
        rest[i] += away * (share * stays);
        noise[i] += (change - noise[i]) * (stays * noise_share);
        const float wide = NOISE_TIMES * (noise[i] > expected[i] ? noise[i] : expected[i]);
        threshold[i] = wide > MOVE_SUM ? wide : MOVE_SUM;
        before[i] = value;
        out[i] = (int8_t)(away > 0 ? moved : -moved);
        any |= (unsigned)out[i];
    }
    return any;
}

/* Read noise and the noise of light itself: the square of the noise grows with the light that is
 * collected, in codes for most cameras slower. What was seen of it while nothing moved says what a
 * block will have of it in another picture, and what one had too little time to show. */
static void learn_noise(struct ts_track *track)
{
    double most = INFINITY;
    for (int pass = 0; pass < 2; pass++) {
        double n = 0, x = 0, y = 0, xx = 0, xy = 0;
        for (size_t i = 0; i < track->blocks; i++) {
            const double level = (double)track->rest[i];
            const double square = (double)(track->noise[i] * track->noise[i]);
            if (track->ignore[i] || square > most || track->rest[i] > GAIN_BRIGHT)
                continue;
            n++, x += level, y += square, xx += level * level, xy += level * square;
        }
        if (n < 1)
            return;
        const double spread = xx - x * x / n;
        const double slope = spread > 0 ? fmax(0, (xy - x * y / n) / spread) : 0;
        track->noise_slope = fmin(slope, y / fmax(x, 1));
        track->noise_square = y / n - track->noise_slope * x / n;
        most = (double)NOISE_CLIP * y / n;
    }
    for (size_t i = 0; i < track->blocks; i++)
        track->expected[i] = expected_noise(track, track->rest[i]);
}

static void note_move(struct ts_track *track, size_t i, double now_ms, float was, int direction)
{
    struct ts_moves *moves = &track->moves[i];
    const double last = (double)track->last_ms[i];
    const bool rested = now_ms - last > SAME_MOVE_MS;
    if (rested)
        track->was[i] = was;
    track->expected[i] = fmaxf(NOISE_START, expected_noise(track, track->rest[i]));
    const bool another = direction != track->direction[i] || rested;
    if (another && (moves->count == 0 || now_ms - ts_moves_back(moves, 0) > APART_MS))
        moves->ms[moves->count++ % TS_MOVES_KEPT] = (float)now_ms;
    track->direction[i] = (int8_t)direction;
    track->last_ms[i] = (float)now_ms;
    if (!track->tapped)
        track->untap_ms[i] = (float)now_ms;
    else if (isinf(track->first_ms[i]))
        track->first_ms[i] = (float)now_ms;
}

void ts_track_frame(struct ts_track *track, double start_ms, const uint16_t *sums)
{
    if (track->frames == 0)
        begin(track, sums);
    const float around = gain_around(track, sums);
    if (track->frames % DRIFT_EVERY == 0)
        follow_exposure(track, sums, around);
    follow_surroundings(track, sums, around);
    find_gains(track, sums);
    const float frames = (float)track->frames;
    const bool learns = track->frames < track->learning;
    const float rest_frames = fmaxf(REST_FRAMES, (float)(REST_MS / track->period_ms));
    const float share = learns ? 1 / (frames + 1) : 1 / rest_frames;
    const float noise_share = learns ? 1 / fmaxf(1, frames) : 1 / REST_FRAMES;
    track->moved_count = 0;
    for (size_t row = 0; row < track->down; row++) {
        const size_t from = row * track->across, moved = track->moved_count;
        const struct pace pace = {track->across, 1 / track->row_gain[row], share, noise_share};
        const unsigned any = follow(&pace, sums + from, track->expected + from, track->rest + from,
                                    track->noise + from, track->before + from,
                                    track->threshold + from, track->out + from);
        for (size_t i = from; any && i < from + track->across; i++) {
            const float was = track->rest[i];
            if (track->out[i])
                track->rest[i] = track->before[i];
            if (track->ignore[i] || (track->frames < track->learning && !track->tapped))
                track->out[i] = 0;
            if (!track->out[i])
                continue;
            note_move(track, i, start_ms, was, track->out[i]);
            track->moved[track->moved_count++] = (uint32_t)i;
        }
        level_row(track, row, track->moved_count - moved);
    }
    track->frames++;
    if (track->frames == track->learning)
        learn_noise(track);
}
