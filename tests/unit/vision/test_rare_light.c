/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The same of fades, and of the light that all is seen by. */
#include "rare.h"
#include "vision/track.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

/* One block of the last row is hardly lit, the others not at all: its noise is no flicker, which
 * all rows would be believed to have. */
static void a_dim_row_does_not_flicker(void **state)
{
    (void)state;
    struct picture picture;
    struct ts_track track;
    rare_start(&picture, 100);
    picture.noise_codes = 3;
    picture.element[0].level = 120;
    picture.element[0].contrast = 0;
    rare_add(&picture, -5000, 0, 115, 160, 5, 8);
    rare_add(&picture, -5000, 80, 115, 5, 5, 24);
    picture_render(&picture);
    const struct ts_vision_frames frames = picture_frames(&picture, QUIET_MS);
    uint8_t *ignore = calloc((size_t)picture.camera.blocks_x, (size_t)picture.camera.blocks_y);
    assert_non_null(ignore);
    assert_int_equal(ts_track_open(&track, &frames.view, ignore), TS_OK);
    for (size_t n = 0; n < picture.frames; n++)
        ts_track_frame(&track, picture.start_ms[n], picture.blocks[n]);
    assert_in_range((int)(1000 * track.gain_seen), 0, 10);
    ts_track_close(&track);
    free(ignore);
    picture_free(&picture);
}

/* Half a second after a change of all its blocks no row is brighter or darker than itself by more
 * than rows were ever seen to be. */
static void a_row_is_level_after_a_change(void **state)
{
    (void)state;
    struct picture picture;
    struct ts_track track;
    rare_start(&picture, 1500);
    picture.flicker_hz = 100;
    picture.flicker_depth = 0.006;
    picture.response_ms = 0;
    picture.element[0].level = 120;
    picture_add(&picture, 302, 0)->level = 200;
    picture_render(&picture);
    const struct ts_vision_frames frames = picture_frames(&picture, QUIET_MS);
    uint8_t *ignore = calloc((size_t)picture.camera.blocks_x, (size_t)picture.camera.blocks_y);
    assert_non_null(ignore);
    assert_int_equal(ts_track_open(&track, &frames.view, ignore), TS_OK);
    double sum[24] = {0}, count = 0;
    assert_int_equal(track.down, 24);
    for (size_t n = 0; n < picture.frames; n++) {
        track.tapped = picture.start_ms[n] > 0;
        ts_track_frame(&track, picture.start_ms[n], picture.blocks[n]);
        const bool later = picture.start_ms[n] > 1000;
        for (size_t row = 0; row < track.down && later; row++)
            sum[row] += (double)track.row_gain[row];
        count += later;
    }
    for (size_t row = 0; row < track.down; row++) {
        if (fabs(sum[row] / count - 1) > track.gain_seen)
            fail_msg("row %zu: %.4f is not 1", row, sum[row] / count);
    }
    ts_track_close(&track);
    free(ignore);
    picture_free(&picture);
}

/* From at_ms on the gain changes, by a share of what it is. */
static void expose(struct picture *picture, double at_ms, double gain, double change, double tau_ms)
{
    picture->gain = gain;
    picture->gain_at_ms = at_ms;
    picture->gain_change = change;
    picture->gain_tau_ms = tau_ms;
}

/* A dark screen, and an app at 300. */
static void start_app(struct picture *picture, double level, double contrast)
{
    rare_start(picture, 3500);
    picture->element[0].level = 60;
    struct picture_element *app = picture_add(picture, 300, 0);
    app->level = level;
    app->contrast = contrast;
}

/* Brighter by a third at first, more than half of the picture is at full scale for 30 ms. */
static void an_exposure_cuts_off_most_of_the_picture(void **state)
{
    (void)state;
    struct picture picture;
    start_app(&picture, 200, 8);
    rare_add(&picture, 300, 0, 90, 160, 30, 90)->contrast = 60;
    expose(&picture, 310, 1.35, -0.26, 60);
    rare_settles(&picture, 8);
}

/* A window comes at 300 ms, while the exposure is higher than it will be; a part of the window is
 * 20 codes darker until dark_ms. */
static void brighten(struct picture *picture, double level, double gain, double dark_ms)
{
    start_app(picture, level, 0);
    rare_add(picture, 300, 0, 90, 160, 30, 90)->contrast = 60;
    rare_add(picture, 300, 40, 20, 60, 40, level - 20)->contrast = 0;
    rare_add(picture, dark_ms, 40, 20, 60, 40, level)->contrast = 0;
    expose(picture, 310, gain, 1 / gain - 1, 250);
}

/* At a gain of 1.4 a window of 220 codes is at full scale until 555 ms, at 1.2 until 380; one of
 * 250 codes, for which no code is higher, for longer. */
static void what_is_white_for_long_cannot_be_told(void **state)
{
    (void)state;
    struct picture picture;
    struct picture_reference reference;
    for (double dark_ms = 310; dark_ms <= 410; dark_ms += 50) {
        for (double level = 220; level <= 250; level += 30) {
            brighten(&picture, level, 1.4, dark_ms);
            assert_int_equal(rare_find(&picture, &reference).flags, 1u << TS_FLAG_OVEREXPOSED);
        }
        if (dark_ms < 350)
            continue; /* the window itself takes until then */
        brighten(&picture, 220, 1.2, dark_ms);
        rare_settles(&picture, 8);
    }
    brighten(&picture, 220, 1.4, 510);
    rare_settles(&picture, 8);
    brighten(&picture, 250, 1, 410);
    rare_settles(&picture, 8);
}

/* Codes of a block, of which a share is lines so bright that they are at full scale from a gain of
 * 0.85 on. */
static double code_of_lines(double share, double level, double gain)
{
    return share * fmin(255, 300 * gain) + (1 - share) * fmin(255, level * gain);
}

#define SHOWN_MS 340.0 /* these blocks show them from then on */

/* No block is at full scale, but some pixels in three bright blocks are, and in so many dim ones on
 * such a level: they follow a gain that rises for half a second in part only, and do not change. */
static void cut_off_lines(struct picture picture, size_t dim, double dim_level)
{
    expose(&picture, 310, 0.82, 1 / 0.82 - 1, 200);
    picture_render(&picture);
    for (size_t n = 0; n < picture.frames; n++) {
        if (picture.start_ms[n] < SHOWN_MS)
            continue;
        const double gain = picture_gain(&picture, picture.start_ms[n]);
        for (size_t block = 300; block < 303 + dim; block++) {
            const double share = block < 303 ? 0.6 : 0.25, level = block < 303 ? 150 : dim_level;
            picture.blocks[n][block] = (uint16_t)lrint(25 * code_of_lines(share, level, gain));
        }
    }
    const struct ts_vision_frames frames = picture_frames(&picture, QUIET_MS);
    struct ts_vision_changes changes;
    assert_int_equal(ts_detect(&frames, TS_RULE_ROBUST, &changes), TS_OK);
    picture_free(&picture);
    assert_int_equal(changes.flags, 0);
    if (!(fabs(changes.settled.value - SHOWN_MS) <= 8))
        fail_msg("%.2f is not %.0f", changes.settled.value, SHOWN_MS);
}

static void an_exposure_cuts_off_fine_lines(void **state)
{
    (void)state;
    struct picture app;
    start_app(&app, 110, 40);
    cut_off_lines(app, 0, 0);
    cut_off_lines(app, 25, 60);
    start_app(&app, 70, 20); /* of which only they tell at the end of the exposure's way */
    cut_off_lines(app, 25, 125);
}

/* 140 by 100 pixels, with something around it. */
static void start_on_a_phone(struct picture *picture, double until_ms)
{
    rare_start(picture, until_ms);
    picture->screen_x = picture->screen_y = 10;
    picture->screen_w = 140;
    picture->screen_h = 100;
    picture_ignore_surroundings(picture);
}

/* The picture before it, of which a third stays, is darker in the rest by as much as the exposure
 * falls later: until then it looks like the final one, which comes within three refreshes. */
static void an_exposure_moves_after_the_second_picture(void **state)
{
    (void)state;
    struct picture picture;
    start_on_a_phone(&picture, 4500);
    picture.element[0].level = 60;
    rare_add(&picture, 300, 0, 0, 140, 100, 175)->contrast = 8;
    rare_add(&picture, 300, 0, 0, 47, 100, 195)->contrast = 8;
    for (int part = 0; part < 3; part++)
        rare_add(&picture, 2000 + 17 * part, 47 + 31 * part, 0, 31, 100, 210)->contrast = 8;
    expose(&picture, 2040, 1.2, -1 / 6.0, 200);
    rare_settles(&picture, 8);
}

/* In proportion it is a gain, but what lies around the phone knows of none. */
static void a_page_fades_in_beside_what_stays(void **state)
{
    (void)state;
    struct picture picture;
    start_on_a_phone(&picture, 3500);
    for (int part = 0; part < 7; part++) {
        rare_add(&picture, -2000, 20 * part, 0, 20, 100, 72 + 6 * part);
        rare_add(&picture, 300, 20 * part, 0, 20, 100, 122 + 10.2 * part)->fade_ms = 500;
    }
    rare_settles(&picture, 16);
}

/* Nor is there anything around: from a dark page, in ever smaller steps, its end is a gain but for
 * what is left of that page. */
static void a_page_slows_down_as_it_fades_in_over_a_dark_one(void **state)
{
    (void)state;
    static const struct {
        double fade_ms, level, contrast;
    } cases[] = {{387, 129, 49}, {430, 114, 59}, {286, 118, 57}, {350, 150, 45}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct picture picture;
        rare_start(&picture, 2500);
        picture_add(&picture, 142, 0)->level = 25;
        struct picture_element *app = picture_add(&picture, 218, cases[i].fade_ms);
        app->level = cases[i].level;
        app->contrast = cases[i].contrast;
        app->eased = true;
        rare_settles(&picture, 12);
    }
}

/* Among hundreds of blocks noise takes one out of bounds for two frames, shortly after all of them
 * have changed. */
static void noise_is_loud_just_after_a_change(void **state)
{
    (void)state;
    struct picture picture;
    rare_start(&picture, 2500);
    picture_add(&picture, 300, 0)->level = 210;
    picture.noise_codes = 6;
    picture.refresh_ms = 1000.0 / 120;
    rare_add(&picture, 312, 60, 60, 5, 5, 203);
    rare_add(&picture, 327, 60, 60, 5, 5, 210);
    rare_settles_at(&picture, 315, 8);
}

/* Where few blocks still show its end, noise made another one of it. */
static void a_fade_in_low_light_ends_once(void **state)
{
    (void)state;
    static const uint64_t seeds[] = {1, 20, 21};
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
        struct picture picture;
        picture_init(&picture, seeds[i], 160, 120);
        picture.until_ms = 2600;
        picture.noise_codes = 6;
        picture.element[0].level = 100;
        struct picture_element *app = picture_add(&picture, 300, 600);
        app->level = 170;
        app->contrast = 20;
        rare_add(&picture, 300, 20, 20, 30, 5, 113)->fade_ms = 600;
        rare_settles(&picture, 4);
    }
}

/* So slowly that noise hides its begin for some frames. */
static void a_page_takes_two_seconds_to_fade_in(void **state)
{
    (void)state;
    struct picture picture;
    rare_start(&picture, 5000);
    picture.element[0].level = 20;
    picture_add(&picture, 300, 2000)->level = 215;
    rare_begins(&picture, 14);
}

/* What fades faintly moves by less, in the time of a rest, than noise hides, and seems to rest on
 * its way. */
static void a_faint_fade_never_rests_beside_a_large_one(void **state)
{
    (void)state;
    static const double levels[] = {36, 42, 50};
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        struct picture picture;
        rare_start(&picture, 4600);
        picture.noise_codes = 1;
        picture.element[0].level = 20;
        rare_add(&picture, 300, 0, 0, 160, 80, 215)->fade_ms = 2000;
        for (int part = 0; part < 8; part++)
            rare_add(&picture, 300, 20 * part, 80, 20, 40, levels[i] + part)->fade_ms = 2000;
        rare_begins(&picture, 16);
    }
}

/* From one fine picture to another the blocks go different ways, a few of them far ahead of most:
 * all become visible soon after the begin. */
static void a_few_blocks_are_ahead_in_a_fine_fade(void **state)
{
    (void)state;
    static const double widths[] = {15, 30}, from_ms = 300;
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        struct picture picture;
        rare_start(&picture, 4000);
        picture.element[0].level = 20;
        rare_add(&picture, from_ms, 0, 0, 160, 100, 215)->fade_ms = 800;
        for (int row = 0; row < 3; row++)
            rare_add(&picture, from_ms, 20, 100 + 5 * row, widths[i], 5, 70)->fade_ms =
                500 + 100 * row;
        rare_begins(&picture, 10);
    }
}

/* A few blocks of a page that fades in fall back once. */
static void a_few_blocks_fall_back_as_a_page_fades_in(void **state)
{
    (void)state;
    struct picture picture;
    rare_start(&picture, 3500);
    picture.element[0].level = 15;
    picture.element[0].contrast = 0;
    rare_add(&picture, 300, 0, 0, 160, 120, 215)->fade_ms = 900;
    rare_add(&picture, 300, 60, 60, 15, 15, 40)->fade_ms = 120;
    rare_add(&picture, 440, 60, 60, 15, 15, 20);
    rare_add(&picture, 480, 60, 60, 15, 15, 215)->fade_ms = 800;
    rare_begins(&picture, 12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_few_blocks_are_ahead_in_a_fine_fade),
        cmocka_unit_test(a_few_blocks_fall_back_as_a_page_fades_in),
        cmocka_unit_test(a_page_takes_two_seconds_to_fade_in),
        cmocka_unit_test(a_faint_fade_never_rests_beside_a_large_one),
        cmocka_unit_test(a_fade_in_low_light_ends_once),
        cmocka_unit_test(noise_is_loud_just_after_a_change),
        cmocka_unit_test(a_page_fades_in_beside_what_stays),
        cmocka_unit_test(a_page_slows_down_as_it_fades_in_over_a_dark_one),
        cmocka_unit_test(what_is_white_for_long_cannot_be_told),
        cmocka_unit_test(an_exposure_cuts_off_fine_lines),
        cmocka_unit_test(an_exposure_moves_after_the_second_picture),
        cmocka_unit_test(a_row_is_level_after_a_change),
        cmocka_unit_test(a_dim_row_does_not_flicker),
        cmocka_unit_test(an_exposure_cuts_off_most_of_the_picture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
