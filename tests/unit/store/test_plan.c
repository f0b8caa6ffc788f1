/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "examples.h"

#include "store/plan_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define APPS "apps:\n  - {name: Mail, component: com.mail/.Main}\n"

static void test_every_key(void **state)
{
    static const char text[] = "name: night run\n"
                               "apps:\n"
                               "  - name: Mail\n"
                               "    component: com.mail/.Main\n"
                               "  - {name: \"M\xc3\xbcsik\", component: org.music/.ui.Start}\n"
                               "launches: 20\nwarm_up: 0\nstart: warm\norder: shuffled\n"
                               "keep_video: none\nplate_taps: 0\nquiet_ms: 900.5\n"
                               "timeout_ms: 8000\nphone: none\n"
                               "bench:\n  faults: 0.1\n  phone: slow\n";
    struct ts_plan plan;
    struct ts_why why = {""};
    (void)state;
    if (ts_plan_parse(text, sizeof text - 1, &plan, &why))
        fail_msg("%s", why.text);
    assert_string_equal(plan.name, "night run");
    assert_int_equal(plan.app_count, 2);
    assert_string_equal(plan.apps[1].name, "M\xc3\xbcsik");
    assert_string_equal(plan.apps[1].component, "org.music/.ui.Start");
    assert_int_equal(plan.launches, 20);
    assert_int_equal(plan.warm_up, 0);
    assert_int_equal(plan.start, TS_START_WARM);
    assert_int_equal(plan.order, TS_ORDER_SHUFFLED);
    assert_int_equal(plan.keep_video, TS_VIDEO_NONE);
    assert_int_equal(plan.plate_taps, 0);
    assert_true(plan.quiet_ms == 900.5 && plan.timeout_ms == 8000);
    assert_string_equal(plan.phone, "none");
    assert_string_equal(plan.bench_options, "faults=0.1,phone=slow");
    ts_plan_free(&plan);
}

static void test_defaults(void **state)
{
    struct ts_plan plan, defaults;
    struct ts_why why = {""};
    (void)state;
    ts_plan_defaults(&defaults);
    assert_int_equal(ts_plan_parse(APPS, sizeof APPS - 1, &plan, &why), 0);
    assert_int_equal(plan.launches, defaults.launches);
    assert_int_equal(plan.plate_taps, defaults.plate_taps);
    assert_int_equal(plan.start, defaults.start);
    assert_true(plan.quiet_ms == defaults.quiet_ms);
    assert_string_equal(plan.phone, "auto");
    assert_string_equal(plan.bench_options, "");
    assert_non_null(plan.name);
    ts_plan_free(&plan);
}

#define BUILD(name, more) "  - {name: Mail, build: " name ", component: com.mail/.Main" more "}\n"

static void test_builds(void **state)
{
    static const char text[] = "apps:\n" BUILD("A", ", apk: out/a.apk")
        BUILD("B", ", apk: b.apk") "order: counterbalanced\nblock: 5\nreinstall: clean\nwarm_up: "
                                   "1\nlaunches: 12\n";
    struct ts_plan plan;
    struct ts_why why = {""};
    char app[32];
    (void)state;
    if (ts_plan_parse(text, sizeof text - 1, &plan, &why))
        fail_msg("%s", why.text);
    assert_string_equal(plan.apps[1].name, "Mail (B)");
    assert_string_equal(plan.apps[1].build, "B");
    assert_string_equal(plan.apps[0].apk, "out/a.apk");
    assert_int_equal(plan.order, TS_ORDER_COUNTERBALANCED);
    assert_int_equal(plan.block, 5);
    assert_int_equal(plan.reinstall, TS_REINSTALL_CLEAN);
    assert_int_equal(ts_plan_per_app(&plan), 12 + 3);
    ts_plan_plain_app("Mail (B)", "B", app, sizeof app);
    assert_string_equal(app, "Mail");
    ts_plan_plain_app("Mail (B)", "", app, sizeof app);
    assert_string_equal(app, "Mail (B)");
    ts_plan_plain_app(" (B)", "B", app, sizeof app);
    assert_string_equal(app, " (B)");
    ts_plan_free(&plan);
}

static void test_meters(void **state)
{
    static const char text[] =
        APPS "meters: [energy, cpu, network]\nshunt_mohm: 20\nshunt_percent: 0.5\n";
    struct ts_plan plan;
    struct ts_why why = {""};
    (void)state;
    assert_int_equal(ts_plan_parse(APPS, sizeof APPS - 1, &plan, &why), 0);
    assert_int_equal(plan.meters, 0);
    assert_true(plan.shunt_mohm == 10 && plan.shunt_percent == 1);
    ts_plan_free(&plan);
    if (ts_plan_parse(text, sizeof text - 1, &plan, &why))
        fail_msg("%s", why.text);
    assert_int_equal(plan.meters, TS_METER_ENERGY | TS_METER_CPU | TS_METER_NETWORK);
    assert_true(plan.shunt_mohm == 20 && plan.shunt_percent == 0.5);
    ts_plan_free(&plan);
}

static void test_errors_name_key_and_line(void **state)
{
    static const struct {
        const char *text, *key, *line;
    } cases[] = {
        {APPS "lunches: 3\n", "lunches", "line 3"},
        {APPS "launches: many\n", "launches", "line 3"},
        {APPS "launches: [1]\n", "launches", "line 3"},
        {APPS "name: x\nstart: icy\n", "start", "line 4"},
        {APPS "start: 7\n", "start", "line 3"},
        {APPS "meters: [energy, watts]\n", "meters", "line 3"},
        {APPS "shunt_mohm: 0\n", "shunt_mohm", ""},
        {APPS "shunt_percent: 30\n", "shunt_percent", ""},
        {APPS "quiet_ms: {}\n", "quiet_ms", "line 3"},
        {"apps:\n  - {name: Mail}\n", "component", ""},
        {"apps:\n  - {name: Mail, component: com.mail/.Main, icon: x}\n", "icon", "line 2"},
        {"apps: Mail\n", "apps", "line 1"},
        {"apps: []\n", "apps", ""},
        {"launches: 3\n", "apps", ""},
        {APPS "launches: 3\nlaunches: 4\n", "launches", "line 4"},
        {APPS "bench: 7\n", "bench", "line 3"},
        {APPS "bench:\n  a: 1\n  b: [x]\n", "bench", "line 5"},
        {APPS "bench: {a: \"1,2\"}\n", "bench", "line 3"},
        {APPS "name: \"a\\0b\"\n", "zero", "line 3"},
        {APPS "name: &a x\nphone: *a\n", "alias", "line 4"},
        {APPS "  bad: [\n", "YAML", "line"},
        {APPS "---\n" APPS, "one YAML document", "line"},
        {"- a\n", "mapping", "line 1"},
        {"", "mapping", ""},
        {APPS "launches: 100000\n", "launches", ""},
        {"apps:\n" BUILD("A", ", apk: a.apk") BUILD("A", ", apk: b.apk"), "or their builds", ""},
        {"apps:\n" BUILD("A", ", apk: a.apk") BUILD("B", ""), "give each its apk", ""},
        {"apps:\n  - {name: Mail, component: com.mail/.Main, apk: a.apk}\n", "needs a name", ""},
        {"apps:\n" BUILD("\"A)\"", ", apk: a.apk"), "without brackets", ""},
        {APPS "block: 11\n", "block", ""},
        {APPS "block: 2\norder: sequential\n", "sequential", ""},
        {APPS "reinstall: perhaps\n", "reinstall", "line 3"},
        {"apps:\n" BUILD("A", ", apk: a.apk") "repeats: 1\n", "repeats", ""},
        {"apps:\n" BUILD("A", ", apk: a.apk") "warm_up: 2000000000\n", "warm_up", ""},
        {APPS "quiet_ms: nan\n", "quiet_ms", ""},
        {"apps: [{name: x, component: \"a.b/.C; reboot\"}]\n", "component", ""},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ts_plan plan;
        struct ts_why why = {""};
        const int err = ts_plan_parse(cases[i].text, strlen(cases[i].text), &plan, &why);
        if (err >= 0 || !strstr(why.text, cases[i].key) || !strstr(why.text, cases[i].line))
            fail_msg("%s-> %d \"%s\"", cases[i].text, err, why.text);
        assert_null(plan.apps);
    }
}

static void test_loading_names_the_file(void **state)
{
    char folder[64], path[128];
    struct ts_plan plan;
    struct ts_why why = {""};
    char *text;
    (void)state;
    example_folder(folder);
    snprintf(path, sizeof path, "%s/plan.yaml", folder);
    assert_int_equal(ts_plan_load(path, &plan, NULL, &why), TS_EIO);
    assert_non_null(strstr(why.text, path));
    FILE *file = fopen(path, "wb");
    fputs(APPS "# kept\n", file);
    fclose(file);
    assert_int_equal(ts_plan_load(path, &plan, &text, &why), 0);
    assert_string_equal(text, APPS "# kept\n");
    free(text);
    ts_plan_free(&plan);
    file = fopen(path, "wb");
    fputs(APPS "lunches: 3\n", file);
    fclose(file);
    assert_int_equal(ts_plan_load(path, &plan, &text, &why), TS_EPROTO);
    assert_non_null(strstr(why.text, path));
    assert_non_null(strstr(why.text, "lunches"));
    example_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_key),
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_builds),
        cmocka_unit_test(test_meters),
        cmocka_unit_test(test_errors_name_key_and_line),
        cmocka_unit_test(test_loading_names_the_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
