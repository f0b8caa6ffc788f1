/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "vision/progress.h"
#include "vision/wide.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PICTURES_MOST  96
#define PADDING        32   /* blocks: a loop of fixed length is one that compilers vectorize */
#define REST_MS        50.0 /* while nothing moves, a picture so often: drifts are seen */
#define REST_FRAMES    2    /* kept after a movement, so that its last partial step is in */
#define WEIGHT_ONE     256
#define RISE_PART      8
#define MOVE           300 /* hundredths of a code, from one kept picture to the next */
#define RESTLESS       64  /* moves: more than a launch has */
#define COMPLETE       0.85
#define LEVEL_ERROR    0.005 /* of the curve: codes are not light, noise, residual flicker */
#define SETTLED_CODES  510   /* hundredths: 2 % of full scale, what settled allows */
#define NOISE_PICTURES 3
#define NOISE_FACTOR   4 /* of the mean deviation: 3.2 standard deviations */

struct picture {
    double at_ms;
    double loss;      /* area between the curve with it and without, see loss_of() */
    uint16_t *values; /* [padded], in the store */
};

struct ts_progress {
    size_t blocks, padded;
    size_t count;
    struct picture pictures[PICTURES_MOST]; /* in order of time; those from count on are free */
    uint16_t *store;
    uint16_t *moves;    /* [padded] how often the block moved, up to RESTLESS */
    double seen_ms;     /* of the frame before, kept or not */
    double period_ms;   /* least distance of two frames */
    int frames_at_rest; /* since the last movement */
};

int ts_progress_open(size_t blocks, struct ts_progress **out)
{
    if (blocks == 0)
        return TS_EINVAL;
    struct ts_progress *progress = calloc(1, sizeof *progress);
    if (!progress)
        return TS_ENOMEM;
    progress->blocks = blocks;
    progress->padded = (blocks + PADDING - 1) / PADDING * PADDING;
    const size_t size = (PICTURES_MOST + 1) * progress->padded * sizeof *progress->store;
    progress->store = malloc(size);
    if (!progress->store) {
        free(progress);
        return TS_ENOMEM;
    }
    memset(progress->store, 0, size); /* touched now, so that memory does not grow later */
    for (size_t i = 0; i < PICTURES_MOST; i++)
        progress->pictures[i].values = progress->store + i * progress->padded;
    progress->moves = progress->store + PICTURES_MOST * progress->padded;
    progress->period_ms = INFINITY;
    *out = progress;
    return TS_OK;
}

void ts_progress_close(struct ts_progress *progress)
{
    if (!progress)
        return;
    free(progress->store);
    free(progress);
}

/* Sum of |middle - (what lies on the line from one to other)|, and a RISE_PART of |other - one|;
 * weight of other: of WEIGHT_ONE. Without blocks that always move: a video would leave no picture
 * to the app beside it. All of a block fits into 16 bits, in which compilers do eight at once. */
TS_WIDE static double off_line(const struct ts_progress *progress, const uint16_t *one,
                               const uint16_t *middle, const uint16_t *other, uint16_t weight)
{
    const uint16_t *moves = progress->moves;
    const uint16_t times = (uint16_t)(weight * (UINT16_MAX / 2 + 1) / WEIGHT_ONE);
    uint64_t sum = 0;
    for (size_t from = 0; from < progress->padded; from += PADDING) {
        uint32_t part = 0;
        for (size_t i = from; i < from + PADDING; i++) {
            const int16_t rise = (int16_t)(other[i] - one[i]);
            const uint16_t size = (uint16_t)(rise < 0 ? -rise : rise);
            const uint16_t twice = (uint16_t)(2 * size);
            const int16_t way = (int16_t)((uint32_t)twice * times >> 16); /* size * weight */
            const int16_t off = (int16_t)(middle[i] - one[i] - (rise < 0 ? -way : way));
            const uint16_t cost = (uint16_t)((off < 0 ? -off : off) + size / RISE_PART);
            part += moves[i] < RESTLESS ? cost : 0;
        }
        sum += part;
    }
    return (double)sum;
}

TS_WIDE static void count_moves(struct ts_progress *progress, const uint16_t *from,
                                const uint16_t *to)
{
    uint16_t *moves = progress->moves;
    for (size_t start = 0; start < progress->padded; start += PADDING) {
        for (size_t i = start; i < start + PADDING; i++) {
            const int16_t off = (int16_t)(to[i] - from[i]);
            const bool moved = (off > MOVE) | (off < -MOVE);
            moves[i] = (uint16_t)(moves[i] + (moved & (moves[i] < RESTLESS)));
        }
    }
}

/* What the curve of every block together would lose without picture i: the area of the triangle
 * that it makes with its neighbours (Visvalingam and Whyatt, "Line generalisation by repeated
 * elimination of points", Cartographic Journal 30, 1993, of a curve with an axis a block). Rest
 * loses nothing, and a jump keeps the picture before it and the one after it. An even fade would
 * lose nothing either, but how sure an instant in it is depends on its pictures being close: hence
 * the part of its rise. */
static double loss_of(const struct ts_progress *progress, size_t i)
{
    const struct picture *at = &progress->pictures[i];
    const double span = at[1].at_ms - at[-1].at_ms;
    const double share = (at->at_ms - at[-1].at_ms) / span;
    return off_line(progress, at[-1].values, at->values, at[1].values,
                    (uint16_t)lround(share * WEIGHT_ONE)) *
           span / 2;
}

/* First and last are not for dropping: they have a neighbour on one side alone. */
static void drop_least(struct ts_progress *progress)
{
    struct picture *pictures = progress->pictures;
    size_t least = 1;
    for (size_t i = 2; i + 1 < progress->count; i++) {
        if (pictures[i].loss < pictures[least].loss)
            least = i;
    }
    const struct picture dropped = pictures[least];
    progress->count--;
    memmove(&pictures[least], &pictures[least + 1], (progress->count - least) * sizeof *pictures);
    pictures[progress->count] = dropped; /* its storage */
    if (least > 1)
        pictures[least - 1].loss = loss_of(progress, least - 1);
    if (least + 1 < progress->count)
        pictures[least].loss = loss_of(progress, least);
}

static void keep(struct ts_progress *progress, double at_ms, const uint16_t *values)
{
    if (progress->count == PICTURES_MOST)
        drop_least(progress);
    struct picture *picture = &progress->pictures[progress->count++];
    memcpy(picture->values, values, progress->blocks * sizeof *values);
    picture->at_ms = at_ms;
    if (progress->count > 1)
        count_moves(progress, picture[-1].values, picture->values);
    if (progress->count > 2)
        picture[-1].loss = loss_of(progress, progress->count - 2);
}

bool ts_progress_wants(const struct ts_progress *progress, double middle_ms, bool moving)
{
    return moving || progress->count == 0 || progress->frames_at_rest < REST_FRAMES ||
           middle_ms - progress->pictures[progress->count - 1].at_ms >= REST_MS;
}

void ts_progress_frame(struct ts_progress *progress, double middle_ms, const uint16_t *values,
                       bool moving)
{
    const bool wanted = values && ts_progress_wants(progress, middle_ms, moving);
    const double before_ms = progress->seen_ms;
    if (progress->count > 0)
        progress->period_ms = fmin(progress->period_ms, middle_ms - before_ms);
    progress->seen_ms = middle_ms;
    progress->frames_at_rest = moving ? 0 : progress->frames_at_rest + 1;
    if (!wanted)
        return;
    if (middle_ms <= 0)
        progress->count = 0; /* the picture before the tap is the latest of these */
    if (moving && progress->count > 0 &&
        progress->pictures[progress->count - 1].at_ms < before_ms) /* it stood until here */
        keep(progress, before_ms, progress->pictures[progress->count - 1].values);
    keep(progress, middle_ms, values);
}

/* Sum of |values - final| over the blocks that count; a difference up to `zone` is none. */
static double distance(const uint16_t *values, const uint8_t *counts, const uint16_t *final,
                       size_t blocks, int zone)
{
    double sum = 0;
    for (size_t b = 0; b < blocks; b++) {
        const int off = abs((int)values[b] - (int) final[b]);
        if (counts[b] && off > zone)
            sum += off;
    }
    return sum;
}

/* Differences that are noise: without this zone the noise of blocks at their final value would
 * count as missing progress, and more of it the less of the screen changes. From the last pictures,
 * more than one of them because the final one may be among them. */
static int noise_zone(const struct ts_progress *progress, const uint8_t *counts,
                      const uint16_t *final, double settled_ms)
{
    size_t counted = 0;
    for (size_t b = 0; b < progress->blocks; b++)
        counted += counts[b] != 0;
    double most = 0;
    for (size_t i = progress->count, looked = 0; i > 0 && looked < NOISE_PICTURES; i--, looked++) {
        const struct picture *picture = &progress->pictures[i - 1];
        if (looked && picture->at_ms < settled_ms)
            break;
        most = fmax(most, distance(picture->values, counts, final, progress->blocks, -1));
    }
    return (int)fmin(SETTLED_CODES, ceil(NOISE_FACTOR * most / fmax(1, (double)counted)));
}

/* Of the curve's straight lines; before and after it: its ends. */
static double progress_at(const struct ts_vision_changes *curve, double ms)
{
    const size_t count = curve->progress_count;
    size_t next = 0;
    while (next < count && curve->progress[next].ms <= ms)
        next++;
    if (next == 0 || next == count)
        return curve->progress[next ? count - 1 : 0].share;
    const double from = curve->progress[next - 1].ms, until = curve->progress[next].ms;
    const double a = curve->progress[next - 1].share, b = curve->progress[next].share;
    return a + (b - a) * (ms - from) / (until - from);
}

/* A stretch of rest lies before and after each episode; there the curve is level, while an episode
 * may begin and end inside one exposure. */
static void fill_gains(struct ts_vision_changes *out)
{
    double before = out->progress[0].share;
    for (size_t i = 0; i < out->episode_count; i++) {
        const bool last = i + 1 == out->episode_count;
        const double until =
            last ? INFINITY : (out->episodes[i].end_ms + out->episodes[i + 1].begin_ms) / 2;
        const double after = progress_at(out, until);
        out->episodes[i].gain = after - before;
        before = after;
    }
}

/* Where the curve passes `share` for good: index of the point after it; 0: it does not. */
static size_t passes(const struct ts_vision_changes *curve, double share)
{
    size_t i = curve->progress_count;
    while (i > 0 && curve->progress[i - 1].share >= share)
        i--;
    return i < curve->progress_count ? i : 0;
}

/* How far the passing of `share` is on the way from point i - 1 to point i. */
static double way(const struct ts_vision_changes *curve, size_t i, double share)
{
    const double a = curve->progress[i - 1].share, b = curve->progress[i].share;
    return (share - a) / (b - a);
}

static double instant(const struct ts_vision_changes *curve, double share, double otherwise)
{
    const size_t i = passes(curve, share);
    if (i == 0)
        return otherwise;
    const double from = curve->progress[i - 1].ms, until = curve->progress[i].ms;
    return from + (until - from) * way(curve, i, share);
}

double ts_progress_passes_ms(const struct ts_vision_changes *curve, double share)
{
    return instant(curve, share, NAN);
}

/* Straight between pictures: a cut that scans out over the screen, seen by rows that are read one
 * after the other, is a slope; to take the middle of a rise for all of it puts cuts 5 ms too early
 * at 120 frames/s. u allows for a cut anywhere between the two pictures. */
static struct ts_metric find_complete(const struct ts_vision_changes *curve)
{
    const size_t i = passes(curve, COMPLETE);
    if (i == 0)
        return (struct ts_metric){NAN, NAN, 0};
    const double at_ms = instant(curve, COMPLETE, NAN);
    const double early_ms = instant(curve, COMPLETE - LEVEL_ERROR, at_ms);
    const double late_ms = instant(curve, COMPLETE + LEVEL_ERROR, at_ms);
    const double gap_ms = curve->progress[i].ms - curve->progress[i - 1].ms;
    const double off_middle = way(curve, i, COMPLETE) - 0.5;
    const double cut_ms = gap_ms * sqrt(1.0 / 12 + off_middle * off_middle);
    return (struct ts_metric){at_ms, hypot(cut_ms, (late_ms - early_ms) / sqrt(12)), 0};
}

/* Trapezoids over [0, settled]; each rise may have happened anywhere between its two pictures, and
 * the level may be wrong all the time. */
static struct ts_metric integrate(const struct ts_vision_changes *curve)
{
    const double settled_ms = curve->settled.value;
    double area = 0, variance = 0, at_ms = 0;
    for (size_t i = 0; i < curve->progress_count && at_ms < settled_ms; i++) {
        const double until_ms = fmin(curve->progress[i].ms, settled_ms);
        if (until_ms <= at_ms)
            continue;
        const double a = progress_at(curve, at_ms), b = progress_at(curve, until_ms);
        area += (1 - (a + b) / 2) * (until_ms - at_ms);
        variance += (b - a) * (b - a) * (until_ms - at_ms) * (until_ms - at_ms) / 12;
        at_ms = until_ms;
    }
    area += (1 - progress_at(curve, settled_ms)) * (settled_ms - at_ms);
    const double level_ms = LEVEL_ERROR / sqrt(3) * settled_ms;
    return (struct ts_metric){area, hypot(sqrt(variance), level_ms), 0};
}

void ts_progress_result(const struct ts_progress *progress, const uint8_t *counts,
                        const uint16_t *final, struct ts_vision_changes *out)
{
    const struct ts_metric none = {NAN, NAN, 0};
    out->visually_complete_85 = out->speed_index = none;
    out->progress_count = 0;
    for (size_t i = 0; i < out->episode_count; i++)
        out->episodes[i].gain = NAN;
    if (isnan(out->settled.value) || isnan(out->first.value) || progress->count < 2)
        return;
    const int zone = noise_zone(progress, counts, final, out->settled.value);
    const double whole =
        distance(progress->pictures[0].values, counts, final, progress->blocks, zone);
    if (whole <= 0)
        return;
    for (size_t i = 0; i < progress->count; i++) {
        const struct picture *picture = &progress->pictures[i];
        const double left = distance(picture->values, counts, final, progress->blocks, zone);
        out->progress[i].ms = picture->at_ms;
        out->progress[i].share = 1 - left / whole;
        out->progress_count = i + 1;
        if (picture->at_ms >= out->settled.value + 2 * progress->period_ms)
            break;
    }
    fill_gains(out);
    out->visually_complete_85 = find_complete(out);
    out->speed_index = integrate(out);
}
