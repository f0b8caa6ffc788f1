/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cameras that lose frames, send some twice and are held up by their host. */
#include "base/rng.h"
#include "base/time.h"
#include "clock/frames.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define FRAMES 3000
#define SEEDS  200

struct film {
    struct ts_rng rng;
    double period_ns;
    double jitter_ns, lost, twice, stall; /* mean lateness; shares of frames */
    size_t count, lost_count, twice_count;
    int64_t arrival_ns[2 * FRAMES];
    uint32_t sequence[2 * FRAMES], number[2 * FRAMES];
};

static void open_film(struct film *film, uint64_t seed)
{
    memset(film, 0, sizeof *film);
    ts_rng_seed(&film->rng, seed, 0x66696c6du);
    static const double rates[] = {30, 60, 100, 120, 125, 187, 240};
    const double ppm = ts_rng_range(&film->rng, -100, 100);
    film->period_ns = 1e9 / rates[ts_rng_below(&film->rng, 7)] * (1 + ppm * 1e-6);
    film->jitter_ns = film->period_ns * ts_rng_range(&film->rng, 0.005, 0.06);
}

static void shoot(struct film *film, uint32_t frames)
{
    const int64_t zero_ns = (int64_t)(ts_rng_uniform(&film->rng) * 1e15);
    const uint32_t zero = (uint32_t)ts_rng_next(&film->rng);
    double free_ns = 0, last_ns = 0;
    uint32_t first = 0;
    for (uint32_t n = 0; n < frames; n++) {
        const double due = film->period_ns * n;
        /* At the end nobody can tell a late frame from lost ones. */
        if (n + 16 < frames && ts_rng_uniform(&film->rng) < film->stall)
            free_ns = due + film->period_ns * ts_rng_range(&film->rng, 0.5, 6);
        if (n > 0 && n + 1 < frames && ts_rng_uniform(&film->rng) < film->lost) {
            film->lost_count++;
            continue;
        }
        const double late = -film->jitter_ns * log(1 - ts_rng_uniform(&film->rng));
        last_ns = fmax(fmax(due + fmin(late, 0.6 * film->period_ns), free_ns), last_ns + 20e3);
        if (!film->count)
            first = n;
        const int copies = n > 8 && ts_rng_uniform(&film->rng) < film->twice ? 2 : 1;
        for (int k = 0; k < copies; k++) {
            film->arrival_ns[film->count] = zero_ns + (int64_t)last_ns + k * 200000;
            film->sequence[film->count] = zero + n;
            film->number[film->count++] = n - first;
        }
        film->twice_count += copies == 2;
        last_ns += 200e3 * (copies - 1);
    }
}

struct tally {
    double covered, count, worst_ppm, miscounted;
};

static void check_film(struct film *film, bool numbered, struct tally *tally)
{
    static uint32_t number[2 * FRAMES];
    struct ts_frame_line line;
    struct ts_why why = {""};
    const struct ts_frame_arrivals arrivals = {film->count, film->arrival_ns,
                                               numbered ? film->sequence : NULL};
    if (ts_frames_fit(&arrivals, number, &line, &why) != TS_OK)
        fail_msg("%s", why.text);
    size_t wrong = 0;
    for (size_t i = 0; i < film->count; i++)
        wrong += number[i] != film->number[i];
    /* A frame that comes a period late and has no follower may as well be that follower. */
    const bool ambiguous = !numbered && film->lost > 0 && film->stall > 0;
    if (wrong && !ambiguous)
        fail_msg("%zu of %zu frames have a wrong number", wrong, film->count);
    tally->miscounted += line.lost != film->lost_count || line.duplicates != film->twice_count;
    const double error_ns = line.period_ns - film->period_ns;
    tally->worst_ppm = fmax(tally->worst_ppm, 1e6 * fabs(error_ns) / film->period_ns);
    tally->covered += fabs(error_ns) <= 2 * line.period_u_ns;
    tally->count++;
    assert_true(line.late_p50_ns >= 0 && line.late_p99_ns >= line.late_p50_ns);
    assert_true(line.late_most_ns >= line.late_p99_ns);
}

static void run(const char *name, double lost, double twice, double stall, bool numbered)
{
    static struct film film;
    struct tally tally = {0};
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        open_film(&film, seed);
        film.lost = lost;
        film.twice = twice;
        film.stall = stall;
        shoot(&film, (uint32_t)(60 + ts_rng_below(&film.rng, FRAMES - 60)));
        check_film(&film, numbered, &tally);
    }
    print_message("%s, %s: period within %.2f ppm, within 2 u %.1f %%, %.0f of %.0f films "
                  "miscounted\n",
                  name, numbered ? "numbered" : "stamped only", tally.worst_ppm,
                  100 * tally.covered / tally.count, tally.miscounted, tally.count);
    assert_true(tally.miscounted <= 0.02 * tally.count);
    assert_true(tally.covered >= (lost > 0 && stall > 0 ? 0.90 : 0.93) * tally.count);
}

static void numbered_frames_are_placed(void **state)
{
    (void)state;
    run("clean", 0, 0, 0, true);
    run("lost", 0.03, 0, 0, true);
    run("lost, twice, stalls", 0.03, 0.01, 0.01, true);
}

static void stamps_alone_are_enough(void **state)
{
    (void)state;
    run("clean", 0, 0, 0, false);
    run("lost", 0.03, 0, 0, false);
    run("stalls", 0, 0, 0.01, false);
    run("twice", 0, 0.01, 0, false);
    run("lost and stalls", 0.03, 0, 0.005, false);
}

static void nonsense_is_refused(void **state)
{
    (void)state;
    int64_t at[64];
    uint32_t sequence[64], number[64];
    struct ts_frame_line line;
    struct ts_why why = {""};
    struct ts_rng rng;
    ts_rng_seed(&rng, 3, 3);
    memset(at, 0, sizeof at);
    memset(sequence, 0, sizeof sequence);
    struct ts_frame_arrivals arrivals = {64, at, NULL};
    assert_int_equal(ts_frames_fit(&arrivals, number, &line, &why), TS_EPROTO); /* all at once */
    arrivals.sequence = sequence;
    assert_int_equal(ts_frames_fit(&arrivals, number, &line, &why), TS_EPROTO);
    arrivals.count = 7;
    assert_int_equal(ts_frames_fit(&arrivals, number, &line, &why), TS_EPROTO);
    for (int round = 0; round < 4000; round++) {
        const int shift = (int)ts_rng_below(&rng, 64);
        int64_t now = (int64_t)ts_rng_next(&rng);
        for (int i = 0; i < 64; i++) {
            now = round % 3 ? ts_ns_after(now, (int64_t)(ts_rng_next(&rng) >> 24 >> shift % 40))
                            : (int64_t)(ts_rng_next(&rng) >> shift);
            at[i] = now;
            sequence[i] = (i ? sequence[i - 1] : 0) + (uint32_t)(ts_rng_next(&rng) >> 44);
        }
        arrivals = (struct ts_frame_arrivals){64, at, round % 2 ? sequence : NULL};
        const int err = ts_frames_fit(&arrivals, number, &line, &why);
        assert_true(err == TS_OK || err == TS_EPROTO);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbered_frames_are_placed),
        cmocka_unit_test(stamps_alone_are_enough),
        cmocka_unit_test(nonsense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
