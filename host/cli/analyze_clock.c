/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/analyze_clock.h"

#include "base/time.h"

#include <math.h>
#include <stdlib.h>

#define LOST_SHARE   1.5 /* periods between two frames: at least one is missing */
#define NUMBER_MOST  2e9
#define PERIOD_LEAST 0.1 /* ms */

/* What a camera of this class does when nobody knows better (facts of the PS3 Eye and of 120 Hz
 * UVC cameras): shares of the frame period, and standard uncertainties. */
#define NOMINAL_LATENCY_MS   3.0
#define NOMINAL_LATENCY_U_MS 3.0
#define NOMINAL_EXPOSURE     0.5
#define NOMINAL_EXPOSURE_U   0.25
#define NOMINAL_READOUT      0.8
#define NOMINAL_READOUT_U    0.2
#define KNOWN_U_MS           0.1 /* of what the user states */

static double known(double given, double nominal, double nominal_u, double *u)
{
    *u = isnan(given) ? nominal_u : KNOWN_U_MS;
    return isnan(given) ? nominal : given;
}

static void assume_camera(struct ts_film_clock *clock)
{
    const struct ts_analyze_options *options = clock->options;
    const double period = clock->period_ms;
    clock->exposure_ms = known(options->given.exposure_ms, NOMINAL_EXPOSURE * period,
                               NOMINAL_EXPOSURE_U * period, &clock->exposure_u_ms);
    clock->readout_ms = known(options->given.readout_ms, NOMINAL_READOUT * period,
                              NOMINAL_READOUT_U * period, &clock->readout_u_ms);
}

void ts_film_clock_set(struct ts_film_clock *clock, const struct ts_times *times)
{
    const struct ts_analyze_options *options = clock->options;
    clock->times = *times;
    clock->known = true;
    clock->misfit = false;
    clock->period_ms = times->period_ms;
    clock->frames = times->frames;
    clock->placed = 0;
    assume_camera(clock);
    /* Without a tap times count from a frame of the same line. */
    clock->start_u_ms = options->given.tap_given || !times->even ? times->u_ms : 0;
    if (options->given.tap_given)
        clock->zero_ms = (double)ts_ns_between(options->given.tap_ns, times->origin_ns) / 1e6;
}

/* A frame arrives readout, exposure and latency after its first row began. */
static void set_arrivals(struct ts_film_clock *clock)
{
    const struct ts_analyze_options *options = clock->options;
    const struct ts_frames_csv_row first = ts_frames_schedule_first(clock->schedule);
    clock->known = clock->fixed = true;
    clock->period_ms = clock->line.period_ns / 1e6;
    clock->frames = ts_frames_schedule_count(clock->schedule);
    assume_camera(clock);
    double latency_u;
    const double latency =
        known(options->given.latency_ms, NOMINAL_LATENCY_MS, NOMINAL_LATENCY_U_MS, &latency_u);
    if (!options->given.tap_given)
        return;
    clock->start_u_ms = hypot(hypot(clock->exposure_u_ms, clock->readout_u_ms), latency_u);
    clock->zero_ms = (double)(options->given.tap_ns - first.arrival_ns) / 1e6 + clock->readout_ms +
                     clock->exposure_ms + latency;
}

static int learn_arrivals(struct ts_film_clock *clock, struct ts_why *why)
{
    const char *path = clock->options->given.frames_csv;
    struct ts_frames_csv *csv;
    struct ts_frames_csv_row row;
    int err = ts_frames_csv_open(path, &csv, why);
    if (err)
        return err;
    err = ts_frames_schedule_open(&clock->schedule);
    while (!err && (err = ts_frames_csv_next(csv, &row, why)) > 0)
        err = ts_frames_schedule_add(clock->schedule, &row);
    ts_frames_csv_close(csv);
    if (err)
        return err;
    err = ts_frames_schedule_line(clock->schedule, &clock->line);
    if (err || !(clock->line.period_ns >= PERIOD_LEAST * 1e6))
        return ts_fail(why, TS_EPROTO, "%s: the arrivals give no frame rate", path);
    set_arrivals(clock);
    return TS_OK;
}

static bool take_stamp(void *user, int64_t pts_ns)
{
    ts_times_learn(user, pts_ns);
    return true;
}

static int learn_packets(struct ts_film_clock *clock, const struct ts_decode_about *about,
                         struct ts_why *why)
{
    if (about->once)
        return ts_fail(why, TS_EPROTO,
                       "%s is a pipe, and this film's times can only be had by reading it twice: "
                       "save it to a file, give --frames, or send Y4M",
                       clock->options->video);
    struct ts_times_learner learner = {.grain_ms = about->grain_ms, .recording = clock->recording};
    const int err = ts_decode_stamps(clock->options->video, take_stamp, &learner, why);
    struct ts_times times;
    if (!err && ts_times_learnt(&learner, &times) == TS_OK)
        ts_film_clock_set(clock, &times);
    return err;
}

int ts_film_clock_learn(struct ts_film_clock *clock, const struct ts_analyze_options *options,
                        const struct ts_decode_about *about, struct ts_why *why)
{
    *clock = (struct ts_film_clock){.options = options};
    if (options->given.frames_csv)
        return learn_arrivals(clock, why);
    clock->recording = options->given.exposure_ms <= 0;
    if (!about->counted)
        return learn_packets(clock, about, why);
    if (!(about->grain_ms >= PERIOD_LEAST))
        return ts_fail(why, TS_EPROTO, "%s: its frame rate cannot be: give --frames",
                       options->video);
    const struct ts_times rate = {
        .period_ms = about->grain_ms, .even = true, .tolerance_ms = 0.5 * about->grain_ms};
    ts_film_clock_set(clock, &rate);
    clock->fixed = true;
    return TS_OK;
}

void ts_film_clock_free(struct ts_film_clock *clock)
{
    ts_frames_schedule_close(clock->schedule);
    *clock = (struct ts_film_clock){0};
}

static int place_arrival(struct ts_film_clock *clock, struct ts_film_place *place,
                         struct ts_why *why)
{
    if (clock->placed >= clock->frames)
        return ts_fail(why, TS_EPROTO,
                       "%s has %zu frames, the video more: they do not belong together",
                       clock->options->given.frames_csv, clock->frames);
    const uint32_t first = ts_frames_schedule_first(clock->schedule).sequence;
    place->sequence = ts_frames_schedule_sequence(clock->schedule, clock->placed);
    place->start_ms =
        (clock->line.start_ns + clock->line.period_ns * (place->sequence - first)) / 1e6;
    return TS_OK;
}

static void place_on_line(struct ts_film_clock *clock, int64_t pts_ns, struct ts_film_place *place)
{
    const struct ts_times *times = &clock->times;
    const double from = (double)ts_ns_between(pts_ns, times->origin_ns) / 1e6 - times->start_ms;
    const double number = round(from / times->period_ms);
    if (clock->placed == 0)
        clock->first_number = number;
    const double sequence = number - clock->first_number;
    const bool rises = clock->placed == 0 || sequence > clock->sequence;
    place->start_ms = times->start_ms + number * times->period_ms;
    clock->misfit = !rises || sequence > NUMBER_MOST ||
                    !(fabs(from - number * times->period_ms) <= times->tolerance_ms);
    place->sequence = clock->misfit ? 0 : (uint32_t)sequence;
}

static int place_at_stamp(struct ts_film_clock *clock, int64_t pts_ns, struct ts_film_place *place,
                          struct ts_why *why)
{
    place->start_ms = (double)ts_ns_between(pts_ns, clock->times.origin_ns) / 1e6;
    if (clock->placed == 0) {
        place->sequence = 0;
        return TS_OK;
    }
    const double gap = place->start_ms - clock->zero_ms - clock->last_ms;
    if (!(gap > 0))
        return ts_fail(why, TS_EPROTO,
                       "%s: frame %zu is not later than the one before it: give their times with "
                       "--frames, or write the film anew with even times",
                       clock->options->video, clock->placed);
    const double periods = gap / clock->period_ms;
    const double step = periods > LOST_SHARE ? round(periods) : 1;
    if (clock->sequence + step > NUMBER_MOST)
        return ts_fail(why, TS_EPROTO, "%s: frame %zu is %.0f s after the one before it",
                       clock->options->video, clock->placed, gap / 1e3);
    place->sequence = clock->sequence + (uint32_t)step;
    return TS_OK;
}

int ts_film_clock_place(struct ts_film_clock *clock, int64_t pts_ns, struct ts_film_place *place,
                        struct ts_why *why)
{
    int err = TS_OK;
    if (clock->schedule)
        err = place_arrival(clock, place, why);
    else if (clock->times.even)
        place_on_line(clock, pts_ns, place);
    else
        err = place_at_stamp(clock, pts_ns, place, why);
    if (err)
        return err;
    if (clock->placed == 0 && !clock->options->given.tap_given)
        clock->zero_ms = place->start_ms;
    place->start_ms -= clock->zero_ms;
    clock->last_ms = place->start_ms;
    clock->sequence = place->sequence;
    clock->placed++;
    return TS_OK;
}

int ts_film_clock_end(const struct ts_film_clock *clock, struct ts_why *why)
{
    if (!clock->schedule || clock->placed == clock->frames)
        return TS_OK;
    return ts_fail(why, TS_EPROTO, "%s has %zu frames, the video %zu: they do not belong together",
                   clock->options->given.frames_csv, clock->frames, clock->placed);
}
