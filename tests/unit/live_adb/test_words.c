/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What reaches a shell: the words as they were meant, checked with real shells. */
#include "live_adb/script.h"
#include "live_adb/words.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static const char *quote(struct ts_buf *out, const char *command)
{
    ts_buf_clear(out);
    assert_int_equal(ts_adb_quote(command, out, NULL), TS_OK);
    assert_int_equal(ts_buf_append(out, "", 1), TS_OK);
    return (const char *)out->data;
}

static void quoting(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"am start -n pkg/.Main --ei level 0", "am start -n pkg/.Main --ei level 0"},
        {"  input   keyevent KEYCODE_HOME ", "input keyevent KEYCODE_HOME"},
        {"am start -n pkg/.Outer$Inner", "am start -n 'pkg/.Outer$Inner'"},
        {"am start; reboot", "am 'start;' reboot"},
        {"a `b` $(c) && d | e > f", "a '`b`' '$(c)' '&&' d '|' e '>' f"},
        {"a 'b c' \"d e\" ''", "a 'b c' 'd e' ''"},
        {"a it\\s \"it's\"", "a 'it\\s' 'it'\\''s'"},
        {"a x'y z'w", "a 'xy zw'"},
        {"A=b c", "'A=b' c"},
        {"a b=c *?[~", "a b=c '*?[~'"},
        {"a \xc3\xa4", "a '\xc3\xa4'"},
    };
    struct ts_buf out = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(quote(&out, cases[i][0]), cases[i][1]);
    ts_buf_free(&out);
}

static void refusals(void **state)
{
    (void)state;
    static const char *const bad[] = {"",      " ",    "a\nb",  "a\tb", "a\x1b[0m",
                                      "a\x7f", "a 'b", "a \"b", "a '",  "a\rb"};
    struct ts_buf out = {0};
    struct ts_why why;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(ts_adb_quote(bad[i], &out, &why), TS_EINVAL);
        assert_int_equal(out.size, 0);
    }
    char *big = malloc(TS_ADB_COMMAND_MAX + 2);
    memset(big, 'a', TS_ADB_COMMAND_MAX + 1);
    big[TS_ADB_COMMAND_MAX + 1] = '\0';
    assert_int_equal(ts_adb_quote(big, &out, &why), TS_EINVAL);
    big[TS_ADB_COMMAND_MAX] = '\0';
    assert_int_equal(ts_adb_quote(big, &out, &why), TS_OK);
    free(big);
    ts_buf_free(&out);
}

/* A shell prints back every word, whatever is in it. */
static void a_shell_agrees(void **state)
{
    (void)state;
    static const char *const words[] = {
        "plain", "$HOME", "`id`", "$(id)", "a;b",   "a&b",   "a|b",    "a>b",
        "*",     "~",     "\\n",  "a\\",   "(x)",   "{a,b}", "#x",     "!x",
        "$'x'",  "a=b",   "%s",   "[a-z]", "\"x y", "it's",  "''\"''", "",
    };
    struct ts_buf command = {0}, out = {0};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        /* As somebody writes it who knows what the seam makes of quotes. */
        const char *mark = strchr(words[i], '\'') ? "\"" : "'";
        if (strchr(words[i], '\'') && strchr(words[i], '"'))
            continue;
        ts_buf_clear(&command);
        assert_int_equal(ts_buf_printf(&command, "printf %%s %s%s%s", mark, words[i], mark), TS_OK);
        assert_int_equal(ts_buf_append(&command, "", 1), TS_OK);
        FILE *shell = popen(quote(&out, (const char *)command.data), "r");
        assert_non_null(shell);
        char text[64] = "";
        const size_t size = fread(text, 1, sizeof text - 1, shell);
        assert_int_equal(pclose(shell), 0);
        text[size] = '\0';
        assert_string_equal(text, words[i]);
    }
    ts_buf_free(&command);
    ts_buf_free(&out);
}

/* What the open shell is given, given to one that knows EPOCHREALTIME as a phone's does. */
static size_t run_script(const struct ts_buf *script, char *text, size_t size)
{
    struct ts_buf command = {0};
    assert_int_equal(ts_buf_printf(&command, "bash <<'END'\n%.*sEND\n", (int)script->size,
                                   (const char *)script->data),
                     TS_OK);
    FILE *shell = popen((const char *)command.data, "r");
    assert_non_null(shell);
    const size_t read = fread(text, 1, size - 1, shell);
    pclose(shell);
    ts_buf_free(&command);
    text[read] = '\0';
    return read;
}

static void a_shell_answers(void **state)
{
    (void)state;
    struct ts_buf script = {0};
    struct ts_adb_answer answer;
    struct ts_item_clock clock = {0};
    char text[400];
    int code;
    assert_int_equal(ts_adb_script_command(&script, 7, "cat /proc/no/such"), TS_OK);
    size_t size = run_script(&script, text, sizeof text);
    assert_int_equal(ts_adb_script_answer((uint8_t *)text, size, 7, &answer), size);
    assert_int_equal(ts_adb_script_read_exit(&answer, &code), TS_OK);
    assert_int_equal(code, 1);
    assert_non_null(strstr(text, "/proc/no/such"));

    ts_buf_clear(&script);
    assert_int_equal(ts_adb_script_command(&script, 8, "printf %s 'no line end'"), TS_OK);
    size = run_script(&script, text, sizeof text);
    assert_int_equal(ts_adb_script_answer((uint8_t *)text, size, 8, &answer), size);
    assert_int_equal(answer.body_size, strlen("no line end"));

    ts_buf_clear(&script);
    assert_int_equal(ts_adb_script_real(&script, 9), TS_OK);
    size = run_script(&script, text, sizeof text);
    assert_int_equal(ts_adb_script_answer((uint8_t *)text, size, 9, &answer), size);
    assert_int_equal(ts_adb_script_read_real(&answer, &clock), TS_OK);
    assert_true(clock.t2 > INT64_C(1500000000) * TS_NS_PER_S);

    ts_buf_clear(&script);
    assert_int_equal(ts_adb_script_up(&script, 10), TS_OK);
    int err = TS_ETIMEOUT;
    for (int i = 0; i < 50 && err == TS_ETIMEOUT; i++) { /* on a busy computer */
        size = run_script(&script, text, sizeof text);
        assert_int_equal(ts_adb_script_answer((uint8_t *)text, size, 10, &answer), size);
        err = ts_adb_script_read_up(&answer, &clock);
    }
    assert_int_equal(err, TS_OK);
    assert_true(clock.t2 > 0 && clock.t1.ns >= 0);
    ts_buf_free(&script);
}

static void cheap_reads(void **state)
{
    (void)state;
    assert_true(ts_adb_is_cheap("cat /proc/stat"));
    assert_true(ts_adb_is_cheap("cat /sys/class/thermal/thermal_zone0/temp"));
    assert_false(ts_adb_is_cheap("cat /data/x"));
    assert_false(ts_adb_is_cheap("dumpsys battery"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quoting),        cmocka_unit_test(refusals),
        cmocka_unit_test(a_shell_agrees), cmocka_unit_test(a_shell_answers),
        cmocka_unit_test(cheap_reads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
