/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The plan's actions, and what a phone says of heat and clocks. */
#include "android/thermal.h"
#include "model/care.h"

#include <setjmp.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

static void test_list(void **state)
{
    struct ts_action list[TS_ACTIONS_MAX];
    struct ts_why why = {""};
    (void)state;
    const int count = ts_actions_parse("print a b\nsleep 1.5; kill_background\n"
                                       "cool_down 40 36 300\nfile_write /proc/x/y 1 2",
                                       list, &why);
    assert_int_equal(count, 5);
    assert_string_equal(list[0].text, "a b");
    assert_true(list[1].number[0] > 1.49 && list[1].number[0] < 1.51);
    assert_int_equal(list[2].kind, TS_ACTION_KILL_BACKGROUND);
    assert_true(list[3].number[1] > 35 && list[3].number[2] > 299);
    assert_string_equal(list[4].path, "/proc/x/y");
    assert_string_equal(list[4].text, "1 2");
    assert_int_equal(ts_actions_parse(NULL, list, &why), 0);
    assert_int_equal(ts_actions_parse("", list, &why), 0);
}

/* Which actions are done, as a text of their kinds' numbers. */
static void walk(const struct ts_action *list, int count, bool holds, char *done)
{
    for (int i = 0; i < count;) {
        const struct ts_action *action = &list[i];
        const bool conditional = action->kind >= TS_ACTION_IF_ROOTED;
        if (!conditional)
            *done++ = (char)('0' + (int)action->kind);
        if (conditional && holds == action->negated)
            i += 1 + action->skip;
        else
            i += 1 + (action->skips_else ? action->skip_after : 0);
    }
    *done = '\0';
}

static void test_conditional(void **state)
{
    struct ts_action list[TS_ACTIONS_MAX];
    struct ts_why why = {""};
    char done[TS_ACTIONS_MAX];
    (void)state;
    int count = ts_actions_parse("if rooted: print a; sleep 1 else: warm_up 3; kill_background\n"
                                 "print z",
                                 list, &why);
    assert_int_equal(count, 6);
    walk(list, count, true, done);
    assert_string_equal(done, "010");
    walk(list, count, false, done);
    assert_string_equal(done, "250");
    count = ts_actions_parse("if not hotter 40: sleep 1\nprint z", list, &why);
    walk(list, count, true, done);
    assert_string_equal(done, "0");
    walk(list, count, false, done);
    assert_string_equal(done, "10");
}

static void test_refused(void **state)
{
    static const char *const wrong[] = {"dance",
                                        "sleep",
                                        "sleep -1",
                                        "sleep 1 2",
                                        "warm_up 11",
                                        "cool_down 36 40 10",
                                        "cool_down 40",
                                        "print",
                                        "print a'b",
                                        "print $(reboot)",
                                        "file_write x y",
                                        "file_write /a;b c",
                                        "if: sleep 1",
                                        "if rooted sleep 1",
                                        "if rooted: else: sleep 1",
                                        "if moon: sleep 1",
                                        "sleep 1 else: sleep 2",
                                        "file_write /a"};
    struct ts_action list[TS_ACTIONS_MAX];
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct ts_why why = {""};
        if (ts_actions_parse(wrong[i], list, &why) != TS_EPROTO || !why.text[0])
            fail_msg("\"%s\" was taken", wrong[i]);
    }
    char many[TS_ACTIONS_MAX * 10 + 20] = "";
    for (int i = 0; i <= TS_ACTIONS_MAX; i++)
        strcat(many, "sleep 1\n");
    struct ts_why why = {""};
    assert_int_equal(ts_actions_parse(many, list, &why), TS_EPROTO);
}

static void test_thermal(void **state)
{
    (void)state;
    assert_true(isnan(ts_thermal_read_skin_c("")));
    const double skin_c =
        ts_thermal_read_skin_c("\tTemperature{mValue=31.4, mType=3, mName=skin, mStatus=0}\n"
                               "\tTemperature{mValue=29.8, mType=2, mName=battery, mStatus=0}\n"
                               "\tTemperature{mValue=33.5, mType=3, mName=skin, mStatus=0}\n");
    assert_true(skin_c > 33.4 && skin_c < 33.6);
    assert_int_equal(ts_thermal_at_full_clock("1804800\n2841600\nmax\n1804800\n2841600\n"), 1);
    assert_int_equal(ts_thermal_at_full_clock("1804800\n940800\nmax\n1804800\n2841600\n"), 0);
    assert_int_equal(ts_thermal_at_full_clock("cat: no such file\nmax\n"), -1);
    assert_int_equal(ts_thermal_at_full_clock(""), -1);
    double now_mhz, most_mhz;
    ts_thermal_read_clocks("Thermal Status: 0\nclocks\n300000\n1555200\nmost\n1804800\n2841600\n",
                           &now_mhz, &most_mhz);
    assert_true(now_mhz > 1555.1 && now_mhz < 1555.3 && most_mhz > 2841.5 && most_mhz < 2841.7);
    ts_thermal_read_clocks("clocks\ncat: no such file\nmost\n1804800\n", &now_mhz, &most_mhz);
    assert_true(isnan(now_mhz) && most_mhz > 1804.7);
    ts_thermal_read_clocks("Can't find service: thermalservice\n1\n", &now_mhz, &most_mhz);
    assert_true(isnan(now_mhz) && isnan(most_mhz));
    assert_true(ts_thermal_is_charging("  status: 2\n"));
    assert_true(ts_thermal_is_charging("  status: 5\n"));
    assert_false(ts_thermal_is_charging("  status: 3\n"));
    assert_false(ts_thermal_is_charging("  status: 21\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_conditional),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_thermal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
