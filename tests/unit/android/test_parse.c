/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `touchstone parse`, as a program. */
#include "logs.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <cmocka.h>

static char output[1 << 20];

/* Runs it in a shell: `arguments` may hold redirections. Returns the exit code. */
static int run(const char *arguments)
{
    char command[1024];
    snprintf(command, sizeof command, "cd '%s/fixtures/logs' && '%s' %s", TS_SOURCE_DIR,
             PARSE_COMMAND, arguments);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    output[fread(output, 1, sizeof output - 1, pipe)] = '\0';
    const int status = pclose(pipe);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static json_t *next_object(char **at)
{
    char *end = strchr(*at, '\n');
    assert_non_null(end);
    json_t *object = json_loadb(*at, (size_t)(end - *at), JSON_REJECT_DUPLICATES, NULL);
    assert_true(json_is_object(object));
    *at = end + 1;
    return object;
}

static void json_lines(void **state)
{
    (void)state;
    assert_int_equal(run("logcat android-13.log --json"), 0);
    char *at = output;
    json_t *last = NULL;
    int lines = 0;
    for (; *at; lines++) {
        json_decref(last);
        last = next_object(&at);
        static const char *const always[] = {"kind",     "component", "duration_ms",
                                             "total_ms", "user",      "stamp"};
        for (size_t i = 0; i < 6; i++)
            assert_non_null(json_object_get(last, always[i]));
    }
    assert_int_equal(lines, 15);
    json_decref(last);
    assert_non_null(strstr(output,
                           "{\"kind\":\"displayed\",\"component\":\"com.erbete.customer/"
                           ".MainActivity\",\"duration_ms\":5098,\"total_ms\":null,\"user\":0,"
                           "\"stamp\":\"06-28 21:39:59.649\",\"tag\":\"ActivityTaskManager\","
                           "\"pid\":1796}\n"));
    assert_non_null(strstr(output, "\"process\":\"com.northwall.learningdemo\","
                                   "\"process_pid\":4660,\"process_uid\":10000,"
                                   "\"reason\":\"next-top-activity\"}\n"));
}

static void what_is_absent_is_null(void **state)
{
    (void)state;
    assert_int_equal(run("logcat samsung-5.log -j"), 0);
    assert_non_null(strstr(output, "{\"kind\":\"displayed\",\"component\":null,\"duration_ms\":678,"
                                   "\"total_ms\":105048,\"user\":null,\"stamp\":null,"));
    assert_int_equal(run("logcat android-16.log -j"), 0);
    assert_non_null(strstr(output, "\"result\":-92"));
    assert_non_null(strstr(output, "\"caller_uid\":10587,\"caller\":\"it.f0x.playground\""));
    assert_int_equal(run("logcat decoys.log -j"), 0);
    assert_string_equal(output, "");
}

/* All 29 lines of the formats, with the long one's messages on lines of their own. */
static void formats(void **state)
{
    (void)state;
    assert_int_equal(run("logcat formats.log -j"), 0);
    int next = 10;
    for (char *at = output; *at; next++) {
        json_t *object = next_object(&at);
        while (next == 13 || next == 17 || next == 32)
            next++; /* thread prints no tag; below the long message nothing has one */
        assert_int_equal(json_integer_value(json_object_get(object, "duration_ms")), next);
        json_decref(object);
    }
    assert_int_equal(next, 39);
}

static void table(void **state)
{
    (void)state;
    assert_int_equal(run("logcat android-10.log"), 0);
    assert_non_null(strstr(output, "STAMP                       KIND               MS"));
    assert_non_null(strstr(output, "06-12 18:43:39.350          displayed         362         -"
                                   "     -  com.demoapp.activitydemo/.MainActivity\n"));
}

static void odd_input(void **state)
{
    (void)state;
    assert_int_equal(run("logcat - -j < android-4.log"), 0);
    assert_non_null(strstr(output, "\"duration_ms\":309"));
    assert_int_equal(run("logcat - < /dev/null"), 0);
    /* a line of 3 MB, NUL bytes, bytes that are no UTF-8, no final newline */
    char command[512];
    snprintf(command, sizeof command,
             "logcat - -j <<'X'\nI/ActivityManager( 1): Displayed a.\xff/.B: +5ms\nX");
    assert_int_equal(run(command), 0);
    assert_non_null(strstr(output, "\"component\":\"a.?/.B\",\"duration_ms\":5"));
    snprintf(command, sizeof command,
             "logcat - -j < /dev/null; (head -c 3000000 /dev/zero; echo; "
             "printf 'I/ActivityManager( 1): Displayed a/.B: +7ms\\0\\nI/ActivityManager( 1): "
             "Displayed a/.B: +6ms') | '%s' logcat - -j",
             PARSE_COMMAND);
    assert_int_equal(run(command), 0);
    assert_non_null(strstr(output, "\"duration_ms\":6"));
}

static void exit_codes(void **state)
{
    (void)state;
    assert_int_equal(run("logcat nothing-here.log 2>&1"), 1);
    assert_non_null(strstr(output, "nothing-here.log: No such file or directory"));
    assert_int_equal(run("logcat . 2>&1"), 1);
    assert_int_equal(run("logcat android-4.log > /dev/full 2>/dev/null"), 1);
    assert_int_equal(run("2>&1"), 2);
    assert_int_equal(run("logcat 2>&1"), 2);
    assert_int_equal(run("dmesg x 2>&1"), 2);
    assert_non_null(strstr(output, "unknown format 'dmesg'"));
    assert_int_equal(run("logcat a b 2>&1"), 2);
    assert_int_equal(run("logcat a --yaml 2>&1"), 2);
    assert_int_equal(run("--help"), 0);
    assert_non_null(strstr(output, "Exit codes: 0"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_lines), cmocka_unit_test(what_is_absent_is_null),
        cmocka_unit_test(formats),    cmocka_unit_test(table),
        cmocka_unit_test(odd_input),  cmocka_unit_test(exit_codes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
