/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two builds of one app in one campaign: which block comes when, and what is installed before it.
 */
#include "stage.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define INSTALL_A "shell pm install -r -t -d /data/local/tmp/touchstone-build-0.apk"
#define INSTALL_B "shell pm install -r -t -d /data/local/tmp/touchstone-build-1.apk"

/* Builds A and B of one package; the phone says Success. */
static void two_builds(struct stage *stage)
{
    stage_plan(stage);
    for (int i = 0; i < 2; i++) {
        struct ts_plan_app *app = &stage->plan.apps[i];
        free(app->name);
        free(app->component);
        app->name = strdup(i ? "Mail (B)" : "Mail (A)");
        app->component = strdup("a.mail/.Main");
        app->build = strdup(i ? "B" : "A");
        app->apk = strdup(i ? "b.apk" : "a.apk");
    }
    stage->plan.order = TS_ORDER_COUNTERBALANCED;
    stage->plan.launches = 4;
    stage->plan.block = 2;
    stage->plan.warm_up = 1;
    stage->answers[1].shell = "pm install";
    stage->answers[1].text = "Success\n";
}

/* Letters of the builds in their order; lower case: that launch was preceded by an install. */
static void letters(struct stage *stage, char *out)
{
    size_t count = 0;
    int err = stage_part(stage); /* what the instrument learns */
    while (!err && !(err = stage_part(stage))) {
        const int part = ts_control_part(stage->control);
        const char *build = ts_control_intent(stage->control)->conditions.build;
        const bool installed = stage_said(stage, part, *build == 'A' ? INSTALL_A : INSTALL_B);
        assert_false(stage_said(stage, part, *build == 'A' ? INSTALL_B : INSTALL_A));
        out[count++] = (char)(*build + (installed ? 'a' - 'A' : 0));
    }
    out[count] = '\0';
    assert_int_equal(err, TS_EOF);
}

/* Each block of two has a warm-up of its own, and begins with an install: ABBA or BAAB. */
static void every_block_begins_with_its_install(void **state)
{
    int begins_with_a = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        struct stage stage;
        char order[32];
        two_builds(&stage);
        stage_open(&stage, seed, 0);
        letters(&stage, order);
        const bool a = strcmp(order, "aAAbBBbBBaAA") == 0;
        if (!a && strcmp(order, "bBBaAAaAAbBB") != 0)
            fail_msg("seed %d: %s", (int)seed, order);
        begins_with_a += a;
        stage_close(&stage);
    }
    assert_in_range(begins_with_a, 1, 11);
}

static void interleaved_blocks_take_turns(void **state)
{
    struct stage stage;
    char order[32];
    (void)state;
    two_builds(&stage);
    stage.plan.order = TS_ORDER_INTERLEAVED;
    stage.plan.warm_up = 0;
    stage.plan.launches = 3; /* the last block is shorter */
    stage_open(&stage, 1, 0);
    assert_int_equal(ts_plan_total(&stage.plan), 6);
    letters(&stage, order);
    assert_string_equal(order, "aAbBab");
    stage_close(&stage);
}

static void warm_up_is_each_blocks_own(void **state)
{
    static const bool warms_up[] = {true, false, false, true, false, false};
    struct stage stage;
    (void)state;
    two_builds(&stage);
    assert_int_equal(ts_plan_total(&stage.plan), 12);
    for (int nth = 0; nth < 6; nth++)
        assert_int_equal(ts_plan_warms_up(&stage.plan, nth), warms_up[nth]);
    ts_plan_free(&stage.plan);
    stage_plan(&stage); /* the same app all along: once */
    stage.plan.launches = 4;
    stage.plan.block = 2;
    stage.plan.warm_up = 1;
    assert_int_equal(ts_plan_total(&stage.plan), 10);
    for (int nth = 0; nth < 5; nth++)
        assert_int_equal(ts_plan_warms_up(&stage.plan, nth), nth == 0);
    ts_plan_free(&stage.plan);
}

static void clean_removes_first_and_compiles_after(void **state)
{
    struct stage stage;
    (void)state;
    two_builds(&stage);
    stage.plan.order = TS_ORDER_INTERLEAVED;
    stage.plan.reinstall = TS_REINSTALL_CLEAN;
    stage.plan.care.compile = TS_COMPILE_SPEED;
    stage_open(&stage, 1, 0);
    assert_int_equal(stage_part(&stage), TS_OK);
    assert_false(stage_said(&stage, 0, "shell cmd package compile -f -m speed a.mail"));
    assert_int_equal(stage_part(&stage), TS_OK);
    char *text = stage_text(&stage, 1);
    assert_non_null(strstr(text, "shell pm uninstall a.mail\n"
                                 "shell pm install -r -t -d -g "
                                 "/data/local/tmp/touchstone-build-0.apk\n"
                                 "shell cmd package compile -f -m speed a.mail\n"));
    free(text);
    stage_close(&stage);
}

static void expect_stop(const char *answer, const char *apk, const char *said)
{
    struct stage stage;
    two_builds(&stage);
    stage.answers[1].text = answer;
    stage_open(&stage, 1, 0);
    assert_int_equal(stage_part(&stage), TS_OK);
    assert_int_equal(stage_part(&stage), TS_EIO);
    if (!strstr(stage.why.text, said) || !strstr(stage.why.text, apk))
        fail_msg("%s", stage.why.text);
    stage_close(&stage);
}

static void a_build_that_cannot_be_installed_ends_it(void **state)
{
    (void)state;
    expect_stop("Failure [INSTALL_FAILED_INSUFFICIENT_STORAGE]\n", ".apk",
                "Failure [INSTALL_FAILED_INSUFFICIENT_STORAGE]; see to it");
    expect_stop("\tpkg: /data/local/tmp/x\nFailure [INSTALL_FAILED_VERSION_DOWNGRADE: older]\n",
                ".apk", "say reinstall: clean");
    expect_stop("", ".apk", "does not say why");
}

/* The phone goes away in the middle: it is awaited and the install done again, a few times. */
static void an_install_that_broke_off_is_done_again(void **state)
{
    struct stage stage;
    (void)state;
    two_builds(&stage);
    stage_open(&stage, 1, 0);
    assert_int_equal(stage_part(&stage), TS_OK);
    stage.fault = TS_FAULT_PHONE_LOST;
    stage.shell_status = TS_EIO;
    assert_int_equal(stage_part(&stage), TS_EIO);
    assert_true(strstr(stage.why.text, "cannot be installed") ||
                strstr(stage.why.text, "does not answer"));
    stage_close(&stage);
}

/* With the same sum on the phone there is nothing to compare. */
static void builds_that_are_one_end_it(void **state)
{
    static const char sum[] =
        "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff  x\n";
    struct stage stage;
    int err;
    (void)state;
    two_builds(&stage);
    stage.answers[2].shell = "sha256sum";
    stage.answers[2].text = sum;
    stage_open(&stage, 1, 0);
    while (!(err = stage_part(&stage)))
        assert_true(ts_control_part(stage.control) <= 4); /* the second block begins with it */
    assert_int_equal(err, TS_EPROTO);
    assert_non_null(strstr(stage.why.text, "are the same on the phone"));
    stage_close(&stage);
}

static struct ts_result finished(int launch)
{
    struct ts_result result = {.launch = launch};
    result.conditions.refresh_before_hz = 60;
    return result;
}

/* A control that goes on in the middle of a block installs nothing, one at its beginning does. */
static void going_on_knows_what_is_installed(void **state)
{
    (void)state;
    for (int before = 1; before <= 3; before++) {
        struct stage stage;
        two_builds(&stage);
        stage.plan.order = TS_ORDER_INTERLEAVED;
        stage_open(&stage, 1, 0);
        for (int launch = 0; launch <= before; launch++) {
            const struct ts_result result = finished(launch);
            ts_control_take_over(stage.control, &result);
        }
        assert_int_equal(stage_part(&stage), TS_OK);
        assert_int_equal(stage_said(&stage, before + 1, INSTALL_A), false);
        assert_int_equal(stage_said(&stage, before + 1, INSTALL_B), before == 3);
        stage_close(&stage);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_block_begins_with_its_install),
        cmocka_unit_test(interleaved_blocks_take_turns),
        cmocka_unit_test(warm_up_is_each_blocks_own),
        cmocka_unit_test(clean_removes_first_and_compiles_after),
        cmocka_unit_test(a_build_that_cannot_be_installed_ends_it),
        cmocka_unit_test(an_install_that_broke_off_is_done_again),
        cmocka_unit_test(builds_that_are_one_end_it),
        cmocka_unit_test(going_on_knows_what_is_installed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
