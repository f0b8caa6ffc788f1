/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Launches without faults: start types, what each Android prints, decoys, determinism, clocks. */
#include "rig.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAIL     "org.example.mail/.InboxActivity"
#define BANK     "org.example.bank/.SplashActivity"
#define RAIL     "org.example.rail/.StartActivity"
#define ANDROIDS 3
static const int androids[ANDROIDS] = {7, 10, 14};

static const char *server_tag(int android)
{
    return android >= 10 ? "ActivityTaskManager: " : "ActivityManager: ";
}

/* The line's writer is system_server: user 1000 and its pid. */
static bool by_server(struct rig *rig, int line)
{
    char pid[20];
    assert_int_equal(rig_shell(rig, pid, sizeof pid, "pidof system_server"), 0);
    long long seconds, micros;
    int uid = -1, writer = -1;
    return sscanf(rig->lines[line], "%lld.%lld %d %d", &seconds, &micros, &uid, &writer) == 4 &&
           uid == 1000 && writer == atoi(pid);
}

static int server_line(struct rig *rig, const char *a, const char *b)
{
    int line = rig_line(rig, rig->mark, a, b);
    while (line >= 0 && !by_server(rig, line))
        line = rig_line(rig, line + 1, a, b);
    return line;
}

static double printed_ms(const char *line)
{
    const char *plus = strrchr(line, ':') + 2;
    int seconds = 0, ms = 0;
    if (sscanf(plus, "+%ds%dms", &seconds, &ms) == 2)
        return 1000.0 * seconds + ms;
    assert_int_equal(sscanf(plus, "+%dms", &ms), 1);
    return ms;
}

static void cold_start_prints_everything(void **state)
{
    (void)state;
    for (int i = 0; i < ANDROIDS; i++) {
        struct rig rig;
        rig_open(&rig, 11, androids[i]);
        const struct sim_phone_truth truth = rig_launch(&rig, MAIL, SIM_FAULT_NONE);
        assert_string_equal(truth.start_type, "cold");
        assert_string_equal(truth.component, MAIL);
        const bool new = androids[i] >= 11;
        const int start = server_line(&rig, "START u0 {", "cmp=" MAIL);
        assert_true(start >= 0);
        assert_non_null(strstr(rig.lines[start], "from uid 10211"));
        assert_int_equal(strstr(rig.lines[start], "result code=0") != NULL, androids[i] == 14);
        assert_true(server_line(&rig, "am_proc_start", ",org.example.mail,") >= 0);
        assert_true(server_line(&rig, "ActivityManager: Start proc", ":org.example.mail/u0a") >= 0);
        assert_true(server_line(&rig, "am_proc_bound", ",org.example.mail]") >= 0);
        assert_true(server_line(&rig, new ? "wm_create_activity" : "am_create_activity", MAIL) >=
                    0);
        assert_true(
            server_line(&rig, new ? "wm_activity_launch_time: [0," : "am_activity_launch_time: [0,",
                        MAIL) >= 0);
        assert_true(rig_has(&rig, new ? "wm_on_resume_called" : "am_on_resume_called",
                            "org.example.mail.InboxActivity"));
        assert_int_equal(rig_has(&rig, "input_focus: [Focus entering", "org.example.mail"),
                         androids[i] == 14);
        const int shown = server_line(&rig, server_tag(androids[i]), "Displayed " MAIL);
        assert_true(shown >= 0);
        assert_int_equal(strstr(rig.lines[shown], " for user 0: ") != NULL, androids[i] == 14);
        assert_true(fabs(printed_ms(rig.lines[shown]) - truth.displayed_ms) < 1e-9);
        assert_true(server_line(&rig, "Fully drawn " MAIL ": +", "") > shown);
        /* The duration ends before the line is written, by some milliseconds. */
        const double lag_ms =
            (double)(rig_stamp_ns(&rig, shown) - sim_phone_real(rig.phone, truth.start_ns)) /
                TS_NS_PER_MS -
            truth.displayed_ms;
        assert_true(lag_ms > 0 && lag_ms < 20);
        rig_close(&rig);
    }
}

static void hot_start_prints_no_displayed(void **state)
{
    (void)state;
    for (int i = 0; i < ANDROIDS; i++) {
        struct rig rig;
        rig_open(&rig, 12, androids[i]);
        rig_launch(&rig, MAIL, SIM_FAULT_NONE);
        rig_shell(&rig, NULL, 0, "input keyevent KEYCODE_HOME");
        rig_run(&rig, 500);
        const struct sim_phone_truth truth = rig_launch(&rig, MAIL, SIM_FAULT_NONE);
        assert_string_equal(truth.start_type, "hot");
        assert_true(server_line(&rig, "Displayed " MAIL, "") < 0 ||
                    server_line(&rig, "START u0", MAIL) > server_line(&rig, "Displayed " MAIL, ""));
        assert_true(server_line(&rig, "am_proc_start", ",org.example.mail,") < 0);
        assert_true(server_line(&rig, "_resume_activity", MAIL) >= 0);
        assert_true(server_line(&rig, "_create_activity", MAIL) < 0);
        assert_true(server_line(&rig, "_task_to_front", "") >= 0);
        rig_close(&rig);
    }
}

/* The helper does not hear it, and the app stays as it is. */
static void order_to_nobody_is_lost_since_android_8(void **state)
{
    (void)state;
    for (int i = 0; i < ANDROIDS; i++) {
        struct rig rig;
        rig_open(&rig, 17, androids[i]);
        rig_launch(&rig, MAIL, SIM_FAULT_NONE);
        rig_shell(&rig, NULL, 0, "input keyevent KEYCODE_HOME");
        rig_shell(&rig, NULL, 0,
                  "am broadcast -a org.touchstone.helper.FINISH --es component " MAIL);
        const struct sim_phone_truth truth = rig_launch(&rig, MAIL, SIM_FAULT_NONE);
        assert_string_equal(truth.start_type, androids[i] < 8 ? "warm" : "hot");
        rig_close(&rig);
    }
}

static void warm_start_creates_without_a_process(void **state)
{
    (void)state;
    for (int i = 0; i < ANDROIDS; i++) {
        struct rig rig;
        rig_open(&rig, 13, androids[i]);
        rig_launch(&rig, MAIL, SIM_FAULT_NONE);
        rig_shell(&rig, NULL, 0, "input keyevent KEYCODE_BACK");
        rig_run(&rig, 800);
        /* Since Android 12 BACK leaves the activity where it was. */
        struct sim_phone_truth truth = rig_launch(&rig, MAIL, SIM_FAULT_NONE);
        assert_string_equal(truth.start_type, androids[i] < 12 ? "warm" : "hot");
        rig_shell(&rig, NULL, 0, "input keyevent KEYCODE_HOME");
        rig_shell(&rig, NULL, 0,
                  "am broadcast -p org.touchstone.helper -a org.touchstone.helper.FINISH --es "
                  "component " MAIL);
        truth = rig_launch(&rig, MAIL, SIM_FAULT_NONE);
        assert_string_equal(truth.start_type, "warm");
        assert_true(server_line(&rig, "am_proc_start", ",org.example.mail,") < 0);
        assert_true(server_line(&rig, "_create_activity", MAIL) >= 0);
        assert_true(server_line(&rig, "Displayed " MAIL, "") >= 0);
        /* `am kill` takes what is behind, and leaves what is in front. */
        rig_shell(&rig, NULL, 0, "am kill org.example.mail");
        assert_int_equal(rig_shell(&rig, NULL, 0, "pidof org.example.mail"), 0);
        rig_shell(&rig, NULL, 0, "input keyevent KEYCODE_HOME");
        rig_shell(&rig, NULL, 0, "am kill org.example.mail");
        assert_int_equal(rig_shell(&rig, NULL, 0, "pidof org.example.mail"), 1);
        truth = rig_launch(&rig, MAIL, SIM_FAULT_NONE);
        assert_string_equal(truth.start_type, "cold");
        rig_close(&rig);
    }
}

static void trampolines_show_another_component(void **state)
{
    (void)state;
    for (int i = 0; i < ANDROIDS; i++) {
        struct rig rig;
        rig_open(&rig, 14, androids[i]);
        const struct sim_phone_truth truth = rig_launch(&rig, BANK, SIM_FAULT_NONE);
        const int shown = server_line(&rig, "Displayed org.example.bank/.login.LoginActivity", "");
        assert_true(shown >= 0);
        assert_true(server_line(&rig, "START u0 {cmp=org.example.bank/.login", "") >= 0);
        assert_int_equal(strstr(rig.lines[shown], "(total +") != NULL, androids[i] == 7);
        if (androids[i] > 7)
            assert_true(fabs(printed_ms(rig.lines[shown]) - truth.displayed_ms) < 1e-9);
        rig_launch(&rig, RAIL, SIM_FAULT_NONE);
        assert_true(server_line(&rig, "Displayed org.example.rail.core/.Conn", "") >= 0);
        rig_close(&rig);
    }
}

static void decoys_come_and_are_not_by_chance_the_same(void **state)
{
    (void)state;
    for (int i = 0; i < ANDROIDS; i++) {
        struct rig rig;
        rig_open(&rig, 15, androids[i]);
        int forged = 0, similar = 0, others = 0, processes = 0, late = 0;
        for (int launch = 0; launch < 12; launch++) {
            rig_shell(&rig, NULL, 0, "am force-stop org.example.mail");
            rig_launch(&rig, MAIL, SIM_FAULT_NONE);
            int line = rig_line(&rig, rig.mark, "Displayed " MAIL);
            const int start = server_line(&rig, "START u0 {", "cmp=" MAIL);
            late += line >= 0 && line < start && by_server(&rig, line);
            for (; line >= 0; line = rig_line(&rig, line + 1, "Displayed " MAIL))
                forged += strstr(rig.lines[line], " 10333 ") != NULL;
            similar += rig_has(&rig, "Displayed org.example.mail.lite") ||
                       rig_has(&rig, "Displayed org.example.mail2/") ||
                       rig_has(&rig, "Displayed org.example.mail.beta") ||
                       rig_has(&rig, "Displayed org.example.mail.widget");
            others += rig_has(&rig, "Displayed org.example.calls") ||
                      rig_has(&rig, "Displayed com.google.android.gms");
            processes += rig_has(&rig, "am_proc_start", "service");
        }
        assert_true(forged >= 3 && similar >= 2 && others >= 2 && processes >= 3 && late >= 1);
        rig_close(&rig);
    }
}

/* The same seed, stepped differently, says and shows the same. */
static void same_seed_same_lines(void **state)
{
    (void)state;
    static struct rig a, b;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        rig_open(&a, seed, 14);
        rig_open(&b, seed, 14);
        for (int launch = 0; launch < 3; launch++) {
            rig_launch(&a, MAIL, SIM_FAULT_NONE);
            sim_phone_fault(b.phone, SIM_FAULT_NONE);
            rig_shell(&b, NULL, 0,
                      "am broadcast -p org.touchstone.helper -a org.touchstone.helper.NEXT --es "
                      "component " MAIL " --ei launch %d",
                      launch + 1);
            rig_shell(&b, NULL, 0, "am start -n org.touchstone.helper/.Button");
            for (int i = 0; i < 80; i++)
                rig_run(&b, 10);
            rig_press(&b, 150, 0);
            for (int i = 0; i < 900; i++)
                rig_run(&b, 10);
            rig_shell(&a, NULL, 0, "am force-stop org.example.mail");
            rig_shell(&b, NULL, 0, "am force-stop org.example.mail");
        }
        assert_int_equal(a.count, b.count);
        for (int i = 0; i < a.count; i++) {
            assert_string_equal(a.lines[i], b.lines[i]);
            assert_int_equal(a.seen_ns[i], b.seen_ns[i]);
        }
        assert_int_equal(a.scene.count, b.scene.count);
        for (size_t i = 0; i < a.scene.count; i++)
            assert_int_equal(a.scene.elements[i].from_ns, b.scene.elements[i].from_ns);
        rig_close(&b);
        rig_open(&b, seed + 100, 14);
        rig_launch(&b, MAIL, SIM_FAULT_NONE);
        assert_string_not_equal(a.lines[10], b.lines[10]);
        rig_close(&a);
        rig_close(&b);
    }
}

static void lines_are_well_formed_and_in_time(void **state)
{
    (void)state;
    static struct rig rig;
    rig_open(&rig, 21, 10);
    for (int i = 0; i < 4; i++)
        rig_launch(&rig, MAIL, SIM_FAULT_NONE);
    int64_t last_ns = 0, dividers = 0;
    for (int i = 0; i < rig.count; i++) {
        if (strncmp(rig.lines[i], "--------- beginning of ", 23) == 0) {
            dividers++;
            continue;
        }
        /* Two columns are fixed: nineteen characters of seconds, six of microseconds. */
        assert_true(rig.lines[i][19] == '.' && rig.lines[i][26] == ' ');
        const int64_t stamp_ns = rig_stamp_ns(&rig, i);
        assert_true(stamp_ns >= last_ns);
        last_ns = stamp_ns;
        assert_true(strlen(rig.lines[i]) < 500);
        const int64_t seen_ns = sim_phone_real(rig.phone, rig.seen_ns[i]);
        assert_true(seen_ns - stamp_ns >= TS_NS_PER_MS);
        if (i == 0 || rig.seen_ns[i] != rig.seen_ns[i - 1])
            assert_true(seen_ns - stamp_ns <= 31 * TS_NS_PER_MS);
    }
    assert_true(dividers >= 2 && dividers <= 4);
    rig_close(&rig);
}

static void clocks_run_and_are_read(void **state)
{
    (void)state;
    struct rig rig;
    for (uint64_t seed = 40; seed < 60; seed++) {
        rig_open(&rig, seed, 14);
        const int64_t hour_ns = 3600 * TS_NS_PER_S;
        const double real_ppm = (double)(sim_phone_real(rig.phone, rig.now_ns + hour_ns) -
                                         sim_phone_real(rig.phone, rig.now_ns) - hour_ns) /
                                3600e3;
        const double up_ppm = (double)(sim_phone_up(rig.phone, rig.now_ns + hour_ns) -
                                       sim_phone_up(rig.phone, rig.now_ns) - hour_ns) /
                              3600e3;
        assert_true(fabs(real_ppm) <= 50.01 && fabs(real_ppm - up_ppm) < 0.001);
        const int64_t apart_ns =
            sim_phone_real(rig.phone, rig.now_ns) - sim_phone_up(rig.phone, rig.now_ns);
        assert_true(apart_ns > 24 * hour_ns);
        for (int i = 0; i < 50; i++) {
            const bool up = i % 2;
            int64_t phone_ns, done_ns;
            sim_phone_read_clock(rig.phone, rig.now_ns, up, &phone_ns, &done_ns);
            int64_t (*const truth)(const struct sim_phone *, int64_t) =
                up ? sim_phone_up : sim_phone_real;
            assert_true(done_ns > rig.now_ns && done_ns < rig.now_ns + 30 * TS_NS_PER_MS);
            assert_true(phone_ns >= truth(rig.phone, rig.now_ns) &&
                        phone_ns <= truth(rig.phone, done_ns));
            if (!up)
                assert_int_equal(phone_ns % 1000, 0);
        }
        rig_close(&rig);
    }
}

static void log_clock_may_tick_in_steps(void **state)
{
    (void)state;
    struct sim_scene scene = {0};
    const struct sim_phone_config config = {.seed = 3,
                                            .android = 10,
                                            .refresh_hz = 60,
                                            .drift_ppm = 20,
                                            .log_step_ns = 10 * TS_NS_PER_MS};
    struct sim_phone *phone;
    assert_int_equal(sim_phone_open(&config, &scene, &phone, NULL), TS_OK);
    sim_phone_run(phone, TS_NS_PER_S);
    sim_phone_stream_log(phone, true);
    sim_phone_run(phone, 60 * TS_NS_PER_S);
    const char *text;
    int64_t at_ns;
    int lines = 0;
    while (sim_phone_line(phone, 61 * TS_NS_PER_S, &text, &at_ns)) {
        if (*text != '-')
            assert_int_equal(atoi(strchr(text, '.') + 1) % 10000, 0);
        lines++;
    }
    assert_true(lines > 10);
    sim_phone_close(phone);
    sim_scene_free(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cold_start_prints_everything),
        cmocka_unit_test(hot_start_prints_no_displayed),
        cmocka_unit_test(warm_start_creates_without_a_process),
        cmocka_unit_test(order_to_nobody_is_lost_since_android_8),
        cmocka_unit_test(trampolines_show_another_component),
        cmocka_unit_test(decoys_come_and_are_not_by_chance_the_same),
        cmocka_unit_test(same_seed_same_lines),
        cmocka_unit_test(lines_are_well_formed_and_in_time),
        cmocka_unit_test(clocks_run_and_are_read),
        cmocka_unit_test(log_clock_may_tick_in_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
