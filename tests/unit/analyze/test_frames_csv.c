/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/rng.h"
#include "media/frames_line.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static long parse(const char *text, struct ts_frames_csv_row **rows, struct ts_why *why)
{
    return ts_frames_csv_parse(text, strlen(text), rows, why);
}

static void reads_rows(void **state)
{
    (void)state;
    struct ts_frames_csv_row *rows;
    struct ts_why why = {""};
    assert_int_equal(parse("\xef\xbb\xbf"
                           "frame,seq,arrival_ns\r\n0, 7,100\r\n\r\n1,9 ,200",
                           &rows, &why),
                     2);
    assert_int_equal(rows[1].sequence, 9);
    assert_int_equal(rows[1].arrival_ns, 200);
    free(rows);
    assert_int_equal(parse("0,0,-5\n", &rows, &why), 1);
    assert_int_equal(rows[0].arrival_ns, -5);
    free(rows);
}

static void names_the_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"", "no frames"},
        {"frame,seq,arrival_ns\n", "no frames"},
        {"0,0,1\nx\n", "line 2"},
        {"0,0,1\n1,1\n", "line 2"},
        {"0,0,1\n1,1,2,3\n", "line 2"},
        {"0,0,1\n2,1,2\n", "line 2: frame 2"},
        {"0,5,1\n1,5,2\n", "line 2: seq"},
        {"0,5,9\n1,6,2\n", "line 2: this frame arrives"},
        {"0,4294967296,9\n", "line 1: seq"},
        {"0,0,99999999999999999999\n", "line 1"},
        {"0,0,9000000000000000000\n", "line 1: arrival_ns"},
        {"0,0,1\nframe,seq,arrival_ns\n", "line 2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ts_frames_csv_row *rows;
        struct ts_why why = {""};
        assert_int_equal(parse(cases[i].text, &rows, &why), TS_EPROTO);
        assert_non_null(strstr(why.text, cases[i].says));
    }
}

static void finds_the_line_under_late_frames(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        struct ts_rng rng;
        ts_rng_seed(&rng, seed, 1);
        uint32_t sequence = 1000, sequences[600];
        struct ts_frames_schedule *schedule;
        assert_int_equal(ts_frames_schedule_open(&schedule), TS_OK);
        const double period = ts_rng_range(&rng, 4e6, 34e6);
        for (size_t n = 0; n < 600; n++) {
            const double late = -0.6e6 * log(1 - ts_rng_uniform(&rng)) +
                                (ts_rng_uniform(&rng) < 0.02 ? ts_rng_range(&rng, 0, 9e6) : 0);
            const struct ts_frames_csv_row row = {
                sequence, (int64_t)(7e12 + period * (sequence - 1000) + late)};
            assert_int_equal(ts_frames_schedule_add(schedule, &row), TS_OK);
            sequences[n] = sequence;
            sequence += ts_rng_uniform(&rng) < 0.01 ? 3 : 1;
        }
        struct ts_frames_line line;
        assert_int_equal(ts_frames_schedule_line(schedule, &line), TS_OK);
        const double steps = sequence - 1000;
        const double offset =
            (double)(ts_frames_schedule_first(schedule).arrival_ns - (int64_t)7e12) + line.start_ns;
        assert_true(fabs(offset) < 0.1e6);
        assert_true(fabs(offset + (line.period_ns - period) * steps) < 0.1e6);
        assert_int_equal(ts_frames_schedule_count(schedule), 600);
        for (int twice = 0; twice < 2; twice++) {
            for (size_t n = 0; n < 600; n++)
                assert_int_equal(ts_frames_schedule_sequence(schedule, n), sequences[n]);
        }
        ts_frames_schedule_close(schedule);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_rows),
        cmocka_unit_test(names_the_line),
        cmocka_unit_test(finds_the_line_under_late_frames),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
