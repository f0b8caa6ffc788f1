/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a compiled manifest, and as the head of a Dalvik executable. */
#include "android/apk.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size + !size); /* of exactly that size */
    struct ts_apk_manifest manifest;
    struct ts_apk_code code;
    struct ts_why why;
    if (!copy)
        return 0;
    memcpy(copy, data, size);
    if (!ts_apk_read_manifest(copy, size, &manifest, &why) &&
        (!*manifest.package || manifest.activities < 0 || manifest.target_sdk < -1))
        abort();
    if (!ts_apk_read_code(copy, size, &code, &why) && size < TS_APK_CODE_HEADER)
        abort();
    free(copy);
    return 0;
}
