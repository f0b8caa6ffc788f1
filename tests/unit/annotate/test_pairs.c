/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/agreement_csv.h"
#include "cli/agreement_summary.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static long parse(const char *text, struct ts_agreement_row **rows, struct ts_why *why)
{
    return ts_agreement_csv_parse(text, strlen(text), rows, why);
}

static void rows_are_read_as_people_write_them(void **state)
{
    struct ts_agreement_row *rows;
    (void)state;
    assert_int_equal(parse("\xef\xbb\xbfname,automatic_ms,manual_ms,by\r\n"
                           "calc 1,412.5,400,Ada\r\n\r\n"
                           "\"a, \"\"b\"\"\",,7e2, Grace \n"
                           "mail,-3,4",
                           &rows, NULL),
                     3);
    assert_string_equal(rows[0].name, "calc 1");
    assert_true(fabs(rows[0].automatic_ms - 412.5) < 1e-12);
    assert_string_equal(rows[0].by, "Ada");
    assert_string_equal(rows[1].name, "a, \"b\"");
    assert_true(isnan(rows[1].automatic_ms));
    assert_true(fabs(rows[1].manual_ms - 700) < 1e-12);
    assert_string_equal(rows[1].by, "Grace");
    assert_string_equal(rows[2].by, "");
    free(rows);
}

static void what_is_no_row_is_told_with_its_line(void **state)
{
    static const struct {
        const char *text, *line;
    } bad[] = {{"", "no row"},           {"a,1,2\nb,1", "line 2"},
               {"a,1,2,x,5", "line 1"},  {"a,one,2", "line 1"},
               {"a,1,nan", "line 1"},    {"a,1,", "line 1"},
               {"a,1,1e300", "line 1"},  {"\"a,1,2", "line 1"},
               {"\"a\"b,1,2", "line 1"}, {"a,1,2\n\na,1,2,\x01", "line 3"}};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct ts_agreement_row *rows;
        struct ts_why why = {""};
        assert_int_equal(parse(bad[i].text, &rows, &why), TS_EPROTO);
        assert_non_null(strstr(why.text, bad[i].line));
    }
}

static struct ts_judgement mark(const char *by, double settled, bool superseded)
{
    struct ts_judgement one = {.ms = {(double)NAN, settled}, .superseded = superseded};
    memcpy(one.by, by, strlen(by) + 1);
    return one;
}

static void assert_near(double value, double expected)
{
    if (!(fabs(value - expected) < 1e-6))
        fail_msg("%g instead of %g", value, expected);
}

/* Three launches. Ada marked all, the first one twice; Grace two; nobody could tell of the fourth,
 * and the fifth has no usable automatic value. By hand:
 *   launch 1: automatic 110, Ada 100 (before: 94), Grace 104 -> 110 against 102
 *   launch 2: automatic 200, Ada 210, Grace 206             -> 200 against 208
 *   launch 3: automatic 300, Ada 300                        -> 300 against 300 */
static void people_and_program_are_told_apart(void **state)
{
    const double nan = (double)NAN;
    struct ts_judgement one[] = {mark("Ada", 94, true), mark("Grace", 104, false),
                                 mark("Ada", 100, false)};
    struct ts_judgement two[] = {mark("Ada", 210, false), mark("Grace", 206, false)};
    struct ts_judgement three[] = {mark("Ada", 300, false)};
    struct ts_judgement four[] = {mark("Ada", nan, false)};
    struct ts_judgement five[] = {mark("Grace", 500, false)};
    char names[5][2] = {"1", "2", "3", "4", "5"};
    struct ts_judged_launch launches[] = {{names[0], {nan, 110}, true, one, 3, 3},
                                          {names[1], {nan, 200}, true, two, 2, 2},
                                          {names[2], {nan, 300}, true, three, 1, 1},
                                          {names[3], {nan, 400}, true, four, 1, 1},
                                          {names[4], {nan, 505}, false, five, 1, 1}};
    const struct ts_judged judged = {launches, 5, 5, 0};
    struct ts_end_summary summary;
    (void)state;
    assert_int_equal(ts_end_summarize(&judged, TS_END_SETTLED, &summary), TS_OK);
    assert_int_equal(summary.agreement.count, 3);
    assert_near(summary.agreement.mean_absolute, (8 + 8 + 0) / 3.0);
    assert_near(summary.agreement.bias, 0);
    assert_near(summary.agreement.sd, 8);
    assert_near(summary.agreement.worst_absolute, 8);
    assert_int_equal(summary.against_one.count, 5);
    assert_near(summary.against_one.mean_absolute, (10 + 6 + 10 + 6 + 0) / 5.0);
    assert_int_equal(summary.between.count, 2);
    assert_near(summary.between.mean_absolute, 4);
    assert_int_equal(summary.repeat.count, 1);
    assert_near(summary.repeat.mean_absolute, 6);
    assert_int_equal(summary.person_count, 2);
    assert_string_equal(summary.persons[0].by, "Ada");
    assert_int_equal(summary.persons[0].marked, 3);
    assert_near(summary.persons[0].automatic.bias, 0);
    assert_int_equal(summary.persons[1].marked, 3);
    assert_int_equal(summary.persons[1].repeat.count, 0);
    assert_int_equal(summary.two_count, 1);
    assert_near(summary.twos[0].agreement.bias, 0); /* -4 and +4 */
    assert_int_equal(summary.not_usable, 1);
    assert_int_equal(summary.untold, 1);
    ts_end_summary_free(&summary);
    assert_int_equal(ts_end_summarize(&judged, TS_END_FIRST_CHANGE, &summary), TS_OK);
    assert_int_equal(summary.agreement.count, 0);
    assert_int_equal(summary.untold, 5);
    ts_end_summary_free(&summary);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_read_as_people_write_them),
        cmocka_unit_test(what_is_no_row_is_told_with_its_line),
        cmocka_unit_test(people_and_program_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
