/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The shell's answers, and what its commands put on the screen. */
#include "rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NEWS "org.example.news/.FrontPage"

struct question {
    const char *command;
    int exit_code;
    const char *words; /* of the answer */
};

static void ask(struct rig *rig, const struct question *questions, size_t count)
{
    static char text[20000];
    for (size_t i = 0; i < count; i++) {
        const int exit_code = rig_shell(rig, text, sizeof text, "%s", questions[i].command);
        if (exit_code != questions[i].exit_code || !strstr(text, questions[i].words))
            fail_msg("%s: exit %d, \"%.300s\"", questions[i].command, exit_code, text);
    }
}

static void every_command_answers(void **state)
{
    (void)state;
    static const struct question questions[] = {
        {"dumpsys battery", 0, "\n  level: "},
        {"dumpsys battery", 0, "\n  temperature: "},
        {"dumpsys thermalservice", 0, "Thermal Status: 0\n"},
        {"dumpsys window", 0, "mCurrentFocus=Window{"},
        {"dumpsys window displays", 0, "mFocusedApp=ActivityRecord{"},
        {"dumpsys window", 0, "showing=false"},
        {"dumpsys package org.example.news", 0, "versionName="},
        {"dumpsys package org.example.news", 0, "lastUpdateTime=2024-"},
        {"dumpsys package dexopt", 0, "[status=speed-profile]"},
        {"dumpsys display", 0, "mActiveRenderFrameRate=120.0\n"},
        {"dumpsys display", 0, "fps=120.0"},
        {"settings get system screen_brightness", 0, "128\n"},
        {"settings get global window_animation_scale", 0, "1.0\n"},
        {"settings get global transition_animation_scale", 0, "1.0\n"},
        {"settings get global animator_duration_scale", 0, "1.0\n"},
        {"settings get global no_such_thing", 0, "null\n"},
        {"cmd uimode night", 0, "Night mode: no\n"},
        {"getprop ro.build.version.release", 0, "14\n"},
        {"getprop ro.build.version.sdk", 0, "34\n"},
        {"pm path org.example.news", 0, "package:/data/app/"},
        {"pm path org.nobody", 1, ""},
        {"sha256sum /nowhere", 1, "No such file"},
        {"pidof org.example.news", 1, ""},
        {"am force-stop org.nobody", 0, ""},
        {"am start -n org.touchstone.helper/.Button", 0, "Starting: Intent {"},
        {"input keyevent KEYCODE_WAKEUP", 0, ""},
        {"dumpsys package org.touchstone.helper", 0, "\n    versionCode=1 "},
        {"appops get org.touchstone.helper SYSTEM_ALERT_WINDOW", 0, "No operations.\n"},
        {"appops set org.touchstone.helper SYSTEM_ALERT_WINDOW allow", 0, ""},
        {"appops get org.touchstone.helper SYSTEM_ALERT_WINDOW", 0, "SYSTEM_ALERT_WINDOW: allow; "},
        {"shutdown", 127, "shutdown: inaccessible or not found"},
        {"am forcestop org.example.news", 127, "not found"},
        {"getproperty", 127, "not found"},
        {"", 127, "not found"},
        {"reboot", 0, ""}, /* the last: it answers nothing for a while */
    };
    struct rig rig;
    rig_open(&rig, 1, 14);
    ask(&rig, questions, sizeof questions / sizeof *questions);
    rig_close(&rig);
}

static void older_androids_answer_their_way(void **state)
{
    (void)state;
    static const struct question seven[] = {
        {"dumpsys thermalservice", 0, "Can't find service"},
        {"dumpsys window", 0, "mFocusedApp=AppWindowToken{"},
        {"dumpsys package dexopt", 0, "compilation_filter=speed-profile"},
        {"getprop ro.build.version.sdk", 0, "25\n"},
        {"pm path org.example.news", 0, "package:/data/app/org.example.news-1/base.apk\n"},
        {"dumpsys display", 0, "mActiveModeId=1"},
    };
    struct rig rig;
    rig_open(&rig, 1, 7);
    ask(&rig, seven, sizeof seven / sizeof *seven);
    rig_close(&rig);
}

static void sums_belong_to_files(void **state)
{
    (void)state;
    struct rig rig;
    char path[400], other[400], a[600], b[600];
    rig_open(&rig, 2, 14);
    rig_shell(&rig, path, sizeof path, "pm path org.example.news");
    rig_shell(&rig, other, sizeof other, "pm path org.example.mail");
    path[strcspn(path, "\n")] = other[strcspn(other, "\n")] = '\0';
    assert_int_equal(rig_shell(&rig, a, sizeof a, "sha256sum %s", path + 8), 0);
    assert_int_equal(strspn(a, "0123456789abcdef"), 64);
    rig_shell(&rig, b, sizeof b, "sha256sum '%s'", path + 8);
    assert_string_equal(a, b);
    rig_shell(&rig, b, sizeof b, "sha256sum %s", other + 8);
    assert_memory_not_equal(a, b, 64);
    rig_close(&rig);
}

/* The topmost element that is whole and there at this time. */
static const struct sim_element *front(const struct rig *rig, double width, double height)
{
    for (size_t i = rig->scene.count; i-- > 0;) {
        const struct sim_element *element = &rig->scene.elements[i];
        if (element->from_ns + element->fade_ns <= rig->now_ns && element->until_ns > rig->now_ns &&
            element->rect.w >= width && element->rect.h >= height)
            return element;
    }
    return NULL;
}

static void flash_fills_the_whole_display(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig, 3, 10);
    static const int levels[] = {0, 128, 255};
    for (int i = 0; i < 3; i++) {
        rig_shell(&rig, NULL, 0, "am start -n org.touchstone.helper/.Flash --ei level %d",
                  levels[i]);
        rig_run(&rig, 300);
        const struct sim_element *grey = front(&rig, 1, 1);
        assert_non_null(grey);
        assert_true(grey->paint == SIM_FILL && (int)grey->level == levels[i]);
    }
    rig_shell(&rig, NULL, 0, "am start -n org.touchstone.helper/.Button");
    rig_run(&rig, 300);
    assert_null(front(&rig, 1, 1));
    rig_close(&rig);
}

static void button_is_still_after_a_while(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig, 4, 14);
    rig_shell(&rig, NULL, 0, "input keyevent KEYCODE_HOME");
    rig_run(&rig, 1000);
    rig_shell(&rig, NULL, 0, "am start -n org.touchstone.helper/.Button");
    rig_run(&rig, 310);
    int clocks = 0;
    for (size_t i = 0; i < rig.scene.count; i++) {
        const struct sim_element *element = &rig.scene.elements[i];
        if (element->until_ns <= rig.now_ns)
            continue;
        assert_true(element->from_ns + element->fade_ns <= rig.now_ns);
        assert_int_equal(element->until_ns, SIM_FOREVER);
        clocks += element->paint == SIM_CLOCK;
        assert_int_equal(element->endless, element->paint == SIM_CLOCK);
    }
    assert_int_equal(clocks, 1);
    rig_close(&rig);
}

/* A long campaign does not pile up what nobody sees. */
static void scene_stays_small(void **state)
{
    (void)state;
    static struct rig rig;
    rig_open(&rig, 5, 14);
    for (int i = 0; i < 40; i++) {
        rig_launch(&rig, NEWS, SIM_FAULT_NONE);
        rig_shell(&rig, NULL, 0, "am force-stop org.example.news");
        assert_true(rig.scene.count < 80);
    }
    rig_close(&rig);
}

static void bad_configurations_are_refused(void **state)
{
    (void)state;
    struct sim_scene scene = {0};
    struct sim_phone *phone;
    struct ts_why why;
    struct sim_phone_config config = {.android = 9, .refresh_hz = 60};
    assert_int_equal(sim_phone_open(&config, &scene, &phone, &why), TS_EINVAL);
    assert_non_null(strstr(why.text, "android"));
    config.android = 10;
    config.refresh_hz = 0;
    assert_int_equal(sim_phone_open(&config, &scene, &phone, &why), TS_EINVAL);
    assert_null(phone);
    sim_phone_close(NULL);
    sim_scene_free(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_command_answers),
        cmocka_unit_test(older_androids_answer_their_way),
        cmocka_unit_test(sums_belong_to_files),
        cmocka_unit_test(flash_fills_the_whole_display),
        cmocka_unit_test(button_is_still_after_a_while),
        cmocka_unit_test(scene_stays_small),
        cmocka_unit_test(bad_configurations_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
