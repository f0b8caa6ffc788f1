/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of apps: is the mix what the validation of an end rule needs? */
#include "rig.h"

#include "sim_phone/app_launch.h"
#include "sim_phone/screens.h"

#include <stdio.h>
#include <string.h>

#define INPUT_MS 30 /* lift -> ActivityManager, about */

static bool is_endless(const struct sim_app *app)
{
    return app->endless != SIM_ENDS;
}

/* Ends in changes that stay below 25 codes between frames at 120 fps: a step of 230 codes at most,
 * spread over at least 150 ms, is 13. */
static bool ends_softly(const struct sim_app *app)
{
    return app->late_count ? app->late_fade_ms >= 150 : app->reveal_ms >= 150;
}

static void table_has_the_promised_mix(void **state)
{
    (void)state;
    size_t endless = 0, soft = 0, trampolines = 0, fully = 0, fails = 0;
    for (size_t i = 0; i < sim_app_count; i++) {
        const struct sim_app *app = &sim_apps[i];
        endless += is_endless(app) && app->note == SIM_APP_FINE;
        soft += ends_softly(app);
        trampolines += app->shows != NULL;
        fully += app->fully_ms > 0;
        fails += app->note == SIM_APP_FAILS;
    }
    assert_true(sim_app_count >= 26);
    assert_true(endless >= 4);
    assert_true(soft * 3 >= sim_app_count);
    assert_true(trampolines >= 3 && fully >= 3 && fails >= 1);
}

static void rows_are_sound(void **state)
{
    (void)state;
    for (size_t i = 0; i < sim_app_count; i++) {
        const struct sim_app *app = &sim_apps[i];
        assert_int_equal(sim_app_find(app->component), i);
        assert_true(app->cold_ms > app->warm_ms && app->warm_ms > app->hot_ms && app->hot_ms > 0);
        assert_true(app->motion == SIM_MOTION_CUT ? app->motion_ms == 0
                                                  : app->motion_ms >= 150 && app->motion_ms <= 400);
        assert_true(app->reveal_ms == 0 || (app->reveal_ms >= 150 && app->reveal_ms <= 600));
        assert_true(app->late_fade_ms == 0 ||
                    (app->late_fade_ms >= 150 && app->late_fade_ms <= 600));
        assert_true(app->late_count <= sim_layout_pictures(app->layout));
        assert_true((app->late_count == 0) == (app->late_ms == 0));
        assert_true(app->late_ms == 0 || (app->late_ms >= 200 && app->late_ms <= 2000));
        for (size_t other = 0; other < i; other++)
            assert_string_not_equal(sim_apps[other].name, app->name);
    }
}

static void nominal_settled_times(void **state)
{
    (void)state;
    double least = INFINITY, most = 0;
    print_message("nominal settled time after lift, ms (Android 14)\n"
                  "%-12s %6s %6s %6s\n",
                  "", "cold", "warm", "hot");
    for (size_t i = 0; i < sim_app_count; i++) {
        double ms[3];
        for (int start = 0; start < 3; start++)
            ms[start] = INPUT_MS + sim_app_nominal_ms(&sim_apps[i], (enum sim_start)start, 14);
        print_message("%-12s %6.0f %6.0f %6.0f %s\n", sim_apps[i].name, ms[0], ms[1], ms[2],
                      is_endless(&sim_apps[i]) ? "endless" : "");
        least = fmin(least, ms[0]);
        most = fmax(most, ms[0]);
        assert_true(ms[0] > ms[1] && ms[0] > ms[2]);
    }
    assert_true(least >= 300 && least < 500);
    assert_true(most > 5000 && most <= 6500);
}

/* Every element of a nominal launch, against what the launch says of itself. */
static void scene_agrees_with_the_plan(void **state)
{
    (void)state;
    for (size_t i = 0; i < sim_app_count; i++) {
        for (int start = 0; start < 3; start++) {
            struct sim_scene scene = {0};
            struct sim_launch launch;
            sim_launch_plan(&launch, &sim_apps[i], (enum sim_start)start, 14, TS_NS_PER_S, NULL);
            sim_launch_paint(&launch, &scene);
            int64_t last_ns = 0, endless_ns = 0;
            for (size_t e = 0; e < scene.count; e++) {
                const struct sim_element *element = &scene.elements[e];
                const int64_t rest_ns = element->from_ns + element->fade_ns;
                assert_true(element->rect.y >= SIM_STATUS_BAR);
                assert_true(element->rect.y + element->rect.h <= 1 + 1e-9);
                assert_true(element->rect.x >= 0 && element->rect.x + element->rect.w <= 1 + 1e-9);
                if (element->endless)
                    endless_ns = rest_ns;
                else if (rest_ns > last_ns)
                    last_ns = rest_ns;
                if (element->endless && sim_apps[i].note != SIM_APP_HARD)
                    assert_true(element->contrast >= 25);
            }
            assert_int_equal(last_ns, launch.settled_ns);
            assert_true(endless_ns <= last_ns);
            assert_int_equal(endless_ns != 0, is_endless(&sim_apps[i]));
            assert_true(launch.drawn_ns <= launch.settled_ns);
            sim_scene_free(&scene);
        }
    }
}

/* Reads the components of a plan without a YAML reader: what stands behind "component: ". */
static int plan_apps(const char *name, double *mean_ms)
{
    char path[300], line[300];
    snprintf(path, sizeof path, TS_SOURCE_DIR "/fixtures/plans/%s", name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    int count = 0;
    double sum_ms = 0;
    while (fgets(line, sizeof line, file)) {
        char *component = strstr(line, "component: ");
        if (!component)
            continue;
        component += strlen("component: ");
        component[strcspn(component, "}, \n")] = '\0';
        const size_t app = sim_app_find(component);
        if (app == sim_app_count)
            fail_msg("%s: no app %s in the table", name, component);
        sum_ms += INPUT_MS + sim_app_nominal_ms(&sim_apps[app], SIM_START_COLD, 14);
        count++;
    }
    fclose(file);
    *mean_ms = sum_ms / (count ? count : 1);
    print_message("%s: %d apps, settled after %.0f ms on average\n", name, count, *mean_ms);
    return count;
}

static void plans_name_apps_of_the_table(void **state)
{
    (void)state;
    double mean_ms;
    assert_int_equal(plan_apps("demo.yaml", &mean_ms), 6);
    assert_int_equal(plan_apps("sixteen.yaml", &mean_ms), 16);
    assert_true(mean_ms <= 2500);
    assert_true(plan_apps("hard.yaml", &mean_ms) >= 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_has_the_promised_mix),
        cmocka_unit_test(rows_are_sound),
        cmocka_unit_test(nominal_settled_times),
        cmocka_unit_test(scene_agrees_with_the_plan),
        cmocka_unit_test(plans_name_apps_of_the_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
