/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The helper app's manifest, as aapt compiled it and with its texts in UTF-8, and its code. What
 * must come out is what fixtures/helper-app/AndroidManifest.xml says. */
#include "android/apk.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define MOST 8192

static size_t load(const char *name, uint8_t *bytes)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", CORPUS, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    const size_t size = fread(bytes, 1, MOST, file);
    fclose(file);
    assert_true(size > 100 && size < MOST);
    return size;
}

static void reads_manifests(void **state)
{
    (void)state;
    static const char *const names[] = {"helper_utf16.xml", "helper_utf8.xml"};
    for (size_t i = 0; i < 2; i++) {
        uint8_t bytes[MOST];
        struct ts_apk_manifest manifest;
        struct ts_why why = {""};
        const size_t size = load(names[i], bytes);
        assert_int_equal(ts_apk_read_manifest(bytes, size, &manifest, &why), TS_OK);
        assert_string_equal(manifest.package, "org.touchstone.helper");
        assert_int_equal(manifest.permissions, 1);
        assert_int_equal(manifest.activities, 3);
        assert_int_equal(manifest.services, 1);
        assert_int_equal(manifest.receivers, 1);
        assert_int_equal(manifest.providers, 0);
        assert_int_equal(manifest.min_sdk, 24);
        assert_int_equal(manifest.target_sdk, 29);
    }
}

static void refuses_what_is_cut_off(void **state)
{
    (void)state;
    uint8_t bytes[MOST];
    struct ts_why why = {""};
    const size_t whole = load("helper_utf16.xml", bytes);
    for (size_t size = 0; size < whole; size++) {
        struct ts_apk_manifest manifest;
        uint8_t *cut = malloc(size + 1);
        assert_non_null(cut);
        memcpy(cut, bytes, size);
        assert_int_equal(ts_apk_read_manifest(cut, size, &manifest, &why), TS_EPROTO);
        free(cut);
    }
    struct ts_apk_manifest manifest;
    assert_int_equal(ts_apk_read_manifest("<manifest/>", 11, &manifest, &why), TS_EPROTO);
    assert_non_null(strstr(why.text, "compiled"));
}

static void reads_code(void **state)
{
    (void)state;
    uint8_t bytes[MOST];
    struct ts_apk_code code;
    struct ts_why why = {""};
    assert_int_equal(load("helper_dex_header", bytes), TS_APK_CODE_HEADER);
    assert_int_equal(ts_apk_read_code(bytes, TS_APK_CODE_HEADER, &code, &why), TS_OK);
    assert_true(code.methods == 145 && code.classes == 12); /* dexdump -f says the same */
    assert_int_equal(ts_apk_read_code(bytes, TS_APK_CODE_HEADER - 1, &code, &why), TS_EPROTO);
    bytes[0] = 'D';
    assert_int_equal(ts_apk_read_code(bytes, TS_APK_CODE_HEADER, &code, &why), TS_EPROTO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reads_manifests),
                                       cmocka_unit_test(refuses_what_is_cut_off),
                                       cmocka_unit_test(reads_code)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
