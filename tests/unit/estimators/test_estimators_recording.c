/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recordings of daily use, and the synthetic ones. */
#include "estimators/dictionary.h"
#include "estimators/recording.h"
#include "estimators/study.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

#define EVENT(stamp, type, uptime, package)                                                        \
    stamp "  4711  4711 I TouchstoneEvent: EventType: TYPE_" type "; EventTime: " uptime           \
          "; PackageName: " package " [ ClassName: .Main ]\n"
#define START(stamp, package)                                                                      \
    stamp "  1432  1432 I ActivityManager: START u0 {act=android.intent.action.MAIN "              \
          "flg=0x10200000 cmp=" package "/.Main} from uid 10023 on display 0\n"

/* A cold start of Mail; a hot one of Maps, half a minute later; a click that starts nothing. The
 * recorder's own lines come late, that of the click after START. */
static const char day[] = "--------- beginning of main\n" START("1488326432.306", "com.mail") EVENT(
    "1488326432.309", "VIEW_CLICKED", "26432299",
    "com.launcher") "1488326432.320  1432  1432 I am_proc_start: "
                    "[0,5001,10141,com.mail,activity,com.mail/.Main]\n"
                    "1488326432.322  1432  1432 I am_create_activity: "
                    "[0,398,311,com.mail/"
                    ".Main,android.intent.action.MAIN,NULL,NULL,270532608]\n" EVENT(
                        "1488326432.901", "WINDOW_STATE_CHANGED", "26432899",
                        "com.mail") "1488326433.050  1432  1432 I ActivityManager: Displayed "
                                    "com.mail/.Main: +741ms\n" EVENT("1488326433.219",
                                                                     "WINDOW_CONTENT_CHANGED",
                                                                     "26433099", "com.mail")
                                        EVENT("1488326433.221", "WINDOW_CONTENT_CHANGED",
                                              "26433102", "com.android.systemui")
                                            EVENT("1488326462.301", "VIEW_CLICKED", "26462299",
                                                  "com.launcher")
                                                START("1488326462.306",
                                                      "com.maps") "1488326462.310  1432  1432 I "
                                                                  "am_resume_activity: "
                                                                  "[0,399,312,com.maps/"
                                                                  ".Main]\n" EVENT("1488326462.403",
                                                                                   "WINDOW_STATE_"
                                                                                   "CHANGED",
                                                                                   "26462399",
                                                                                   "com.maps")
                                                                      EVENT("1488326490.403",
                                                                            "VIEW_CLICKED",
                                                                            "26490399", "com.maps");

static int read_text(const char *text, struct ts_feature_table *table,
                     struct ts_recording_summary *summary, struct ts_why *why)
{
    const struct ts_recording recording = {text, strlen(text), "Phone", "day", INFINITY};
    assert_int_equal(ts_feature_table_start(table), TS_OK);
    return ts_recording_read(&recording, table, summary, why);
}

static void launches_get_what_android_says_of_them(void **state)
{
    (void)state;
    struct ts_feature_table table;
    struct ts_recording_summary summary;
    struct ts_why why = {""};
    assert_int_equal(read_text(day, &table, &summary, &why), TS_OK);
    assert_int_equal(table.row_count, 2);
    assert_int_equal(summary.launches, 2);
    assert_int_equal(summary.timed, 1);
    assert_int_equal(summary.events, 7);
    assert_string_equal(table.rows[0].app, "com.mail");
    assert_string_equal(table.rows[0].launch, "day/1");
    assert_int_equal(table.rows[0].start_type, TS_START_COLD);
    assert_float_equal(table.rows[0].time_to_initial_display_ms, 741, 0);
    assert_true(isnan(table.rows[0].settled_ms));
    const double *mail = ts_feature_table_values(&table, 0);
    assert_float_equal(mail[TS_FEATURE_window_first_ms], 600, 0);
    assert_float_equal(mail[TS_FEATURE_content_last_ms], 800, 0);
    assert_float_equal(mail[TS_FEATURE_event_count], 2, 0);
    assert_string_equal(table.rows[1].app, "com.maps");
    assert_int_equal(table.rows[1].start_type, TS_START_HOT);
    assert_true(isnan(table.rows[1].time_to_initial_display_ms));
    ts_feature_table_free(&table);
}

static void what_is_no_recording_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"", "recorder wrote nothing"},
        {START("1488326432.306", "com.mail"), "recorder wrote nothing"},
        {EVENT("1488326432.309", "VIEW_CLICKED", "26432299", "a"), "no app was launched"},
        {EVENT("03-01 10:00:00.309", "VIEW_CLICKED", "26432299", "a"), "logcat -v epoch"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ts_feature_table table;
        struct ts_recording_summary summary;
        struct ts_why why = {""};
        assert_int_equal(read_text(cases[i].text, &table, &summary, &why), TS_EPROTO);
        assert_non_null(strstr(why.text, cases[i].says));
        assert_int_equal(table.row_count, 0);
        ts_feature_table_free(&table);
    }
}

/* Paper E, table I. */
static void the_study_has_the_published_sizes(void **state)
{
    (void)state;
    static const struct {
        const char *device;
        size_t launches, timed;
    } daily[] = {{"Nexus 6P", 1959, 921}, {"Nexus 6", 959, 389}, {"Nexus 5X", 669, 269}};
    for (size_t phone = 0; phone < 3; phone++) {
        size_t launches = 0, timed = 0;
        for (size_t period = 0; period < 4; period++) {
            struct ts_study_recording made, again;
            struct ts_feature_table table;
            struct ts_recording_summary summary;
            struct ts_why why = {""};
            assert_int_equal(ts_study_record(TS_STUDY_DAILY, 5, phone * 4 + period, &made), TS_OK);
            assert_int_equal(ts_study_record(TS_STUDY_DAILY, 5, phone * 4 + period, &again), TS_OK);
            assert_string_equal(made.device, daily[phone].device);
            assert_int_equal(made.log.size, again.log.size);
            assert_memory_equal(made.log.data, again.log.data, made.log.size);
            const struct ts_recording recording = {(char *)made.log.data, made.log.size,
                                                   made.device, made.name, INFINITY};
            assert_int_equal(ts_feature_table_start(&table), TS_OK);
            assert_int_equal(ts_recording_read(&recording, &table, &summary, &why), TS_OK);
            launches += summary.launches;
            timed += summary.timed;
            ts_feature_table_free(&table);
            ts_buf_free(&made.log);
            ts_buf_free(&again.log);
        }
        assert_int_equal(launches, daily[phone].launches);
        assert_int_equal(timed, daily[phone].timed);
    }
    struct ts_study_recording none;
    assert_int_equal(ts_study_record(TS_STUDY_DAILY, 5, 12, &none), TS_EOF);
    assert_int_equal(ts_study_record(TS_STUDY_LAB, 5, 2, &none), TS_EOF);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(launches_get_what_android_says_of_them),
        cmocka_unit_test(what_is_no_recording_is_refused),
        cmocka_unit_test(the_study_has_the_published_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
