/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an app is made of, from the files of its APK: its manifest (compiled XML: AOSP's
 * ResourceTypes.h, struct ResXMLTree and struct ResStringPool) and its code (Dalvik executables:
 * source.android.com, "Dalvik executable format", header_item). Any bytes are taken. */
#ifndef TS_ANDROID_APK_H
#define TS_ANDROID_APK_H

#include "base/err.h"

#include <stddef.h>

struct ts_apk_manifest {
    char package[128];
    int permissions, activities, services, receivers, providers;
    int min_sdk, target_sdk; /* -1: a preview of Android, which has a name and no number */
};
/* AndroidManifest.xml. TS_EPROTO: it is no compiled manifest, or names no package. */
int ts_apk_read_manifest(const void *bytes, size_t size, struct ts_apk_manifest *out,
                         struct ts_why *why) TS_MUST_CHECK;

struct ts_apk_code {
    unsigned long methods, classes; /* that it refers to; that it defines */
};
#define TS_APK_CODE_HEADER 112 /* bytes; no more are looked at */
/* classes.dex, or classes2.dex and so on. TS_EPROTO: it is no Dalvik executable. */
int ts_apk_read_code(const void *bytes, size_t size, struct ts_apk_code *out,
                     struct ts_why *why) TS_MUST_CHECK;

#endif
