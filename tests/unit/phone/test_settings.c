/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Settings are saved before they are changed, and come back whatever happens in between. */
#include "control/phone.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#define KEYS 60

/* A phone that knows `settings get|put|delete` and refuses everything else. */
struct shelf {
    char key[KEYS][80], value[KEYS][1000];
    int count;
    int commands, dies_after; /* so many commands are answered; -1: all */
    const char *refused;      /* this key cannot be put; NULL: all can */
};

static char *find(struct shelf *shelf, const char *key)
{
    for (int i = 0; i < shelf->count; i++) {
        if (strcmp(shelf->key[i], key) == 0)
            return shelf->value[i];
    }
    assert_true(shelf->count < KEYS);
    snprintf(shelf->key[shelf->count], sizeof shelf->key[0], "%s", key);
    strcpy(shelf->value[shelf->count], "null");
    return shelf->value[shelf->count++];
}

static int answer(struct shelf *shelf, const char *command, char *text, size_t size)
{
    char verb[16], space[16], key[64], value[1000] = "";
    *text = '\0';
    if (sscanf(command, "settings %15s %15s %63s %999s", verb, space, key, value) < 3)
        return 127;
    char *kept = find(shelf, key);
    if (strcmp(verb, "get") == 0)
        snprintf(text, size, "%s\n", kept);
    else if (!shelf->refused || strcmp(shelf->refused, key) != 0)
        snprintf(kept, sizeof shelf->value[0], "%s", strcmp(verb, "put") ? "null" : value);
    return 0;
}

/* False: the phone died in the middle. */
static bool run(struct shelf *shelf, enum ts_phone_task task, struct ts_phone *phone)
{
    struct ts_care care;
    char command[1000], text[1100];
    ts_care_defaults(&care);
    ts_phone_begin(phone, task, &care);
    while (ts_phone_next(phone, command, sizeof command)) {
        if (shelf->dies_after >= 0 && shelf->commands >= shelf->dies_after)
            return false;
        shelf->commands++;
        const int code = answer(shelf, command, text, sizeof text);
        ts_phone_answer(phone, TS_OK, code, text);
    }
    return true;
}

static void owners(struct shelf *shelf)
{
    *shelf = (struct shelf){.dies_after = -1};
    strcpy(find(shelf, "screen_off_timeout"), "60000");
    strcpy(find(shelf, "accelerometer_rotation"), "1");
    strcpy(find(shelf, "stay_on_while_plugged_in"), "0");
    strcpy(find(shelf, "zen_mode"), "2");
}

static void assert_owners(struct shelf *shelf)
{
    assert_string_equal(find(shelf, "screen_off_timeout"), "60000");
    assert_string_equal(find(shelf, "accelerometer_rotation"), "1");
    assert_string_equal(find(shelf, "stay_on_while_plugged_in"), "0");
    assert_string_equal(find(shelf, "hide_error_dialogs"), "null");
    assert_string_equal(find(shelf, "touchstone_before"), "null");
}

static void test_there_and_back(void **state)
{
    struct shelf shelf;
    struct ts_phone phone;
    (void)state;
    owners(&shelf);
    assert_true(run(&shelf, TS_PHONE_SETUP, &phone));
    assert_int_equal(phone.finding_count, 0);
    assert_string_equal(find(&shelf, "screen_off_timeout"), "1800000");
    assert_string_equal(find(&shelf, "hide_error_dialogs"), "1");
    assert_true(run(&shelf, TS_PHONE_SETUP, &phone));
    assert_int_equal(phone.changed, 0);
    assert_true(run(&shelf, TS_PHONE_RESTORE, &phone));
    assert_owners(&shelf);
}

/* Cut off after any command, set up again or not: a restore brings everything back. */
static void test_cut_off(void **state)
{
    struct shelf shelf;
    struct ts_phone phone;
    (void)state;
    int cuts = 0;
    for (int after = 0; after < 200; after++) {
        owners(&shelf);
        shelf.dies_after = after;
        if (run(&shelf, TS_PHONE_SETUP, &phone))
            break;
        cuts++;
        shelf.dies_after = -1;
        if (after % 2)
            assert_true(run(&shelf, TS_PHONE_SETUP, &phone));
        /* The restore is cut off too, and done again. */
        shelf.commands = 0;
        shelf.dies_after = after;
        if (!run(&shelf, TS_PHONE_RESTORE, &phone)) {
            shelf.dies_after = -1;
            assert_true(run(&shelf, TS_PHONE_RESTORE, &phone));
        }
        assert_owners(&shelf);
    }
    assert_true(cuts > 30);
}

static void test_refused(void **state)
{
    struct shelf shelf;
    struct ts_phone phone;
    (void)state;
    owners(&shelf);
    shelf.refused = "accelerometer_rotation";
    assert_true(run(&shelf, TS_PHONE_SETUP, &phone));
    assert_int_equal(phone.finding_count, 1);
    assert_string_equal(phone.findings[0].what, "accelerometer_rotation");
    assert_string_equal(phone.findings[0].is, "1");
    assert_string_equal(phone.findings[0].wanted, "0");
}

/* What a phone says never becomes a command. */
static void test_hostile(void **state)
{
    struct shelf shelf;
    struct ts_phone phone;
    (void)state;
    owners(&shelf);
    strcpy(find(&shelf, "screen_off_timeout"), "1;reboot");
    strcpy(find(&shelf, "touchstone_before"), "user_rotation=1$(reboot),accelerometer_rotation=1");
    assert_true(run(&shelf, TS_PHONE_RESTORE, &phone));
    assert_string_equal(find(&shelf, "user_rotation"), "null");
    assert_string_equal(find(&shelf, "accelerometer_rotation"), "1");
    assert_string_equal(find(&shelf, "screen_off_timeout"), "1;reboot");
}

static void test_helper_version(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int version;
    } table[] = {
        {"Unable to find package: org.touchstone.helper\n", 0},
        {"", 0},
        {"Packages:\n  Package [org.touchstone.helper] (5f1c0de):\n    userId=10180\n"
         "    versionCode=7 minSdk=24 targetSdk=29\n    versionName=1.0\n",
         7},
        {"Packages:\n  Package [org.other] (5f1c0de):\n    versionCode=7 minSdk=24\n", 0},
        {"Packages:\n  Package [org.touchstone.helper] (5f1c0de):\n    userId=10180\n", 0},
        {"Packages:\n  Package [org.touchstone.helper] (5f1c0de):\n"
         "    versionCode=99999999999999999999 minSdk=24\n",
         INT_MAX},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        assert_int_equal(ts_phone_helper_version(table[i].text), table[i].version);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_helper_version), cmocka_unit_test(test_there_and_back),
        cmocka_unit_test(test_cut_off),        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_hostile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
