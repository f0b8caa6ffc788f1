/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "android/device.h"
#include "android/focus.h"
#include "logs.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static char *read(const char *name)
{
    char path[64] = "device/";
    size_t size;
    strcat(path, name);
    return logs_read(path, &size);
}

static void assert_close(double value, double wanted)
{
    if (!(fabs(value - wanted) < 1e-4))
        fail_msg("%g instead of %g", value, wanted);
}

static void battery(void **state)
{
    (void)state;
    double percent, celsius;
    char *text = read("battery-7.txt");
    assert_int_equal(ts_device_read_battery(text, &percent, &celsius), TS_OK);
    assert_close(percent, 67);
    assert_close(celsius, 28.7);
    free(text);
    text = read("battery-14.txt");
    assert_int_equal(ts_device_read_battery(text, &percent, &celsius), TS_OK);
    assert_close(percent, 82);
    assert_close(celsius, -1.5);
    free(text);
    assert_int_equal(ts_device_read_battery("Can't find service: battery\n", &percent, &celsius),
                     TS_EPROTO);
    assert_true(isnan(percent) && isnan(celsius));
    assert_int_equal(ts_device_read_battery("level: 50\r\n", &percent, &celsius), TS_OK);
    assert_close(percent, 50);
    assert_true(isnan(celsius));
}

static void thermal_and_settings(void **state)
{
    (void)state;
    char *text = read("thermal-12.txt");
    assert_int_equal(ts_device_read_thermal_status(text), 2);
    free(text);
    assert_int_equal(ts_device_read_thermal_status("Thermal Status: -8001\n"), -1);
    assert_int_equal(ts_device_read_thermal_status("Thermal Status: 7\n"), -1);
    assert_int_equal(ts_device_read_thermal_status("Can't find service: thermalservice\n"), -1);
    assert_close(ts_device_read_number("0.5\n"), 0.5);
    assert_close(ts_device_read_number("128\n"), 128);
    assert_close(ts_device_read_number("-1\n"), -1);
    assert_true(isnan(ts_device_read_number("null\n")));
    assert_true(isnan(ts_device_read_number("")));
    assert_int_equal(ts_device_read_night_mode("Night mode: yes\n"), 1);
    assert_int_equal(ts_device_read_night_mode("Night mode: no\n"), 0);
    assert_int_equal(ts_device_read_night_mode("Night mode: auto\n"), 2);
    assert_int_equal(ts_device_read_night_mode("No shell command implementation.\n"), -1);
    assert_int_equal(ts_device_read_pid("4660 4711\n"), 4660);
    assert_int_equal(ts_device_read_pid("\n"), 0);
    assert_int_equal(ts_device_read_pid("pidof: not found\n"), -1);
}

static void package(void **state)
{
    (void)state;
    struct ts_device_package found;
    char *text = read("package-9.txt"), version[48];
    assert_int_equal(ts_device_read_package(text, "com.android.calculator2", &found), TS_OK);
    assert_string_equal(found.version_name, "7.8 (271241277)");
    assert_string_equal(found.version_code, "78000302");
    assert_string_equal(found.last_update, "2024-03-11 19:04:51");
    assert_int_equal(found.uid, 10050);
    assert_int_equal(ts_device_read_package(text, "com.android.calculator", &found), TS_EPROTO);
    ts_device_read_package_version(text, version, sizeof version);
    assert_string_equal(version, "7.8 (271241277) (78000302)");
    free(text);
    text = read("package-14.txt");
    assert_int_equal(ts_device_read_package(text, "org.example.notes", &found), TS_OK);
    assert_string_equal(found.version_name, "2.1.0");
    assert_int_equal(found.uid, 10231);
    free(text);
    ts_device_read_package_version("Unable to find package: x\n", version, sizeof version);
    assert_string_equal(version, "");
}

static void model(void **state)
{
    (void)state;
    static const struct {
        const char *text, *model;
    } cases[] = {
        {"Google\nPixel 8\ngoogle/shiba/shiba:14/UQ1A.240205.004/11269751:user/release-keys\n",
         "Google Pixel 8, Android 14, UQ1A.240205.004/11269751"},
        {"HUAWEI\r\nHUAWEI P30\r\nHUAWEI/ELE/HWELE:9/X/1:user/release-keys\r\n",
         "HUAWEI P30, Android 9, X/1"},
        {"\nSM-S911B\n\n", "SM-S911B"},
        {"\n\na/b/c:14/U/1:user/k\n", "Android 14, U/1"},
        {"samsung\nSM-G9\nno fingerprint\n", "samsung SM-G9"},
        {"\n\n\n", ""},
        {"", ""},
    };
    char text[96];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ts_device_read_model(cases[i].text, text, sizeof text);
        assert_string_equal(text, cases[i].model);
    }
}

static void compiler_filter(void **state)
{
    (void)state;
    static const struct {
        const char *file, *package, *filter;
    } cases[] = {
        {"dexopt-7.txt", "com.android.calculator2", "speed-profile"},
        {"dexopt-7.txt", "org.example.notes", "interpret-only"},
        {"dexopt-14.txt", "com.android.calculator2", "verify"},
        {"dexopt-14.txt", "org.example.notes", "speed-profile"},
        {"dexopt-14.txt", "org.example", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = read(cases[i].file), filter[32];
        ts_device_read_compiler_filter(text, cases[i].package, filter, sizeof filter);
        assert_string_equal(filter, cases[i].filter);
        free(text);
    }
}

static void refresh_rate(void **state)
{
    (void)state;
    char *text = read("display-7.txt");
    assert_close(ts_device_read_refresh_hz(text), 59.999);
    free(text);
    text = read("display-14.txt");
    assert_close(ts_device_read_refresh_hz(text), 120.00001);
    free(text);
    assert_true(isnan(ts_device_read_refresh_hz("mode 2, modes [{id=1, fps=60}]")));
}

static void focus(void **state)
{
    (void)state;
    struct ts_focus found;
    char *text = read("window-7.txt"), window[32];
    assert_int_equal(ts_focus_read_all(text, &found), TS_OK);
    assert_string_equal(found.window, "com.android.launcher3/com.android.launcher3.Launcher");
    assert_string_equal(found.activity, "com.android.launcher3/.Launcher");
    assert_int_equal(found.user, 0);
    assert_int_equal(found.keyguard, 0);
    assert_int_equal(found.awake, 1);
    ts_focus_read(text, window, sizeof window);
    assert_string_equal(window, "com.android.launcher3/com.andro");
    free(text);
    text = read("window-14.txt");
    assert_int_equal(ts_focus_read_all(text, &found), TS_OK);
    assert_string_equal(found.window, "Application Not Responding: org.example.notes");
    assert_string_equal(found.activity, "org.example.notes/org.example.notes.ui.Main");
    assert_int_equal(found.user, 10);
    assert_int_equal(found.keyguard, 1);
    assert_true(ts_focus_is_dialog(found.window));
    free(text);
    assert_int_equal(ts_focus_read_all("  mCurrentFocus=Window{9 u0 a.b/c.D paused=false}", &found),
                     TS_OK);
    assert_string_equal(found.window, "a.b/c.D");
    assert_int_equal(ts_focus_read_all("Error\n", &found), TS_EPROTO);
    assert_true(ts_focus_is_dialog("com.google.android.permissioncontroller/com.android."
                                   "permissioncontroller.permission.ui.GrantPermissionsActivity"));
    assert_false(ts_focus_is_dialog("com.google.android.gmsx/.Main"));
    assert_false(ts_focus_is_dialog("org.example.notes/.Main"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(battery),         cmocka_unit_test(thermal_and_settings),
        cmocka_unit_test(package),         cmocka_unit_test(model),
        cmocka_unit_test(compiler_filter), cmocka_unit_test(refresh_rate),
        cmocka_unit_test(focus),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
