/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines that are shared say the same of launches, and nothing else. */
#include "export/share.h"

#include "android/logcat.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define HEAD "1752013010.846306  1000  1543  1673 I "

static struct ts_plan_app apps[] = {
    {.name = "Mail", .component = "org.example.mail/.InboxActivity"}};
static const struct ts_plan plan = {.apps = apps, .app_count = 1};

static void same_name(const char *before, const char *after)
{
    char shared[400];
    ts_share_name(&plan, before, shared, sizeof shared);
    assert_string_equal(shared, after);
}

static bool same_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* Every form of line, read before and after. */
static void test_events_stay(void **state)
{
    (void)state;
    static const char *const messages[] = {
        "ActivityManager: Displayed org.example.mail/.InboxActivity: +1m5s48ms (total +1m45s48ms)",
        "ActivityTaskManager: Displayed com.secret.app/.Main for user 10: +61ms",
        "ActivityManager: Fully drawn org.example.mail/.InboxActivity: +2s0ms",
        "ActivityTaskManager: START u0 {act=x dat=tel:555 cmp=org.example.mail/.InboxActivity} "
        "with "
        "LAUNCH_SINGLE_TASK from uid 10587 (com.caller) (BAL_ALLOW_VISIBLE_WINDOW) result code=2",
        "ActivityManager: Start proc 4666:org.example.mail/u0a123 for activity "
        "org.example.mail/.InboxActivity",
        "ActivityManager: Process com.secret.app (pid 4660) has died: fore TOP",
        "ActivityManager: Process org.example.mail restarted",
        "ActivityManager: Killing 4660:com.secret.app/u0a12 (adj 900): too many background",
        "ActivityManager: ANR in org.example.mail (org.example.mail/.InboxActivity)",
        "ActivityManager: Launch timeout has expired, giving up wake lock!",
        "AndroidRuntime: FATAL EXCEPTION: secret thread",
        "AndroidRuntime: Process: org.example.mail, PID: 1234",
        "chatty  : uid=1000(system) ActivityManager expire 13 lines",
        "liblog  : 12",
        "am_proc_start: [0,4666,10123,org.example.mail,activity,org.example.mail/.InboxActivity]",
        "wm_activity_launch_time: [0,2,org.example.mail/.InboxActivity,499]",
        "am_create_activity: [0,2,6,org.example.mail/.InboxActivity,secret,NULL,NULL,27]",
        "am_crash: [4358,0,org.example.mail,1,java.lang.Error,secret,F.java,1]",
        "am_on_resume_called: [0,org.example.mail.InboxActivity,RESUME_ACTIVITY]",
        "input_focus: [Focus entering 1a org.example.mail/org.example.mail.InboxActivity "
        "(server),reason=secret]",
    };
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++) {
        char text[500], shared[TS_SHARED_LINE_MAX], name[400];
        struct ts_log_event before, after;
        snprintf(text, sizeof text, HEAD "%s", messages[i]);
        ts_share_line(&plan, TS_STREAM_LOG, text, shared);
        assert_null(strstr(shared, "secret"));
        assert_int_equal(ts_logcat_parse_event(text, strlen(text), &before), TS_OK);
        assert_int_equal(ts_logcat_parse_event(shared, strlen(shared), &after), TS_OK);
        assert_int_not_equal(before.kind, TS_LOG_NOTHING);
        assert_int_equal(before.kind, after.kind);
        assert_int_equal(before.line.stamp_ns, after.line.stamp_ns);
        assert_int_equal(before.line.uid, after.line.uid);
        assert_int_equal(before.user, after.user);
        assert_int_equal(before.pid, after.pid);
        assert_int_equal(before.uid, after.uid);
        assert_int_equal(before.result, after.result);
        assert_int_equal(before.lost, after.lost);
        assert_true(same_number(before.duration_ms, after.duration_ms));
        assert_true(same_number(before.total_ms, after.total_ms));
        ts_share_name(&plan, before.component, name, sizeof name);
        assert_string_equal(name, after.component);
    }
}

static void test_others_go(void **state)
{
    (void)state;
    char shared[TS_SHARED_LINE_MAX];
    ts_share_line(&plan, TS_STREAM_LOG, HEAD "Sync: me@example.org", shared);
    assert_string_equal(shared, "1752013010.846306  1000  1543  1673 I -: ");
    ts_share_line(&plan, TS_STREAM_LOG, HEAD "Touchstone: touch up 17 me@example.org", shared);
    assert_non_null(strstr(shared, "Touchstone: touch up 17"));
    assert_null(strstr(shared, "example"));
    ts_share_line(&plan, TS_STREAM_LOG, "me@example.org", shared);
    assert_string_equal(shared, "");
    ts_share_line(&plan, TS_STREAM_ACCESSIBILITY, "me@example.org", shared);
    assert_string_equal(shared, "");
}

static void test_names(void **state)
{
    (void)state;
    char one[400], other[400];
    same_name("", "");
    same_name("org.example.mail/.InboxActivity", "org.example.mail/.InboxActivity");
    same_name("com.android.settings", "com.android.settings");
    ts_share_name(&plan, "org.example.mailbox/.Main", one, sizeof one);
    assert_null(strstr(one, "mailbox"));
    ts_share_name(&plan, "org.example.mailbox", other, sizeof other);
    assert_memory_equal(one, other, strlen(other)); /* the same package still */
    ts_share_name(&plan, "com.android.mail/me@example.org", one, sizeof one);
    assert_null(strstr(one, "example"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_events_stay),
        cmocka_unit_test(test_others_go),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
