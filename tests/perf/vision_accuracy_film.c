/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One film, and what every rule says about it. The rules get frames, arrivals, and what a
 * calibrated rig knows; the reference values are fetched when all have answered. */
#include "media/frames_line.h"
#include "model/result.h"
#include "vision/blocks.h"
#include "vision/detector.h"
#include "vision/screen.h"
#include "vision_accuracy.h"
#include "vision_accuracy_rivals.h"

#include <math.h>
#include <stdlib.h>

#define KNOWN_U_MS 0.1 /* of latency, exposure and readout */

struct film {
    size_t count, capacity;
    uint16_t **blocks;  /* [count] owned */
    double *start_ms;   /* [count] owned */
    uint32_t *sequence; /* [count] owned */
    struct ts_frames_schedule *schedule;
    double period_ms;
    uint8_t *outside; /* [blocks] owned */
    struct accuracy_freeze *freeze[2];
    struct accuracy_last *last;
};

static void film_free(struct film *film)
{
    for (size_t n = 0; n < film->count; n++)
        free(film->blocks[n]);
    free(film->blocks);
    free(film->start_ms);
    free(film->sequence);
    free(film->outside);
    ts_frames_schedule_close(film->schedule);
    for (int i = 0; i < 2; i++)
        accuracy_freeze_close(film->freeze[i]);
    accuracy_last_close(film->last);
}

static int grow(struct film *film)
{
    const size_t more = film->capacity ? 2 * film->capacity : 512;
    void *blocks = realloc(film->blocks, more * sizeof *film->blocks);
    film->blocks = blocks ? blocks : film->blocks;
    void *starts = realloc(film->start_ms, more * sizeof *film->start_ms);
    film->start_ms = starts ? starts : film->start_ms;
    void *sequence = realloc(film->sequence, more * sizeof *film->sequence);
    film->sequence = sequence ? sequence : film->sequence;
    if (!blocks || !starts || !sequence)
        return TS_ENOMEM;
    film->capacity = more;
    return TS_OK;
}

/* The middle of the light that a frame collects, as near as a rule knows that sees only frames. */
static double middle_ms(const struct sim_film_setup *setup, double start_ms)
{
    return start_ms + (setup->exposure_ms + setup->readout_ms) / 2;
}

static int take_frame(struct film *film, const struct sim_film_setup *setup,
                      const struct sim_film_frame *frame, bool rivals)
{
    const struct ts_camera_geometry *camera = &setup->camera;
    int err = film->count == film->capacity ? grow(film) : TS_OK;
    if (err)
        return err;
    uint16_t *sums = malloc((size_t)camera->blocks_x * (size_t)camera->blocks_y * sizeof *sums);
    if (!sums)
        return TS_ENOMEM;
    ts_blocks_sum(frame->pixels, (size_t)camera->width_px, camera, sums);
    film->sequence[film->count] = frame->sequence;
    film->blocks[film->count++] = sums;
    const struct ts_frames_csv_row row = {frame->sequence, frame->arrival_ns};
    err = ts_frames_schedule_add(film->schedule, &row);
    if (err || !rivals)
        return err;
    const double at_ms = middle_ms(setup, (double)(frame->start_ns - setup->tap_ns) / 1e6);
    for (int i = 0; i < 2 && !err; i++)
        err = accuracy_freeze_frame(film->freeze[i], frame->pixels, at_ms);
    return err ? err : accuracy_last_frame(film->last, frame->pixels);
}

/* The frames lie on the line that no arrival beats. */
static int find_times(struct film *film, const struct sim_film_setup *setup)
{
    struct ts_frames_line line;
    const int err = ts_frames_schedule_line(film->schedule, &line);
    if (err)
        return err;
    const struct ts_frames_csv_row first = ts_frames_schedule_first(film->schedule);
    const double zero_ms = (double)(first.arrival_ns - setup->tap_ns) / 1e6;
    const double late_ms = setup->readout_ms + setup->exposure_ms + setup->latency_ms;
    for (size_t n = 0; n < film->count; n++) {
        const double due_ns = line.start_ns + line.period_ns * (film->sequence[n] - first.sequence);
        film->start_ms[n] = zero_ms + due_ns / 1e6 - late_ms;
    }
    film->period_ms = line.period_ns / 1e6;
    return TS_OK;
}

static int find_screen(struct film *film, const struct sim_film_setup *setup)
{
    const struct ts_camera_geometry *camera = &setup->camera;
    const size_t blocks = (size_t)camera->blocks_x * (size_t)camera->blocks_y;
    film->outside = malloc(blocks);
    if (!film->outside)
        return TS_ENOMEM;
    ts_screen_mask(camera, setup->screen_px, TS_SCREEN_MARGIN_PX, film->outside);
    return TS_OK;
}

static int ask_detector(const struct film *film, const struct sim_film_setup *setup,
                        enum ts_rule rule, struct accuracy_answer *answer)
{
    const struct ts_vision_frames frames = {
        .view = {.camera = &setup->camera,
                 .period_ms = film->period_ms,
                 .exposure_ms = setup->exposure_ms,
                 .readout_ms = setup->readout_ms,
                 .gamma = setup->gamma,
                 .start_u_ms = KNOWN_U_MS,
                 .exposure_u_ms = KNOWN_U_MS,
                 .readout_u_ms = KNOWN_U_MS,
                 .ignore = film->outside,
                 .stylus_from_ms = setup->stylus_from_ms,
                 .stylus_down_ms = setup->stylus_down_ms,
                 .stylus_up_ms = setup->stylus_up_ms,
                 .stylus_held_ms = setup->stylus_held_ms,
                 .quiet_ms = setup->quiet_ms},
        .count = film->count,
        .blocks = (const uint16_t *const *)film->blocks,
        .start_ms = film->start_ms,
        .sequence = film->sequence,
    };
    struct ts_vision_changes changes;
    const int err = ts_detect(&frames, rule, &changes);
    if (err)
        return err;
    *answer = (struct accuracy_answer){
        changes.settled.value, changes.settled.u, changes.first.value, changes.first.u, true,
        changes.flags};
    for (int flag = 0; flag < TS_FLAG_COUNT; flag++) {
        if (changes.flags >> flag & 1u && ts_flag_disqualifies((enum ts_flag)flag))
            answer->usable = false;
    }
    return TS_OK;
}

static void ask_rivals(const struct film *film, const struct sim_film_setup *setup,
                       struct accuracy_answer *answers)
{
    for (int i = 0; i < 2; i++) {
        const double began_ms = accuracy_freeze_began(film->freeze[i]);
        answers[ACCURACY_FREEZE_60 + i] = (struct accuracy_answer){
            .settled_ms = began_ms, .first_ms = NAN, .usable = began_ms > 0};
    }
    const size_t n = accuracy_last_change(film->last);
    const double changed_ms = middle_ms(setup, film->start_ms[n]);
    answers[ACCURACY_LAST_CHANGE] = (struct accuracy_answer){
        .settled_ms = changed_ms, .first_ms = NAN, .usable = changed_ms > 0};
}

static int open_rivals(struct film *film, const struct ts_camera_geometry *camera)
{
    int err = accuracy_freeze_open(camera, -60, &film->freeze[0]);
    if (!err)
        err = accuracy_freeze_open(camera, -40, &film->freeze[1]);
    return err ? err : accuracy_last_open(camera, &film->last);
}

int accuracy_measure(const struct sim_recording *recording, bool rivals,
                     struct accuracy_launch *launch, struct ts_why *why)
{
    struct sim_film *source = NULL;
    struct film film = {0};
    int err = sim_film_open(recording, launch->condition, launch->seed, &source, why);
    if (err)
        return err;
    const struct sim_film_setup *setup = sim_film_setup(source);
    err = ts_frames_schedule_open(&film.schedule);
    if (!err && rivals)
        err = open_rivals(&film, &setup->camera);
    struct sim_film_frame frame;
    while (!err && sim_film_next(source, &frame))
        err = take_frame(&film, setup, &frame, rivals);
    if (!err)
        err = find_times(&film, setup);
    if (!err)
        err = find_screen(&film, setup);
    if (!err)
        err = ask_detector(&film, setup, TS_RULE_LITERAL, &launch->answers[ACCURACY_LITERAL]);
    if (!err)
        err = ask_detector(&film, setup, TS_RULE_ROBUST, &launch->answers[ACCURACY_OURS]);
    if (!err && rivals)
        ask_rivals(&film, setup, launch->answers);
    launch->period_ms = film.period_ms;
    launch->frames = (int)film.count;
    launch->reference = sim_film_reference(source);
    film_free(&film);
    sim_film_close(source);
    return err ? ts_fail(why, err, "%s under %s, seed %llu: %s", recording->name,
                         launch->condition->name, (unsigned long long)launch->seed,
                         ts_err_text(err))
               : TS_OK;
}
