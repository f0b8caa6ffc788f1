/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shell commands and clock readings over a real adb server, on phones of three ages. */
#include "lab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BIG (3 * 1000 * 1000 + 7)

static char bytes[256]; /* every byte but NUL, at which an item's text would end */
static char *big;

static struct sim_adb_config age(bool no_v2, bool no_exec)
{
    static struct sim_adb_file files[3];
    files[0] = (struct sim_adb_file){"/data/bytes", bytes, 255};
    files[1] = (struct sim_adb_file){"/data/big", big, BIG};
    files[2] = (struct sim_adb_file){"/proc/bytes", bytes, 255}; /* through the open shell */
    return (struct sim_adb_config){.no_shell_v2 = no_v2,
                                   .no_exec = no_exec,
                                   .slept_ms = 123456,
                                   .files = files,
                                   .file_count = 3};
}

static int make_files(void **state)
{
    for (int i = 0; i < 255; i++)
        bytes[i] = (char)(i + 1);
    big = malloc(BIG + 1);
    if (!big)
        return -1;
    for (int i = 0; i < BIG; i++)
        big[i] = (char)(i % 7 == 3 ? '\n' : 'a' + i % 26);
    big[BIG] = '\0';
    return lab_open(state);
}

static int drop_files(void **state)
{
    free(big);
    return lab_close(state);
}

static void assert_runs(struct lab *lab, const char *command, const char *output, int exit_code)
{
    int status, code;
    const char *text = lab_shell(lab, command, &status, &code);
    assert_int_equal(status, TS_OK);
    if (strcmp(text, output) != 0)
        fail_msg("%s: %zu bytes instead of %zu: %.60s", command, strlen(text), strlen(output),
                 text);
    assert_int_equal(code, exit_code);
}

static void run_all(const struct sim_adb_config *config)
{
    struct lab lab;
    lab_phone_open(&lab, 1, config);
    assert_runs(&lab, "echo hello", "hello\n", 0);
    assert_runs(&lab, "cat /data/bytes", bytes, 0);
    assert_runs(&lab, "cat /proc/bytes", bytes, 0);
    assert_runs(&lab, "cat /data/big", big, 0);
    assert_runs(&lab, "cat /data/none", "cat: /data/none: No such file or directory\n", 1);
    assert_runs(&lab, "cat /proc/none", "cat: /proc/none: No such file or directory\n", 1);
    assert_runs(&lab, "sh -c 'exit 7'", "", 7);
    assert_runs(&lab, "sh -c 'echo half; exit 255'", "half\n", 255);
    assert_runs(&lab, "nonsense -x", "/system/bin/sh: nonsense: inaccessible or not found\n", 127);
    assert_runs(&lab, "settings get global auto_time", "0\n", 0);
    lab_phone_close(&lab);
}

static void output_and_exit_codes(void **state)
{
    (void)state;
    const struct sim_adb_config config = age(false, false);
    run_all(&config);
}

static void without_shell_v2(void **state)
{
    (void)state;
    const struct sim_adb_config config = age(true, false);
    run_all(&config);
}

static void with_a_terminal_only(void **state)
{
    (void)state;
    const struct sim_adb_config config = age(true, true);
    run_all(&config);
}

static void words_stay_words(void **state)
{
    (void)state;
    static const char *const bad[] = {"", "   ", "echo a\nreboot", "echo 'a", "echo \x7f"};
    struct lab lab;
    int status, code;
    lab_phone_open(&lab, 2, NULL);
    assert_runs(&lab, "echo pkg/.Outer$Inner", "pkg/.Outer$Inner\n", 0);
    assert_runs(&lab, "echo a; echo b", "a; echo b\n", 0);
    assert_runs(&lab, "echo $(echo x) `echo y` | cat > /data/z & echo",
                "$(echo x) `echo y` | cat > /data/z & echo\n", 0);
    assert_runs(&lab, "echo \"it's\" '\"q\"'", "it's \"q\"\n", 0);
    assert_runs(&lab, "cat /proc/bytes;reboot",
                "cat: /proc/bytes;reboot: No such file or directory\n", 1);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        lab_shell(&lab, bad[i], &status, &code);
        assert_int_equal(status, TS_EINVAL);
    }
    lab_phone_close(&lab);
}

/* Some go through the open shell, some do not. */
static void commands_keep_their_order(void **state)
{
    (void)state;
    struct lab lab;
    uint32_t first = 0;
    lab_phone_open(&lab, 3, NULL);
    for (int i = 0; i < 20; i++) {
        char text[40];
        snprintf(text, sizeof text, i % 3 ? "echo %d" : "cat /proc/none%d", i);
        const uint32_t id = lab_submit_shell(&lab, text);
        first = first ? first : id;
    }
    for (uint32_t i = 0; i < 20; i++) {
        char wanted[80];
        lab_wait(&lab, first + i);
        snprintf(wanted, sizeof wanted,
                 i % 3 ? "%u\n" : "cat: /proc/none%u: No such file or directory\n", i);
        assert_string_equal(lab.done.text, wanted);
    }
    lab_phone_close(&lab);
}

/* The bounds that a reading states are true, whatever its way took. */
static void assert_reading(struct lab *lab, enum ts_clock_domain domain, int64_t grain_ns)
{
    const uint32_t id = lab_submit(lab, TS_COMMAND_CLOCK_READ, (int)domain);
    const int before = lab->clocks;
    assert_int_equal(lab_wait(lab, id)->status, TS_OK);
    assert_int_equal(lab->clocks, before + 1);
    const struct ts_item_clock *clock = &lab->clock;
    const bool up = domain == TS_CLOCK_PHONE_UP;
    assert_int_equal(clock->domain, domain);
    assert_true(clock->t1.ns < clock->t4.ns);
    assert_true(clock->t2 == clock->t3);
    assert_true(clock->t2 >= sim_real_phone_clock(lab->real, clock->t1.ns, up) - grain_ns);
    assert_true(clock->t2 <= sim_real_phone_clock(lab->real, clock->t4.ns, up) + grain_ns);
}

static void clocks(void **state)
{
    (void)state;
    for (int no_v2 = 0; no_v2 < 2; no_v2++) {
        const struct sim_adb_config config = age(no_v2, false);
        struct lab lab;
        lab_phone_open(&lab, 4 + (uint64_t)no_v2, &config);
        for (int i = 0; i < 20; i++) {
            assert_reading(&lab, TS_CLOCK_PHONE_REAL, TS_NS_PER_US);
            /* A step of uptime is waited for in microseconds of real time. */
            assert_reading(&lab, TS_CLOCK_PHONE_UP, 2 * TS_NS_PER_US + TS_NS_PER_MS);
        }
        lab_phone_close(&lab);
    }
}

static void clocks_that_cannot_be_read(void **state)
{
    (void)state;
    const struct sim_adb_config silent = {.no_epochrealtime = true}, ancient = age(true, true);
    const struct sim_adb_config *configs[] = {&silent, &ancient};
    for (int i = 0; i < 2; i++) {
        struct lab lab;
        lab_phone_open(&lab, 6, configs[i]);
        const uint32_t id = lab_submit(&lab, TS_COMMAND_CLOCK_READ, TS_CLOCK_PHONE_REAL);
        assert_int_equal(lab_wait(&lab, id)->status, TS_ENOTSUP);
        assert_int_equal(lab.clocks, 0);
        lab_phone_close(&lab);
    }
}

#define AT "/data/local/tmp/touchstone-build-0.apk"

static void write_file(const char *path, const char *head, size_t size, size_t more)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(head, 1, size, file), size);
    for (size_t i = 0; i < more; i++)
        fputc((int)(i % 251), file);
    assert_int_equal(fclose(file), 0);
}

/* A build's package is put on the phone, whole, and installed by a command like any other. */
static void packages(void **state)
{
    static const char head[] = "PK\3\4\npackage=org.example.mail\nversion_code=15\nversion=1.5\n";
    struct lab lab;
    struct ts_why why = {""};
    int status, code;
    (void)state;
    lab_phone_open(&lab, 1, NULL);
    write_file("build.apk", head, sizeof head - 1, 3 * 1000 * 1000);
    if (ts_phone_put_package(lab.serial, "build.apk", AT, &why))
        fail_msg("%s", why.text);
    assert_runs(&lab, "pm install -r -t -d " AT, "Success\n", 0);
    assert_non_null(strstr(lab_shell(&lab, "dumpsys package org.example.mail", &status, &code),
                           "versionName=1.5"));
    write_file("build.apk", "hello, world", 12, 0);
    assert_int_equal(ts_phone_put_package(lab.serial, "build.apk", AT, &why), TS_EPROTO);
    assert_non_null(strstr(why.text, "is no Android package"));
    remove("build.apk");
    assert_int_equal(ts_phone_put_package(lab.serial, "build.apk", AT, &why), TS_EIO);
    assert_int_equal(lab_shell(&lab, "pm install -r /data/local/tmp/none.apk", &status, &code)[0],
                     'E');
    assert_int_equal(code, 1);
    lab_phone_close(&lab);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(output_and_exit_codes),      cmocka_unit_test(without_shell_v2),
        cmocka_unit_test(with_a_terminal_only),       cmocka_unit_test(words_stay_words),
        cmocka_unit_test(commands_keep_their_order),  cmocka_unit_test(clocks),
        cmocka_unit_test(clocks_that_cannot_be_read), cmocka_unit_test(packages),
    };
    return cmocka_run_group_tests(tests, make_files, drop_files);
}
