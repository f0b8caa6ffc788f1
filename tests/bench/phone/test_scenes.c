/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The helper app's scenes as elements, and what observers cost a launch. */
#include "rig.h"

#include "sim_phone/activity_manager.h"
#include "sim_phone/shows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAIL "org.example.mail/.InboxActivity"
#define MS   TS_NS_PER_MS

/* The display code that an element gives over what lies below it; flat elements only. */
static double code_at(const struct sim_scene *scene, double x, double y, int64_t at_ns)
{
    double code = 0;
    for (size_t i = 0; i < scene->count; i++) {
        const struct sim_element *e = &scene->elements[i];
        if (x < e->rect.x || x >= e->rect.x + e->rect.w || y < e->rect.y ||
            y >= e->rect.y + e->rect.h || at_ns < e->from_ns || at_ns >= e->until_ns)
            continue;
        const double in = e->fade_ns ? (double)(at_ns - e->from_ns) / (double)e->fade_ns : 1;
        code += (e->level - code) * fmin(in, 1);
    }
    return code;
}

/* By the scene's own elements: at the instant of patch 0 the paper has done half of its first
 * step (until 50 ms after it is visible), at that of patch 1 it is 2 % of full scale away; a
 * nanosecond before, the patches are black. */
static void patches_tell_the_truth(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        struct sim_scene scene = {0};
        struct sim_show show;
        const enum sim_show_kind kind = (enum sim_show_kind)(seed % SIM_SHOW_COUNT);
        sim_show_await(&scene, &(struct sim_entry){.from_ns = MS});
        sim_show_plan(&show, kind, seed, 1000 * MS);
        sim_show_paint(&show, &scene);
        const int64_t wait_ns = show.start_ns - 1000 * MS;
        assert_in_range(wait_ns, 60 * MS, 900 * MS);
        for (int i = 0; i < SIM_PATCHES; i++) {
            const double x = sim_patches[i].x + sim_patches[i].w / 2;
            const double y = sim_patches[i].y + sim_patches[i].h / 2;
            assert_true(code_at(&scene, x, y, 500 * MS) < 1);
            assert_true(code_at(&scene, x, y, show.patch_ns[i] - 1) < 1);
            assert_true(code_at(&scene, x, y, show.patch_ns[i]) > 254);
        }
        /* Beside patch 0: plain paper, 235, over 96. */
        const double first = code_at(&scene, 0.2, 0.08, show.patch_ns[0]);
        const double end = code_at(&scene, 0.2, 0.08, show.patch_ns[1]);
        if (kind == SIM_SHOW_FADE) {
            assert_in_range(show.fade_ns, 150 * MS, 600 * MS);
            const double later = 5.1 + 50 * MS * 139.0 / (double)show.fade_ns;
            assert_true(fabs(first - (96 + later / 2)) < 0.01);
            assert_true(fabs(end - (235 - 5.1)) < 0.01);
        } else {
            assert_true(fabs(first - (kind == SIM_SHOW_SPLASH ? 30 : 235)) < 0.01);
            assert_true(fabs(end - 235) < 0.01);
        }
        if (kind == SIM_SHOW_CUT)
            assert_int_equal(show.patch_ns[0], show.patch_ns[1]);
        else
            assert_true(show.patch_ns[1] - show.patch_ns[0] > 60 * MS);
        assert_true(code_at(&scene, 0.2, 0.08, show.start_ns - 1) < 97);
        sim_scene_free(&scene);
    }
}

static void a_touch_starts_it_once(void **state)
{
    (void)state;
    struct rig rig;
    char text[3000];
    rig_open(&rig, 3, 14);
    assert_int_equal(rig_shell(&rig, text, sizeof text,
                               "am start -n " SIM_SHOW " --es kind nothing --el seed 1"),
                     1);
    assert_int_equal(rig_shell(&rig, NULL, 0, "am start -n " SIM_SHOW " --es kind cut --el seed 1"),
                     0);
    rig_shell(&rig, text, sizeof text, "dumpsys window displays");
    assert_non_null(strstr(text, "org.touchstone.helper/org.touchstone.helper.Scene"));
    rig_run(&rig, 800);
    const size_t before = rig.scene.count;
    rig_press(&rig, 150, 1500);
    assert_true(rig_has(&rig, "Touchstone", "touch up "));
    assert_false(rig_has(&rig, "START u0", "org.touchstone.helper"));
    assert_false(rig_has(&rig, "Displayed"));
    const size_t shown = rig.scene.count;
    assert_true(shown > before);
    rig_press(&rig, 150, 1500);
    assert_true(rig_has(&rig, "Touchstone", "touch up "));
    assert_int_equal(rig.scene.count, shown);
    rig_close(&rig);
}

/* The scene leaves the button's target alone, and the button the scene. */
static void the_button_still_works(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig, 4, 10);
    rig_shell(&rig, NULL, 0, "am start -n " SIM_SHOW " --es kind fade --el seed 8");
    rig_run(&rig, 800);
    const struct sim_phone_truth truth = rig_launch(&rig, MAIL, SIM_FAULT_NONE);
    assert_string_equal(truth.start_type, "cold");
    rig_close(&rig);
}

static double displayed_ms(const struct sim_phone_config *given, bool service,
                           double polls_a_second)
{
    struct rig rig = {.now_ns = 77 * TS_NS_PER_S};
    struct ts_why why;
    assert_int_equal(sim_phone_open(given, &rig.scene, &rig.phone, &why), TS_OK);
    sim_phone_run(rig.phone, rig.now_ns);
    sim_phone_stream_log(rig.phone, true);
    if (service)
        rig_shell(&rig, NULL, 0,
                  "settings put secure enabled_accessibility_services "
                  "org.touchstone.helper/.Watch");
    rig_shell(
        &rig, NULL, 0,
        "am broadcast -p org.touchstone.helper -a org.touchstone.helper.NEXT --es component " MAIL
        " --ei launch 1");
    rig_shell(&rig, NULL, 0, "am start -n org.touchstone.helper/.Button");
    rig_run(&rig, 2000);
    /* The polls before the click, without the time that their answers take. */
    for (double ms = 0; polls_a_second > 0 && ms < 1500; ms += 1000 / polls_a_second) {
        char *output = NULL;
        int exit_code;
        int64_t done_ns;
        assert_int_equal(
            sim_phone_shell(rig.phone, rig.now_ns, "cat /proc/stat", &output, &exit_code, &done_ns),
            TS_OK);
        assert_int_equal(exit_code, 0);
        assert_non_null(strstr(output, "cpu  "));
        free(output);
        rig_run(&rig, 1000 / polls_a_second);
    }
    rig_press(&rig, 20, 9000);
    const double ms = sim_phone_last_launch(rig.phone).displayed_ms;
    rig_close(&rig);
    return ms;
}

static void assert_ratio(double value, double base, double ratio, double tolerance)
{
    if (!(fabs(value / base - ratio) <= tolerance))
        fail_msg("%g / %g is not %g +- %g", value, base, ratio, tolerance);
}

static void observers_cost(void **state)
{
    (void)state;
    struct sim_phone_config config = {
        .seed = 6, .android = 14, .refresh_hz = 120, .drift_ppm = NAN};
    const double free_ms = displayed_ms(&config, false, 0);
    assert_ratio(displayed_ms(&config, true, 0), free_ms, 1, 0);
    config.observer_log = 3;
    assert_ratio(displayed_ms(&config, false, 0), free_ms, 1.03, 0.002);
    config.observer_log = 0;
    config.observer_accessibility = 2;
    assert_ratio(displayed_ms(&config, false, 0), free_ms, 1, 0);
    assert_ratio(displayed_ms(&config, true, 0), free_ms, 1.02, 0.002);
    config.observer_polling = 6;
    assert_ratio(displayed_ms(&config, true, 0), free_ms, 1.02, 0.002);
    /* 20 ms of contact and the digitizer's time lie between the last poll and the click. */
    assert_ratio(displayed_ms(&config, false, 20), free_ms, 1.06, 0.006);
    assert_ratio(displayed_ms(&config, false, 10), free_ms, 1.03, 0.006);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patches_tell_the_truth),
        cmocka_unit_test(a_touch_starts_it_once),
        cmocka_unit_test(the_button_still_works),
        cmocka_unit_test(observers_cost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
