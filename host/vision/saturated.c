/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "vision/saturated.h"

#include "vision/edge.h"
#include "vision/track.h"

#include <math.h>

#define SATURATED   24.0  /* codes: a tenth of the block's pixels may be cut off */
#define WHITE       253.0 /* codes: hardly any pixel is less than full scale */
#define GAIN_NOISE  0.002
#define MEND_NOISE  5.0 /* standard deviations: farther out it is another picture, ... */
#define SEEN_NOISE  3.0 /* ... and what it is at, is so near to what is seen */
#define OUT_FRAMES  2   /* so many are another picture, ... */
#define BACK_FRAMES 3   /* ... and so many the same one again: a caret was in between */

/* What was learnt before the tap, of a darker picture perhaps, or more if the final one has more.
 */
static double noise_at_rest(const struct ts_saturated *s)
{
    double sum = 0;
    for (size_t n = s->rest + 1; n < s->high; n++)
        sum += fabs((double)(s->values[n] - s->values[n - 1]));
    const double frames = (double)(s->high - s->rest) - 1;
    return frames < 1 ? s->noise : fmax(s->noise, sum / frames / TS_MEAN_DIFFERENCE);
}

/* The light of a block that is white is anything from what the gain makes white. */
static void note_white(const struct ts_saturated *s, float *white_ms)
{
    size_t n = s->high - 1;
    for (; n > s->low; n--) {
        const double gain = (double)s->window->gain[ts_window_slot(s->window, n)];
        const bool may_be_brighter = s->final + TS_VISIBLE_CODES < WHITE;
        const bool may_be_darker = s->final - TS_VISIBLE_CODES > WHITE / gain;
        if ((double)s->values[n] * gain >= WHITE && (may_be_brighter || may_be_darker))
            break;
    }
    ts_window_note_ms(s->window, s->low, n, white_ms);
}

/* Where the exposure was or is higher, the brightest pixels of a block were or are cut off at full
 * scale, and it followed the gain in part only. So, from the latest frame back, as long as it is
 * the same picture, the block goes from frame to frame by anything between nothing and the gain.
 * What was before that picture is taken to have been cut off like it. Of a picture without any
 * blocks at full scale only bright blocks may have pixels that are cut off: another one that goes
 * by less than the gain fades. What it may have been at is kept, and narrowed by what is seen of
 * it: to follow that itself would be to go along with what fades by less than its noise in a frame.
 */
void ts_saturated_mend(const struct ts_saturated *s, float *white_ms)
{
    const struct ts_window *window = s->window;
    note_white(s, white_ms);
    float *values = s->values;
    const double own = hypot(noise_at_rest(s), GAIN_NOISE * s->final);
    double low = s->final, high = low, later = 1; /* not divided by the gain; the gain there */
    int out = 0, back = 0;
    for (size_t n = s->high; n-- > s->low;) {
        const size_t slot = ts_window_slot(window, n);
        const double gain = (double)window->gain[slot], by = gain / later;
        const double raw = (double)values[n] * gain;
        const bool cut_off = raw > (window->saturated[slot] ? SATURATED : TS_BRIGHT_CODES);
        const double least = cut_off ? fmin(low, low * by) : low * by,
                     most = cut_off ? fmax(high, high * by) : high * by;
        const double noise = own * fmax(gain, 1), near = MEND_NOISE * noise;
        back = raw > low * by - near && raw < high * by + near ? back + 1 : 0;
        if (out < OUT_FRAMES || back >= BACK_FRAMES)
            out = raw < least - near || raw > most + near ? out + 1 : 0;
        if (out)
            continue;
        low = fmin(fmax(least, raw - SEEN_NOISE * noise), most);
        high = fmax(fmin(most, raw + SEEN_NOISE * noise), least);
        later = gain;
        values[n] = (float)(s->final + raw - fmin(fmax(raw, low), high));
    }
}
