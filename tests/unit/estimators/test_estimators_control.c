/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two periods of daily use that are alike, many times over: how often a change is seen that is not
 * there, and how far two such periods are apart by chance alone. */
#include "estimators/change.h"
#include "estimators/dictionary.h"
#include "estimators/recording.h"
#include "estimators/study.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#define SEEDS     25
#define PHONES    3
#define PERIODS   4 /* of a phone: light-1, heavy-1, light-2, heavy-2 */
#define FIRST     1
#define SECOND    3
#define ROWS_MOST 4000
#define LIKE_MS   5.0 /* paper E, section VI: its two heavy periods are 2 ms apart */

static const char *const apps[] = {"com.whatsapp", "com.google.android.apps.tasks",
                                   "com.google.android.gm", "com.google.android.calendar"};
#define APPS (sizeof apps / sizeof *apps)

static void add_period(uint64_t seed, size_t number, struct ts_feature_table *table)
{
    struct ts_study_recording made;
    struct ts_recording_summary summary;
    struct ts_why why = {""};
    assert_int_equal(ts_study_record(TS_STUDY_DAILY, seed, number, &made), TS_OK);
    const struct ts_recording recording = {(char *)made.log.data, made.log.size, made.device,
                                           made.name, INFINITY};
    assert_int_equal(ts_recording_read(&recording, table, &summary, &why), TS_OK);
    ts_buf_free(&made.log);
}

/* Of the app's launches in a period. */
static size_t take(const struct ts_feature_table *table, const double *values, const char *app,
                   const char *period, double *out)
{
    size_t count = 0;
    for (size_t i = 0; i < table->row_count; i++) {
        const struct ts_feature_table_row *row = &table->rows[i];
        if (strcmp(row->app, app) == 0 && strncmp(row->launch, period, strlen(period)) == 0)
            out[count++] = values[i];
    }
    return count;
}

/* What was seen of one quantity, over all seeds. */
struct seen {
    size_t trials, alarms, misses, near; /* misses: the interval does not hold 0 */
    double squares[APPS], launches[APPS];
};

static void compare(const struct ts_feature_table *table, const double *values, uint64_t seed,
                    struct seen *seen)
{
    static double centered[ROWS_MOST], a[ROWS_MOST], b[ROWS_MOST];
    struct ts_change change;
    struct ts_why why = {""};
    ts_change_center(table, values, centered);
    for (size_t app = 0; app < APPS; app++) {
        const size_t na = take(table, centered, apps[app], "heavy-1", a),
                     nb = take(table, centered, apps[app], "heavy-2", b);
        assert_int_equal(ts_change_of(a, na, b, nb, seed, &change, &why), TS_OK);
        seen->trials++;
        seen->alarms += change.p < 0.05;
        seen->misses += change.interval.low > 0 || change.interval.high < 0;
        seen->near += fabs(change.mean) <= LIKE_MS;
        seen->squares[app] += change.mean * change.mean / SEEDS;
        seen->launches[app] += (double)(change.count_a + change.count_b) / 2 / SEEDS;
    }
}

/* The mean of n launches differs by chance as 1 / sqrt(n): what it takes for 95 % within 5 ms. */
static void judge(const char *name, const struct seen *seen)
{
    print_message("%s: %zu trials, change seen in %.1f %%, 0 outside of the interval in %.1f %%, "
                  "%.0f %% within %.0f ms\n",
                  name, seen->trials, 100.0 * (double)seen->alarms / (double)seen->trials,
                  100.0 * (double)seen->misses / (double)seen->trials,
                  100.0 * (double)seen->near / (double)seen->trials, LIKE_MS);
    for (size_t app = 0; app < APPS; app++) {
        const double sd = sqrt(seen->squares[app]), times = 1.96 * sd / LIKE_MS;
        print_message("  %-32s %4.0f launches a period: +-%.0f ms; %.0f ms would take %.0f\n",
                      apps[app], seen->launches[app], 1.96 * sd, LIKE_MS,
                      seen->launches[app] * times * times);
    }
    /* 100 trials at 5 %: 5 are due, and 1 to 11 come in 99 of 100 cases. */
    assert_in_range(seen->alarms, 1, 11);
    assert_in_range(seen->misses, 1, 11);
}

static void like_periods_differ_by_chance_alone(void **state)
{
    (void)state;
    static double times[ROWS_MOST], intervals[ROWS_MOST];
    struct seen by_time = {0}, by_interval = {0};
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct ts_feature_table table;
        assert_int_equal(ts_feature_table_start(&table), TS_OK);
        for (size_t phone = 0; phone < PHONES; phone++) {
            add_period(seed, phone * PERIODS + FIRST, &table);
            add_period(seed, phone * PERIODS + SECOND, &table);
        }
        assert_in_range(table.row_count, 1, ROWS_MOST);
        for (size_t i = 0; i < table.row_count; i++) {
            times[i] = table.rows[i].time_to_initial_display_ms;
            intervals[i] = ts_feature_table_values(&table, i)[TS_FEATURE_mean_interval_ms];
        }
        compare(&table, times, seed, &by_time);
        compare(&table, intervals, seed, &by_interval);
        ts_feature_table_free(&table);
    }
    judge("times", &by_time);
    judge("intervals between events", &by_interval);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(like_periods_differ_by_chance_alone)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
