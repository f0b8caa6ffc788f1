/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What phones say of an app's memory, network and processor time. */
#include "android/meters.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static void memory(void **state)
{
    (void)state;
    /* Android 14, 10 and 5: the summary's words changed, the table's row was always there. */
    assert_true(
        ts_meters_read_pss_kb("        TOTAL    81234    60000     9000        0\n"
                              " App Summary\n"
                              "           TOTAL PSS:    81230            TOTAL RSS:   150000"
                              "       TOTAL SWAP PSS:       12\n") == 81230);
    assert_true(ts_meters_read_pss_kb(
                    "        TOTAL    36350    20000        0\n App Summary\n"
                    "               TOTAL:    36352       TOTAL SWAP PSS:   0\n") == 36352);
    assert_true(ts_meters_read_pss_kb(
                    "  Native Heap    11234\n        TOTAL    36350    20000\n") == 36350);
    assert_true(isnan(ts_meters_read_pss_kb("No process found for: a.b\n")));
    assert_true(isnan(ts_meters_read_pss_kb("TOTAL PSS: ?\nTOTAL \n")));
    assert_true(isnan(ts_meters_read_pss_kb("")));
}

static void processor(void **state)
{
    (void)state;
    int pid;
    assert_true(
        ts_meters_read_cpu_ms("4660 (n.learningdemo) S 612 612 0 0 -1 1077936448 41234 0 312 "
                              "0 57 13 0 0 10 -10 42 0 1234567 1 2\n",
                              &pid) == 700);
    assert_int_equal(pid, 4660);
    /* Names may hold anything, also what looks like the end of one. */
    assert_true(ts_meters_read_cpu_ms("9 (a ) S) R 1 1 0 -1 -1 0 0 0 0 0 2 1 0\n", &pid) == 30);
    assert_int_equal(pid, 9);
    assert_true(
        isnan(ts_meters_read_cpu_ms("cat: /proc//stat: No such file or directory\n", &pid)));
    assert_int_equal(pid, 0);
    static const char *const bad[] = {"",
                                      "4660",
                                      "4660 (a",
                                      "4660 (a) S 1 2 3",
                                      "x (a) S 1 1 0 0 0",
                                      "cat: /proc/4660/stat: Permission denied",
                                      "4660 (a) S 612 612 0 0 -1 0 4 0 3 0 57 x"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_true(isnan(ts_meters_read_cpu_ms(bad[i], &pid)));
        assert_int_equal(pid, -1);
    }
}

#define HEAD "idx iface acct_tag_hex uid_tag_int cnt_set rx_bytes rx_packets tx_bytes tx_packets\n"

static void kernel_table(void **state)
{
    (void)state;
    static const char table[] = HEAD "2 wlan0 0x0 0 0 999 1 999 1\n"
                                     "3 wlan0 0x0 10123 0 100 2 10 2\n"
                                     "4 wlan0 0x0 10123 1 1000 3 200 3\n"
                                     "5 wlan0 0x2a00000000 10123 1 500 3 100 3\n"
                                     "6 rmnet0 0x0 10123 1 7 1 3 1\n"
                                     "7 wlan0 0x0 101230 1 5 1 5 1\n";
    assert_true(ts_meters_read_qtaguid(table, 10123) == 1320);
    assert_true(ts_meters_read_qtaguid(table, 10124) == 0);
    assert_true(
        isnan(ts_meters_read_qtaguid("cat: /proc/net/xt_qtaguid/stats: No such file\n", 1)));
    assert_true(isnan(ts_meters_read_qtaguid("", 10123)));
    assert_true(ts_meters_read_qtaguid(HEAD "3 wlan0 0x0 10123 0 100\n", 10123) == 0);
}

static void statistics(void **state)
{
    (void)state;
    /* Whole, as Android prints it, and as the sed leaves it. */
    static const char whole[] =
        "Xt stats:\n  Pending bytes: 0\n"
        "  ident=[{type=1}] uid=-1 set=ALL tag=0x0\n"
        "    NetworkStatsHistory: bucketDuration=3600\n"
        "      st=1 rb=99999 rp=1 tb=99999 tp=1 op=0\n"
        "UID stats:\n  Pending bytes: 13072\n  History since boot:\n"
        "  ident=[{type=1, wifiNetworkKey=\"my uid=10123 home\"}] uid=10099 set=DEFAULT tag=0x0\n"
        "    NetworkStatsHistory: bucketDuration=7200\n"
        "      st=1 rb=77777 rp=1 tb=1 tp=1 op=0\n"
        "  ident=[{type=1}] uid=10123 set=DEFAULT tag=0x0\n"
        "    NetworkStatsHistory: bucketDuration=7200\n"
        "      st=1 rb=1000 rp=3 tb=200 tp=5 op=0\n"
        "      st=7201 rb=30 rp=3 tb=4 tp=5 op=0\n"
        "  ident=[{type=1}] uid=10123 set=FOREGROUND tag=0x0\n"
        "      st=1 rb=5 rp=3 tb=1 tp=5 op=0\n"
        "UID tag stats:\n"
        "  ident=[{type=1}] uid=10123 set=FOREGROUND tag=0x2a\n"
        "      st=1 rb=55555 rp=3 tb=1 tp=5 op=0\n";
    assert_true(ts_meters_read_netstats(whole, 10123) == 1240);
    assert_true(ts_meters_read_netstats(whole, 10777) == 0);
    static const char joined[] =
        "UID stats:\n"
        "      st=1 rb=1000 rp=3 tb=200 tp=5 op=0   ident=[{type=1}] uid=10123 set=DEFAULT "
        "tag=0x0\n"
        "      st=1 rb=40 rp=3 tb=2 tp=5 op=0   ident= uid=10123 set=DEFAULT tag=0x0\n"
        "      st=1 rb=40 rp=3 tb=2 tp=5 op=0   ident=[{type=1}] uid=10123 set=DEFAULT tag=0x2a\n";
    assert_true(ts_meters_read_netstats(joined, 10123) == 1242);
    assert_true(ts_meters_read_netstats("UID stats:\nUID tag stats:\n", 10123) == 0);
    assert_true(isnan(ts_meters_read_netstats("Can't find service: netstats\n", 10123)));
    assert_true(isnan(ts_meters_read_netstats("", 10123)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory),
        cmocka_unit_test(processor),
        cmocka_unit_test(kernel_table),
        cmocka_unit_test(statistics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
