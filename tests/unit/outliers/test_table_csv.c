/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Columns of numbers as people's files have them. */
#include "cli/table_csv.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void reads(const char *text, const char *which, const char *name, const char *rows_values,
                  size_t missing)
{
    struct ts_column column;
    struct ts_why why = {""};
    const int err = ts_column_parse(text, strlen(text), which, &column, &why);
    if (err)
        fail_msg("%s: %s", text, why.text);
    char found[400] = "";
    for (size_t i = 0; i < column.count; i++)
        snprintf(found + strlen(found), sizeof found - strlen(found), "%zu:%g ", column.rows[i],
                 column.values[i]);
    assert_string_equal(found, rows_values);
    assert_string_equal(column.name, name);
    assert_int_equal(column.missing, missing);
    assert_int_equal(column.row_count, column.count + missing);
    ts_column_free(&column);
}

static void refuses(const char *text, size_t size, const char *which, const char *says)
{
    struct ts_column column;
    struct ts_why why = {""};
    assert_int_equal(ts_column_parse(text, size, which, &column, &why), TS_EPROTO);
    if (!strstr(why.text, says))
        fail_msg("\"%s\" does not say \"%s\"", why.text, says);
    assert_null(column.values);
}

static void numbers(void **state)
{
    (void)state;
    reads("1\n2.5\n-3e2\n", NULL, "", "0:1 1:2.5 2:-300 ", 0);
    reads("1\r\n\r\n  2  \r\n", NULL, "", "0:1 1:2 ", 0);
    reads("\xef\xbb\xbf"
          "1\n# aside\n2",
          NULL, "", "0:1 1:2 ", 0);
    reads("wait\n1\nNaN\nna\nNULL\n\"2\"\n", NULL, "wait", "0:1 4:2 ", 3);
    reads("NaN\n1\n", NULL, "", "1:1 ", 1);
    reads("", NULL, "", "", 0);
    reads("\n \n", NULL, "", "", 0);
    reads("wait\n", NULL, "wait", "", 0);
    reads("+1\n.5\n5.\n1E3\n", NULL, "", "0:1 1:0.5 2:5 3:1000 ", 0);
}

static void columns(void **state)
{
    (void)state;
    const char *text = "app,wait (ms),n\na,1,2\n\"b, c\",,4\nd,3,\n";
    reads(text, "wait", "wait (ms)", "0:1 2:3 ", 1);
    reads(text, "wait (ms)", "wait (ms)", "0:1 2:3 ", 1);
    reads(text, "2", "wait (ms)", "0:1 2:3 ", 1);
    reads(text, "n", "n", "0:2 1:4 ", 1);
    reads("1;2\n3;4\n", "2", "", "0:2 1:4 ", 0);
    reads("1\t2\n\t4\n", "1", "", "0:1 ", 1);
    reads("2,1\n5,6\n", "1", "", "0:2 1:5 ", 0); /* no heading: by number */
    reads("a,2\n5,6\n", "2", "2", "0:6 ", 0);    /* a heading that is a number */
    reads("\"x \"\"y\"\"\",b\n1,2\n", "b", "b", "0:2 ", 0);
}

static void garbage(void **state)
{
    (void)state;
    refuses("1\n2\n3 ms\n", 9, NULL, "line 3: \"3 ms\" is no number");
    refuses("1\n\n0x10\n", 8, NULL, "line 3");
    refuses("1\n1.2.3\n", 8, NULL, "line 2");
    refuses("1\n--2\n", 6, NULL, "line 2");
    refuses("1\ninf\n", 6, NULL, "line 2: \"inf\" is no finite number");
    refuses("1\n1e999\n", 8, NULL, "no finite number");
    refuses("1\n2\0\n", 5, NULL, "line 2");
    refuses("a,b\n1,2\n3\n", 10, "b", "line 3: it has fewer fields");
    refuses("a,b\n1,2\n", 8, "c", "it has: a, b");
    refuses("a,b\n1,2\n", 8, NULL, "--column NAME");
    refuses("1,2\n", 4, NULL, "2 columns");
    refuses("1,2\n", 4, "3", "no column 3");
    refuses("1,2\n", 4, "x", "no column x");
    refuses("1\n", 2, "0", "no column 0");
    refuses("a,a\n1,2\n", 8, "a", "line 1: two columns");
    char digits[200];
    memset(digits, '7', sizeof digits);
    memcpy(digits, "1\n", 2);
    refuses(digits, sizeof digits, NULL, "line 2");
}

static void a_million_rows(void **state)
{
    (void)state;
    enum { ROWS = 1000000, WIDTH = 10 };
    char *text = malloc((size_t)ROWS * WIDTH + 1);
    assert_non_null(text);
    for (size_t i = 0; i < ROWS; i++)
        snprintf(text + i * WIDTH, WIDTH + 1, "%8zu,\n", i);
    struct ts_column column;
    struct ts_why why;
    assert_int_equal(ts_column_parse(text, (size_t)ROWS * WIDTH, "1", &column, &why), TS_OK);
    assert_int_equal(column.count, ROWS);
    for (size_t i = 0; i < ROWS; i += 999)
        assert_true(column.values[i] == (double)i && column.rows[i] == i);
    ts_column_free(&column);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers),
        cmocka_unit_test(columns),
        cmocka_unit_test(garbage),
        cmocka_unit_test(a_million_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
