/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The detector on-line: memory that does not grow, and the moment when it is certain. */
#include "picture_cases.h"

#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define QUIET_MS 1000.0
#define LIVE_MS  300.0
#define WARM     200 /* frames after which nothing is allocated any more */
#define FRAMES   100000
#define GROWS    (8u << 20) /* bytes, at most */
#define SEED     910001
#define SOONER   4  /* frames before the quiet time has passed, and */
#define LATER    14 /* after it: a slow fade moves on below 2 % */

/* The linker sends every allocation of this program through here. */
static size_t allocations, live_bytes, most_bytes;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void __real_free(void *old);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void __wrap_free(void *old);

static void *count_new(void *new)
{
    allocations++;
    live_bytes += new ? malloc_usable_size(new) : 0;
    if (live_bytes > most_bytes)
        most_bytes = live_bytes;
    return new;
}

void *__wrap_malloc(size_t size)
{
    return count_new(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size)
{
    return count_new(__real_calloc(count, size));
}

void *__wrap_realloc(void *old, size_t size)
{
    live_bytes -= old ? malloc_usable_size(old) : 0;
    return count_new(__real_realloc(old, size));
}

void __wrap_free(void *old)
{
    live_bytes -= old ? malloc_usable_size(old) : 0;
    __real_free(old);
}

enum { ACROSS = 32, DOWN = 24, BLOCKS = ACROSS * DOWN };

static const struct ts_camera_geometry camera = {160, 120, ACROSS, DOWN, 8000000};

static const struct ts_vision_view view = {.camera = &camera,
                                           .period_ms = 8,
                                           .exposure_ms = 5,
                                           .readout_ms = 6,
                                           .gamma = 2.2,
                                           .start_u_ms = 0.1,
                                           .exposure_u_ms = 0.1,
                                           .readout_u_ms = 0.1,
                                           .stylus_from_ms = NAN,
                                           .stylus_down_ms = NAN,
                                           .stylus_up_ms = NAN,
                                           .quiet_ms = QUIET_MS};

/* A screen that never comes to rest for long: regions change at once or fade, now and then all of
 * it; in between there are stretches of rest, short and long. */
struct restless {
    struct ts_rng rng;
    double code[BLOCKS], goal[BLOCKS];
    size_t next;
    uint16_t sums[BLOCKS];
};

static void restless_frame(struct restless *screen, size_t n)
{
    if (n == screen->next) {
        const bool all = ts_rng_below(&screen->rng, 8) == 0, fades = ts_rng_below(&screen->rng, 2);
        const size_t from = all ? 0 : ts_rng_below(&screen->rng, BLOCKS - 100);
        const size_t to = all ? BLOCKS : from + 4 + ts_rng_below(&screen->rng, 96);
        for (size_t i = from; i < to; i++) {
            screen->goal[i] = ts_rng_range(&screen->rng, 20, 230);
            screen->code[i] = fades ? screen->code[i] : screen->goal[i];
        }
        screen->next += 1 + ts_rng_below(&screen->rng, ts_rng_below(&screen->rng, 4) ? 40 : 600);
    }
    for (size_t i = 0; i < BLOCKS; i++) {
        screen->code[i] += fmin(3, fmax(-3, screen->goal[i] - screen->code[i]));
        const uint32_t noise = (uint32_t)ts_rng_next(&screen->rng) % 41;
        screen->sums[i] = (uint16_t)lround(25 * screen->code[i] + noise - 20);
    }
}

static void run_restless(size_t frames, size_t *late_allocations, size_t *growth)
{
    struct restless *screen = calloc(1, sizeof *screen);
    assert_non_null(screen);
    ts_rng_seed(&screen->rng, SEED, 1);
    screen->next = 70;
    for (size_t i = 0; i < BLOCKS; i++)
        screen->code[i] = screen->goal[i] = 128;
    struct ts_detector *detector;
    assert_int_equal(ts_detector_open(&view, TS_RULE_ROBUST, &detector), TS_OK);
    size_t warm_allocations = 0, warm_bytes = 0;
    for (size_t n = 0; n < frames; n++) {
        if (n == WARM) {
            warm_allocations = allocations;
            warm_bytes = most_bytes = live_bytes;
        }
        restless_frame(screen, n);
        assert_int_equal(
            ts_detector_frame(detector, (uint32_t)n, -500 + 8 * (double)n, screen->sums), TS_OK);
    }
    *late_allocations = allocations - warm_allocations;
    struct ts_vision_changes changes;
    assert_int_equal(ts_detector_result(detector, &changes), TS_OK);
    *growth = most_bytes - warm_bytes;
    ts_detector_close(detector);
    free(screen);
}

static void memory_does_not_grow(void **state)
{
    (void)state;
    size_t late = 0, growth = 0;
    run_restless(5000, &late, &growth); /* so that a detector that grows is soon found out */
    assert_true(growth <= GROWS);
    assert_int_equal(late, 0);
    run_restless(FRAMES, &late, &growth);
    assert_true(growth <= GROWS);
    assert_int_equal(late, 0);
}

static void everything_is_given_back(void **state)
{
    (void)state;
    size_t late, growth;
    const size_t before = live_bytes;
    run_restless(1000, &late, &growth);
    assert_int_equal(live_bytes, before);
}

struct online {
    struct picture picture;
    struct picture_reference reference;
    struct ts_detector *detector;
    size_t n;
};

static void online_open(struct online *online, const char *name, double fps, uint64_t seed)
{
    picture_case_draw(picture_case_by_name(name), fps, seed, 160, 120, &online->picture);
    online->picture.until_ms += 1500;
    picture_render(&online->picture);
    online->reference = picture_refer(&online->picture);
    online->n = 0;
    const struct ts_vision_frames frames = picture_frames(&online->picture, QUIET_MS);
    assert_int_equal(ts_detector_open(&frames.view, TS_RULE_ROBUST, &online->detector), TS_OK);
}

static void online_close(struct online *online)
{
    ts_detector_close(online->detector);
    picture_free(&online->picture);
}

/* Gives frames until the detector is certain, or is no longer; the last one's start, NAN: they
 * have all been given. */
static double online_until(struct online *online, bool certain)
{
    const struct picture *p = &online->picture;
    while (online->n < p->frames) {
        const size_t n = online->n++;
        assert_int_equal(
            ts_detector_frame(online->detector, p->sequence[n], p->start_ms[n], p->blocks[n]),
            TS_OK);
        if (ts_detector_is_certain(online->detector) == certain)
            return p->start_ms[n];
    }
    return NAN;
}

static struct ts_vision_changes online_result(struct online *online)
{
    struct ts_vision_changes changes;
    assert_int_equal(ts_detector_result(online->detector, &changes), TS_OK);
    return changes;
}

static bool near(struct ts_metric then, struct ts_metric later)
{
    return fabs(then.value - later.value) <= fmax(then.u, later.u);
}

#define NOISE_MS   400.0 /* a block that seems to move makes it wait */
#define WRONG_MOST 3     /* of 16 or 24 launches */

/* takes_ms: what it takes to know an endless region for one, beyond the quiet time. */
static bool check_certain(const char *name, double fps, uint64_t seed, double takes_ms)
{
    struct online online;
    online_open(&online, name, fps, seed);
    const double expected = online.reference.settled_ms + QUIET_MS;
    const double period = online.picture.period_ms;
    const double when = online_until(&online, true);
    const struct ts_vision_changes then = online_result(&online);
    const double unsure = online_until(&online, false);
    const struct ts_vision_changes later = online_result(&online);
    online_close(&online);
    const bool in_time =
        when >= expected - SOONER * period && when <= expected + LATER * period + takes_ms;
    const bool alike = near(then.first, later.first) && near(then.settled, later.settled);
    if (in_time && alike && isnan(unsure) && then.flags == 0 && later.flags == 0)
        return true;
    printf("%s %llu at %g fps: certain at %.1f, expected at %.1f, no longer at %.1f; then %.2f and "
           "%.2f, flags %x, later %.2f and %.2f, flags %x\n",
           name, (unsigned long long)seed, fps, when, expected, unsure, then.first.value,
           then.settled.value, then.flags, later.first.value, later.settled.value, later.flags);
    return false;
}

static void is_certain_when_it_has_been_quiet(void **state)
{
    (void)state;
    size_t wrong = 0;
    static const char *const names[] = {"cut", "cut_late", "fade_part", "list", "slide", "mains"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        for (uint64_t seed = SEED; seed < SEED + 4; seed++)
            wrong += !check_certain(names[i], seed % 2 ? 60 : 125, seed, NOISE_MS);
    }
    assert_true(wrong <= WRONG_MOST);
}

static void is_certain_beside_what_goes_on(void **state)
{
    (void)state;
    size_t wrong = 0;
    static const char *const names[] = {"spinner", "caret", "video", "spinner_faint"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        for (uint64_t seed = SEED; seed < SEED + 4; seed++)
            wrong += !check_certain(names[i], 125, seed, 2500);
    }
    assert_true(wrong <= WRONG_MOST);
}

/* Once certain, a late change makes it uncertain again, until that has been quiet for as long. */
static void a_late_change_makes_it_unsure(void **state)
{
    (void)state;
    for (uint64_t seed = SEED; seed < SEED + 4; seed++) {
        struct online online;
        online_open(&online, "late", 125, seed);
        const double settled = online.reference.settled_ms;
        const double few = LATER * online.picture.period_ms;
        const double early = online_until(&online, true);
        assert_true(early < settled);
        const double unsure = online_until(&online, false);
        assert_true(unsure > settled - few - online.picture.refresh_ms && unsure < settled + few);
        const double sure = online_until(&online, true);
        /* After a rest longer than the quiet time, as long a rest again has to follow, and a little
         * more while one looks on. */
        assert_true(sure >= settled + QUIET_MS - few && sure <= 2 * settled + LIVE_MS + few);
        const struct ts_vision_changes changes = online_result(&online);
        assert_int_equal(changes.flags, 0);
        assert_true(fabs(changes.settled.value - settled) <= online.picture.period_ms);
        online_close(&online);
    }
}

static void is_never_certain_of_nothing(void **state)
{
    (void)state;
    struct online online;
    picture_init(&online.picture, SEED, 160, 120);
    online.picture.flicker_hz = 100;
    online.picture.flicker_depth = 0.015;
    online.picture.until_ms = 4000;
    picture_render(&online.picture);
    const struct ts_vision_frames frames = picture_frames(&online.picture, QUIET_MS);
    assert_int_equal(ts_detector_open(&frames.view, TS_RULE_ROBUST, &online.detector), TS_OK);
    online.n = 0;
    assert_true(isnan(online_until(&online, true)));
    online_close(&online);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_does_not_grow),
        cmocka_unit_test(everything_is_given_back),
        cmocka_unit_test(is_certain_when_it_has_been_quiet),
        cmocka_unit_test(is_certain_beside_what_goes_on),
        cmocka_unit_test(a_late_change_makes_it_unsure),
        cmocka_unit_test(is_never_certain_of_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
