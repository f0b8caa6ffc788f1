/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the helper app does with orders and touches, told by its own bytecode. */
#include "drive.h"

#include "android/accessibility.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define LAUNCHER "act=android.intent.action.MAIN cat=android.intent.category.LAUNCHER "
#define MAIL     "cmp=org.example.mail/org.example.mail.InboxActivity"
#define GONE                                                                                       \
    "W Touchstone: android.content.ActivityNotFoundException: "                                    \
    "Unable to find explicit activity class {org.missing/org.missing.Gone}\n"

static void expect(const char *scenario, const char *expected)
{
    size_t size;
    char *text = drive(scenario, &size);
    assert_string_equal(text, expected);
    free(text);
}

static void button_starts_as_a_home_screen_does(void **state)
{
    (void)state;
    expect("button",
           "hears [org.touchstone.helper.NEXT, org.touchstone.helper.FINISH] from "
           "android.permission.DUMP\n"
           "background ff606060 bars 1706 screen on true focusable false sound false\n"
           /* Nothing is to be started: as when the touches are calibrated. */
           "I Touchstone: touch up 200 down 100\n"
           "NEXT taken\n"
           "I Touchstone: touch up 1400 down 1320\n"
           "Button starts " LAUNCHER "flg=0x10200000 " MAIL " bnds=[0,0][50,100]\n"
           "redrawn false\n"
           /* It starts once. */
           "I Touchstone: touch up 2100 down 2000\n"
           /* By the extra of am start. */
           "I Touchstone: touch up 3100 down 3000\n"
           "Button starts " LAUNCHER "flg=0x10200000 cmp=org.a/org.b.C bnds=[0,0][50,100]\n"
           "NEXT taken\n"
           "I Touchstone: touch up 4100 down 4000\n" GONE
           "W Touchstone: not a component: nonsense\n"
           "NEXT taken\n"
           "I Touchstone: touch up 5100 down 5000\n"
           "W Touchstone: not a component: null\n"
           "NEXT taken\n"
           "Activity starts " LAUNCHER "flg=0x50008000 " MAIL "\n"
           "FINISH taken\n" GONE "FINISH taken\n");
}

/* Level 0, 255, 96, beyond both ends, unsaid; its touches are not told. */
static void flash_has_the_level_asked_for(void **state)
{
    (void)state;
    expect("flash", "ff000000\nffffffff\nff606060\nff000000\nffffffff\nffffffff\n");
}

static void unknown_scenes_are_refused(void **state)
{
    (void)state;
    expect("refusal", "W Touchstone: there is no scene nothing\nfinished true\n"
                      "W Touchstone: there is no scene null\nfinished true\n");
}

/* The host reads the recorder's lines as it reads those of `uiautomator events`. */
static void recorder_speaks_the_hosts_language(void **state)
{
    (void)state;
    static const struct ts_accessibility_event expected[] = {
        {TS_ACCESSIBILITY_CLICKED, 387545686, "TYPE_VIEW_CLICKED", "org.example.mail",
         "android.widget.Button"},
        {TS_ACCESSIBILITY_WINDOW, 387545700, "TYPE_WINDOW_STATE_CHANGED", "org.example.mail",
         "org.example.mail.InboxActivity"},
        {TS_ACCESSIBILITY_CONTENT, 5000000000, "TYPE_WINDOW_CONTENT_CHANGED", "", ""},
    };
    static const char tag[] = "I TouchstoneEvent: ";
    size_t size;
    char *text = drive("events", &size), *line = text;
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct ts_accessibility_event event;
        char *end = strchr(line, '\n');
        assert_non_null(end);
        assert_memory_equal(line, tag, sizeof tag - 1);
        line += sizeof tag - 1;
        assert_int_equal(ts_accessibility_parse(line, (size_t)(end - line), &event), 0);
        assert_int_equal(event.kind, expected[i].kind);
        assert_int_equal(event.uptime_ms, expected[i].uptime_ms);
        assert_string_equal(event.type, expected[i].type);
        assert_string_equal(event.package, expected[i].package);
        assert_string_equal(event.class_name, expected[i].class_name);
        line = end + 1;
    }
    assert_int_equal(*line, '\0');
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(button_starts_as_a_home_screen_does),
        cmocka_unit_test(flash_has_the_level_asked_for),
        cmocka_unit_test(unknown_scenes_are_refused),
        cmocka_unit_test(recorder_speaks_the_hosts_language),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
