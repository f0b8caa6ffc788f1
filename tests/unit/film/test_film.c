/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Films of a recording that is made up here: one even grey, then another. */
#include "corpus/film_write.h"
#include "media/decode.h"
#include "sim_screen/paint.h"
#include "vision/blocks.h"

#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { PIXELS = SIM_DISPLAY_X * SIM_DISPLAY_Y, FRAMES = 2000, BLOCKS_X = 64, BLOCKS_Y = 48 };

#define MS(x)  ((int64_t)((x)*1e6))
#define DARK   30
#define BRIGHT 220

struct made {
    struct sim_recording recording;
    uint8_t dark[PIXELS], bright[PIXELS];
    uint8_t *pictures[2];
    int64_t after_ns[2];
};

static void make(struct made *made, int64_t cut_ns)
{
    memset(made->dark, DARK, PIXELS);
    memset(made->bright, BRIGHT, PIXELS);
    made->pictures[0] = made->dark;
    made->pictures[1] = made->bright;
    made->after_ns[0] = -MS(500);
    made->after_ns[1] = cut_ns;
    made->recording = (struct sim_recording){.name = "made",
                                             .pictures = made->pictures,
                                             .after_ns = made->after_ns,
                                             .count = 2,
                                             .end_ns = MS(3000),
                                             .first_ns = cut_ns,
                                             .settled_ns = cut_ns,
                                             .hard_cut = true};
}

static struct sim_film *open_film(const struct made *made, const char *condition, uint64_t seed)
{
    struct sim_film *film;
    struct ts_why why = {""};
    assert_int_equal(
        sim_film_open(&made->recording, sim_condition_find(condition), seed, &film, &why), TS_OK);
    return film;
}

static struct sim_film_reference run(struct sim_film *film)
{
    struct sim_film_frame frame;
    while (sim_film_next(film, &frame)) {
    }
    return sim_film_reference(film);
}

static void assert_between(double value, double low, double high)
{
    if (!(value >= low && value <= high))
        fail_msg("%.9g is not in %.9g .. %.9g", value, low, high);
}

#define VISIBLE_SUM (25 * 5.1)

/* The block sums of a whole film. */
struct sums {
    size_t count;
    double start_ms[FRAMES];
    uint16_t blocks[FRAMES][BLOCKS_X * BLOCKS_Y];
};

static void collect(struct sim_film *film, struct sums *sums)
{
    const struct sim_film_setup *setup = sim_film_setup(film);
    struct sim_film_frame frame;
    for (sums->count = 0; sim_film_next(film, &frame) && sums->count < FRAMES; sums->count++) {
        sums->start_ms[sums->count] = (double)(frame.start_ns - setup->tap_ns) / 1e6;
        ts_blocks_sum(frame.pixels, (size_t)setup->camera.width_px, &setup->camera,
                      sums->blocks[sums->count]);
    }
}

static double light(double sum, double gamma)
{
    return pow(sum / (25 * 255), gamma);
}

/* When this block's light changed, as the frame says in which it did: of the light that its rows
 * collect for `exposure`, the last part came after the change. NAN: no frame has both. */
static double changed_ms(const struct sums *sums, const struct sim_film_setup *setup, int block)
{
    const double before = light(sums->blocks[0][block], setup->gamma);
    const double after = light(sums->blocks[sums->count - 1][block], setup->gamma);
    const double row = (block / BLOCKS_X + 0.5) * TS_BLOCK_PX / setup->camera.height_px;
    for (size_t n = 0; n < sums->count; n++) {
        const double seen = light(sums->blocks[n][block], setup->gamma);
        const double share = (seen - before) / (after - before);
        if (share > 0.1 && share < 0.9)
            return sums->start_ms[n] + row * setup->readout_ms + (1 - share) * setup->exposure_ms;
    }
    return NAN;
}

/* The frames that straddle a cut hold the mixture that their exposure gives. Along the scan-out,
 * which runs from left to right, the change passes from the first to the last instant of the
 * reference values. */
static void a_frame_across_a_cut_holds_the_right_mixture(void **state)
{
    (void)state;
    static struct made made;
    static struct sums sums;
    size_t told = 0;
    make(&made, MS(400));
    for (uint64_t seed = 1; seed <= 6; seed++) {
        struct sim_film *film = open_film(&made, "ideal", seed);
        const struct sim_film_setup *setup = sim_film_setup(film);
        collect(film, &sums);
        const struct sim_film_reference reference = sim_film_reference(film);
        int left = BLOCKS_X, right = 0;
        for (int x = 0; x < BLOCKS_X; x++) {
            const int block = BLOCKS_Y / 2 * BLOCKS_X + x;
            const int step = sums.blocks[sums.count - 1][block] - sums.blocks[0][block];
            if (step < 2000)
                continue;
            left = x < left ? x : left;
            right = x > right ? x : right;
        }
        assert_true(right - left > 40);
        for (int x = left + 1; x < right; x++) {
            const double share = (double)(x - left) / (right - left);
            const double expected =
                reference.first_ms + share * (reference.settled_ms - reference.first_ms);
            const double seen = changed_ms(&sums, setup, BLOCKS_Y / 2 * BLOCKS_X + x);
            if (isnan(seen))
                continue;
            /* Columns are not quite lines of the display, which lies a little askew. */
            assert_between(seen - expected, -0.5, 0.5);
            told++;
        }
        sim_film_close(film);
    }
    assert_true(told > 100);
}

static double first_ms(struct made *made, int64_t cut_ns)
{
    make(made, cut_ns);
    struct sim_film *film = open_film(made, "ideal", 3);
    const double ms = run(film).first_ms;
    sim_film_close(film);
    return ms;
}

/* The display shows a picture at its next refresh: the reference value is a staircase over the
 * instant of the cut, whose steps are a refresh wide and high. */
static void the_reference_is_the_first_line_of_the_next_refresh(void **state)
{
    (void)state;
    static struct made made;
    make(&made, MS(400));
    struct sim_film *film = open_film(&made, "ideal", 3);
    const struct sim_film_reference reference = run(film);
    sim_film_close(film);
    const double period_ms = 1e3 / reference.refresh_hz;
    /* Looks for the latest cut that this refresh still shows: its own instant, less the time until
     * the scan-out reaches the first block. */
    int64_t low = MS(400), high = MS(400 + period_ms);
    while (high - low > 1000) {
        const int64_t middle = (low + high) / 2;
        if (first_ms(&made, middle) < reference.first_ms + period_ms / 2)
            low = middle;
        else
            high = middle;
    }
    assert_between(first_ms(&made, low), reference.first_ms - 1e-6, reference.first_ms + 1e-6);
    assert_between(first_ms(&made, high), reference.first_ms + period_ms - 1e-6,
                   reference.first_ms + period_ms + 1e-6);
    assert_between(first_ms(&made, low - MS(0.9 * period_ms)), reference.first_ms - 1e-6,
                   reference.first_ms + 1e-6);
    /* All lines are scanned out within the refresh, and most of it is taken up by that. */
    assert_between(reference.settled_ms - reference.first_ms, 0.7 * period_ms, period_ms);
}

/* A fade begins with half of what its blocks do until 50 ms after they are visibly different: the
 * camera's blocks say so too. */
static void a_fade_begins_where_its_blocks_do(void **state)
{
    (void)state;
    static struct made made;
    static struct sums sums;
    make(&made, MS(300));
    for (uint64_t seed = 1; seed <= 3; seed++) {
        struct sim_film *film = open_film(&made, "fade", seed);
        const struct sim_film_setup *setup = sim_film_setup(film);
        collect(film, &sums);
        const struct sim_film_reference reference = sim_film_reference(film);
        const double late_ms = (setup->exposure_ms + setup->readout_ms) / 2;
        const int block = BLOCKS_Y / 2 * BLOCKS_X + 20;
        const double before = sums.blocks[0][block];
        size_t left = 0;
        while (left < sums.count && fabs(sums.blocks[left][block] - before) < VISIBLE_SUM)
            left++;
        size_t end = left;
        while (end < sums.count && sums.start_ms[end] < sums.start_ms[left] + 50)
            end++;
        assert_true(left > 0 && end < sums.count);
        double half_ms = NAN;
        for (size_t n = 0; n < end && isnan(half_ms); n++) {
            if (sums.blocks[n][block] - before >= (sums.blocks[end][block] - before) / 2)
                half_ms = sums.start_ms[n] + late_ms;
        }
        assert_false(reference.hard_cut);
        /* A frame, and a refresh with its scan-out. */
        assert_between(half_ms - reference.first_ms, -6, 24);
        assert_true(reference.settled_ms > half_ms + 50);
        sim_film_close(film);
    }
}

static uint64_t digest(const struct made *made, const char *condition, uint64_t seed)
{
    struct sim_film *film = open_film(made, condition, seed);
    const struct ts_camera_geometry *camera = &sim_film_setup(film)->camera;
    uint64_t hash = 14695981039346656037u; /* FNV-1a */
    struct sim_film_frame frame;
    while (sim_film_next(film, &frame)) {
        for (int i = 0; i < camera->width_px * camera->height_px; i++)
            hash = (hash ^ frame.pixels[i]) * 1099511628211u;
        hash = (hash ^ (uint64_t)frame.arrival_ns) * 1099511628211u;
        hash = (hash ^ frame.sequence) * 1099511628211u;
    }
    sim_film_close(film);
    return hash;
}

static void the_same_seed_gives_the_same_film(void **state)
{
    (void)state;
    static const char *const conditions[] = {"ideal", "auto-exposure", "lost-frames", "video"};
    static struct made made;
    make(&made, MS(200));
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++) {
        const uint64_t first = digest(&made, conditions[i], 5);
        assert_true(first == digest(&made, conditions[i], 5));
        assert_true(first != digest(&made, conditions[i], 6));
    }
}

static void every_condition_gives_a_film_with_reference_values(void **state)
{
    (void)state;
    static struct made made;
    make(&made, MS(200));
    for (size_t i = 0; i < sim_condition_count; i++) {
        struct sim_film *film = open_film(&made, sim_conditions[i].name, 11 + i);
        const struct sim_film_setup *setup = sim_film_setup(film);
        struct sim_film_frame frame, last = {0};
        size_t frames = 0, lost = 0;
        for (; sim_film_next(film, &frame); frames++) {
            if (frames > 0) {
                assert_true(frame.sequence > last.sequence);
                assert_true(frame.arrival_ns >= last.arrival_ns);
                lost += frame.sequence - last.sequence - 1;
            }
            const double busy_ms = setup->exposure_ms + setup->readout_ms + setup->latency_ms;
            assert_true((double)(frame.arrival_ns - frame.start_ns) >= busy_ms * 1e6 - 1);
            last = frame;
        }
        const struct sim_film_reference reference = sim_film_reference(film);
        assert_int_equal(setup->camera.width_px, sim_conditions[i].width_px);
        assert_true(frames > 60);
        if (sim_conditions[i].drop_rate > 0)
            assert_true(lost > 0);
        else
            assert_true(lost <= 1); /* one in ten thousand, with any camera */
        assert_true(reference.first_ms > 0);
        assert_true(reference.settled_ms >= reference.first_ms);
        assert_true(reference.quiet_after_ms > 1200);
        assert_true(!isnan(setup->stylus_up_ms) || sim_conditions[i].treatment != SIM_LATE_STYLUS);
        sim_film_close(film);
    }
}

static void a_written_film_is_what_was_filmed(void **state)
{
    (void)state;
    static struct made made;
    struct ts_why why = {""};
    make(&made, MS(100));
    struct sim_film *film = open_film(&made, "lost-frames", 2);
    assert_int_equal(sim_film_write(film, TS_BUILD_DIR "/tests/film", &why), TS_OK);
    sim_film_close(film);
    film = open_film(&made, "lost-frames", 2);
    struct ts_decode *decode;
    assert_int_equal(ts_decode_open(TS_BUILD_DIR "/tests/film.mkv", &decode, &why), TS_OK);
    FILE *csv = fopen(TS_BUILD_DIR "/tests/film.csv", "r");
    assert_non_null(csv);
    char line[128];
    assert_non_null(fgets(line, sizeof line, csv));
    struct sim_film_frame frame;
    struct ts_decode_frame read;
    for (int n = 0; sim_film_next(film, &frame); n++) {
        assert_int_equal(ts_decode_next(decode, &read, &why), 1);
        assert_memory_equal(read.grey, frame.pixels, 320 * 240);
        char expected[128];
        snprintf(expected, sizeof expected, "%d,%u,%lld\n", n, (unsigned)frame.sequence,
                 (long long)frame.arrival_ns);
        assert_non_null(fgets(line, sizeof line, csv));
        assert_string_equal(line, expected);
    }
    assert_int_equal(ts_decode_next(decode, &read, &why), 0);
    assert_null(fgets(line, sizeof line, csv));
    fclose(csv);
    ts_decode_close(decode);
    json_t *json = json_load_file(TS_BUILD_DIR "/tests/film.json", 0, NULL);
    const double settled_ms =
        json_real_value(json_object_get(json_object_get(json, "reference"), "settled_ms"));
    assert_between(settled_ms - sim_film_reference(film).settled_ms, -1e-3, 1e-3);
    json_decref(json);
    sim_film_close(film);
}

static void recordings_can_be_read(void **state)
{
    (void)state;
    struct sim_recording *recording;
    struct ts_why why = {""};
    assert_int_equal(sim_recording_open(TS_SOURCE_DIR "/fixtures/recordings/gallery_busy.json",
                                        &recording, &why),
                     TS_OK);
    assert_string_equal(recording->name, "gallery_busy");
    assert_true(recording->restless_count > 0);
    /* As the JSON beside it says. */
    assert_between((double)recording->first_ns / 1e6, 33.238, 50.1);
    assert_between((double)recording->settled_ns / 1e6, 1266, 1283.3);
    sim_recording_close(recording);
    assert_int_equal(sim_recording_open(TS_SOURCE_DIR "/fixtures/nothing", &recording, &why),
                     TS_EIO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_frame_across_a_cut_holds_the_right_mixture),
        cmocka_unit_test(the_reference_is_the_first_line_of_the_next_refresh),
        cmocka_unit_test(a_fade_begins_where_its_blocks_do),
        cmocka_unit_test(the_same_seed_gives_the_same_film),
        cmocka_unit_test(every_condition_gives_a_film_with_reference_values),
        cmocka_unit_test(a_written_film_is_what_was_filmed),
        cmocka_unit_test(recordings_can_be_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
