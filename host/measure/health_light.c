/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The display while it shows black and then white: how bright, and how much the light of it (seen
 * on white) and of the room (on black) flickers. A periodogram over frames and rows of blocks, each
 * row at its own time, sees sinusoids above half the frame rate too, which a periodogram over
 * frames alone folds together. */
#include "measure/health.h"

#include "vision/screen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SETTLE_FRAMES 25 /* after black has turned to white: windows fade in */
#define FRAMES_LEAST  40
#define ROW_LEAST     4 /* blocks; else a row is too noisy */
#define LOW_HZ        30.0
#define HIGH_HZ       1000.0
#define BLACK_MOST    120 /* frames: enough, and the latest */
#define CLIPPED_CODE  252.0
#define TURN          6.283185307179586

/* Frames in which the display shows one thing. */
struct stretch {
    int from, count;
    int down, across; /* blocks */
    uint8_t *outside; /* owned; the screen's mask */
    double *ratio;    /* owned; [count][down]: brightness over its row's mean, less 1 */
    bool *used;       /* owned; [down] rows with enough blocks of the screen */
};

static double level(const struct ts_evidence *evidence, const struct stretch *of, int frame,
                    int row)
{
    const uint16_t *blocks = evidence->frames[frame].blocks + (size_t)row * (size_t)of->across;
    const uint8_t *outside = of->outside + (size_t)row * (size_t)of->across;
    double sum = 0, count = 0;
    for (int x = 0; x < of->across; x++) {
        sum += outside[x] ? 0 : blocks[x];
        count += !outside[x];
    }
    return count >= ROW_LEAST ? sum / count / (TS_BLOCK_PX * TS_BLOCK_PX) : NAN;
}

/* Mean over the screen. */
static double screen_level(const struct ts_evidence *evidence, const struct stretch *of, int frame)
{
    double sum = 0, rows = 0;
    for (int row = 0; row < of->down; row++) {
        const double code = level(evidence, of, frame, row);
        sum += isnan(code) ? 0 : code;
        rows += !isnan(code);
    }
    return rows > 0 ? sum / rows : NAN;
}

/* The frames after the display has turned white for good. */
static int find_white(const struct ts_evidence *evidence, struct stretch *of, int *turned,
                      struct ts_light_health *out)
{
    const int count = (int)evidence->frame_count;
    double *codes = malloc(((size_t)count + 1) * sizeof *codes);
    if (!codes)
        return TS_ENOMEM;
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < count; i++) {
        codes[i] = screen_level(evidence, of, i);
        low = fmin(low, codes[i]);
        high = fmax(high, codes[i]);
    }
    int from = count;
    while (from > 0 && codes[from - 1] > (low + high) / 2)
        from--;
    double sum = 0, black = 0;
    int before = 0;
    for (; before < from - 2; before++)
        black += codes[before];
    *turned = from;
    out->black = before ? black / before : NAN;
    of->from = from + SETTLE_FRAMES;
    of->count = count - of->from;
    for (int i = of->from; i < count; i++)
        sum += codes[i];
    out->frames = of->count > 0 ? of->count : 0;
    if (out->frames)
        out->white = sum / out->frames;
    free(codes);
    return TS_OK;
}

static void find_clipped(const struct ts_evidence *evidence, const struct stretch *of,
                         struct ts_light_health *out)
{
    const int blocks = of->down * of->across;
    double clipped = 0, inside = 0;
    for (int b = 0; b < blocks; b++) {
        double sum = 0;
        if (of->outside[b])
            continue;
        for (int f = 0; f < of->count; f++)
            sum += evidence->frames[of->from + f].blocks[b];
        inside++;
        clipped += sum / of->count / (TS_BLOCK_PX * TS_BLOCK_PX) > CLIPPED_CODE;
    }
    out->clipped = inside > 0 ? clipped / inside : NAN;
}

/* A level that only drifts is no flicker: the line through each row's levels is divided out. */
static void find_ratios(const struct ts_evidence *evidence, struct stretch *of)
{
    const double middle = (of->count - 1) / 2.0;
    for (int row = 0; row < of->down; row++) {
        double sum = 0, slope = 0, squares = 0;
        for (int f = 0; f < of->count; f++) {
            const double code = level(evidence, of, of->from + f, row);
            of->ratio[f * of->down + row] = code;
            sum += code;
            slope += (f - middle) * code;
            squares += (f - middle) * (f - middle);
        }
        const double mean = sum / of->count;
        of->used[row] = mean > 0; /* NAN is not */
        for (int f = 0; f < of->count; f++) {
            double *at = &of->ratio[f * of->down + row];
            *at = *at / (mean + slope / squares * (f - middle)) - 1;
        }
    }
}

/* Amplitude of the sinusoid that turns by `frame_turn` from frame to frame and by `row_turn` from
 * row to row. */
static double amplitude(const struct ts_evidence *evidence, const struct stretch *of,
                        double frame_turn, double row_turn)
{
    double cosine = 0, sine = 0, count = 0;
    const uint32_t first = evidence->frames[of->from].sequence;
    for (int f = 0; f < of->count; f++) {
        const double phase = frame_turn * (evidence->frames[of->from + f].sequence - first);
        double c = cos(phase), s = sin(phase);
        const double step_c = cos(row_turn), step_s = sin(row_turn);
        for (int row = 0; row < of->down; row++) {
            if (of->used[row]) {
                const double ratio = of->ratio[f * of->down + row];
                cosine += ratio * c;
                sine += ratio * s;
                count++;
            }
            const double turned = c * step_c - s * step_s;
            s = s * step_c + c * step_s;
            c = turned;
        }
    }
    return count > 0 ? 2 * hypot(cosine, sine) / count : 0;
}

static void find_flicker(const struct ts_evidence *evidence, const struct stretch *of,
                         double period_ms, double readout_ms, double code,
                         struct ts_light_health *out)
{
    const double row_ms = readout_ms / of->down;
    const double step_hz = 1e3 / (4 * period_ms * of->count); /* a quarter of a line's width */
    for (double hz = LOW_HZ; hz <= HIGH_HZ; hz += step_hz) {
        const double found =
            code / out->white *
            amplitude(evidence, of, TURN * hz * period_ms / 1e3, TURN * hz * row_ms / 1e3);
        if (found <= out->flicker)
            continue;
        out->flicker = found;
        out->flicker_hz = hz;
    }
}

int ts_health_light(const struct ts_evidence *evidence, const struct ts_calibration *calibration,
                    double period_ms, struct ts_light_health *out)
{
    const struct ts_camera_geometry *camera = &evidence->camera;
    struct stretch stretch = {.down = camera->blocks_y, .across = camera->blocks_x};
    const size_t blocks = (size_t)stretch.down * (size_t)stretch.across;
    int err = TS_ENOMEM;
    *out = (struct ts_light_health){0, NAN, NAN, NAN, NAN, NAN};
    if (!blocks || !evidence->frame_count || !(period_ms > 0))
        return TS_OK;
    stretch.outside = calloc(blocks, 1);
    stretch.ratio = malloc(evidence->frame_count * (size_t)stretch.down * sizeof *stretch.ratio);
    stretch.used = calloc((size_t)stretch.down, sizeof *stretch.used);
    if (!stretch.outside || !stretch.ratio || !stretch.used)
        goto end;
    if (calibration->screen_known)
        ts_screen_mask(camera, calibration->screen_px, 0, stretch.outside);
    int turned;
    err = find_white(evidence, &stretch, &turned, out);
    if (err || out->frames < FRAMES_LEAST)
        goto end;
    out->flicker = 0;
    find_clipped(evidence, &stretch, out);
    find_ratios(evidence, &stretch);
    find_flicker(evidence, &stretch, period_ms, calibration->readout_ms, out->white, out);
    stretch.count = turned - SETTLE_FRAMES < BLACK_MOST ? turned - SETTLE_FRAMES : BLACK_MOST;
    stretch.from = turned - 2 - stretch.count;
    if (stretch.count < FRAMES_LEAST)
        goto end;
    find_ratios(evidence, &stretch);
    find_flicker(evidence, &stretch, period_ms, calibration->readout_ms, out->black, out);
end:
    free(stretch.outside);
    free(stretch.ratio);
    free(stretch.used);
    return err;
}
