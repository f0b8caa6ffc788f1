/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/estimate_apk.h"

#include "android/apk.h"
#include "base/buf.h"
#include "cli/estimate.h"
#include "cli/json_text.h"

#include <archive.h>
#include <archive_entry.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MANIFEST_MOST ((size_t)16 << 20)
#define BLOCK         65536

/* All of it, or what comes first of it. */
static int read_entry(struct archive *archive, size_t most, struct ts_buf *out)
{
    char block[BLOCK];
    while (out->size < most) {
        const size_t left = most - out->size;
        const la_ssize_t got =
            archive_read_data(archive, block, left < sizeof block ? left : sizeof block);
        if (got < 0)
            return TS_EPROTO;
        if (!got)
            return TS_OK;
        if (ts_buf_append(out, block, (size_t)got))
            return TS_ENOMEM;
    }
    return TS_OK;
}

static double level(int sdk)
{
    return sdk < 0 ? (double)NAN : sdk;
}

static int take_manifest(const struct ts_buf *bytes, struct ts_apk *out, struct ts_why *why)
{
    struct ts_apk_manifest manifest;
    const int err = ts_apk_read_manifest(bytes->data, bytes->size, &manifest, why);
    if (err)
        return err;
    memcpy(out->package, manifest.package, sizeof out->package);
    out->values[TS_FEATURE_apk_permissions] = manifest.permissions;
    out->values[TS_FEATURE_apk_activities] = manifest.activities;
    out->values[TS_FEATURE_apk_services] = manifest.services;
    out->values[TS_FEATURE_apk_receivers] = manifest.receivers;
    out->values[TS_FEATURE_apk_providers] = manifest.providers;
    out->values[TS_FEATURE_apk_min_sdk] = level(manifest.min_sdk);
    out->values[TS_FEATURE_apk_target_sdk] = level(manifest.target_sdk);
    return TS_OK;
}

static int take_code(const struct ts_buf *bytes, struct ts_apk *out, struct ts_why *why)
{
    struct ts_apk_code code;
    const int err = ts_apk_read_code(bytes->data, bytes->size, &code, why);
    out->values[TS_FEATURE_apk_dex] += !err;
    out->values[TS_FEATURE_apk_methods] += (double)code.methods;
    out->values[TS_FEATURE_apk_classes] += (double)code.classes;
    return err;
}

static bool ends_in(const char *name, const char *ending)
{
    const size_t size = strlen(name), tail = strlen(ending);
    return size > tail && strcmp(name + size - tail, ending) == 0;
}

static int take_entry(struct archive *archive, const char *name, struct ts_apk *out,
                      struct ts_why *why)
{
    struct ts_buf bytes = {0};
    const bool manifest = strcmp(name, "AndroidManifest.xml") == 0;
    const bool code = strncmp(name, "classes", 7) == 0 && ends_in(name, ".dex");
    out->values[TS_FEATURE_apk_libraries] += strncmp(name, "lib/", 4) == 0 && ends_in(name, ".so");
    if (!manifest && !code)
        return TS_OK;
    int err = read_entry(archive, manifest ? MANIFEST_MOST : TS_APK_CODE_HEADER, &bytes);
    if (err)
        ts_fail(why, err, "%s cannot be unpacked", name);
    else
        err = manifest ? take_manifest(&bytes, out, why) : take_code(&bytes, out, why);
    ts_buf_free(&bytes);
    return err;
}

static int read_archive(struct archive *archive, struct ts_apk *out, struct ts_why *why)
{
    struct archive_entry *entry;
    int found;
    while ((found = archive_read_next_header(archive, &entry)) == ARCHIVE_OK) {
        const char *name = archive_entry_pathname(entry);
        const int err = name ? take_entry(archive, name, out, why) : TS_OK;
        if (err)
            return err;
    }
    if (found != ARCHIVE_EOF)
        return ts_fail(why, TS_EPROTO, "it is no APK: %s", archive_error_string(archive));
    return *out->package ? TS_OK : ts_fail(why, TS_EPROTO, "it is no APK: it has no manifest");
}

int ts_apk_open(const char *path, struct ts_apk *out, struct ts_why *why)
{
    struct archive *archive = archive_read_new();
    struct ts_why inner = {""};
    struct stat status;
    int err = TS_OK;
    *out = (struct ts_apk){.package = ""};
    for (size_t i = 0; i < TS_FEATURE_COUNT; i++)
        out->values[i] = ts_features[i].probe == TS_PROBE_APK ? 0 : NAN;
    if (!archive)
        return ts_fail(why, TS_ENOMEM, "out of memory");
    if (stat(path, &status) || !S_ISREG(status.st_mode))
        err = ts_fail(why, TS_EIO, "%s: is no file", path);
    else if (archive_read_support_format_zip_seekable(archive) != ARCHIVE_OK ||
             archive_read_open_filename(archive, path, BLOCK) != ARCHIVE_OK)
        err = ts_fail(why, TS_EPROTO, "%s: it is no APK: %s", path, archive_error_string(archive));
    if (!err) {
        out->values[TS_FEATURE_apk_kb] = (double)status.st_size / 1000;
        err = read_archive(archive, out, &inner);
        if (err)
            ts_fail(why, err, "%s: %s", path, inner.text);
    }
    archive_read_free(archive);
    return err;
}

void ts_apk_fill(const struct ts_apk *apks, size_t count, const char *package, double *values)
{
    const size_t size = strcspn(package, "/");
    for (size_t i = 0; i < count; i++) {
        if (strncmp(apks[i].package, package, size) != 0 || apks[i].package[size])
            continue;
        for (size_t j = 0; j < TS_FEATURE_COUNT; j++)
            values[j] = ts_features[j].probe == TS_PROBE_APK ? apks[i].values[j] : values[j];
    }
}

/* ---- the action ---- */

int ts_estimate_apk(const struct ts_estimate_request *request, struct ts_out *out,
                    struct ts_why *why)
{
    json_t *all = request->json ? json_array() : NULL;
    int err = TS_OK;
    for (size_t i = 0; i < request->path_count && !err; i++) {
        struct ts_apk apk;
        err = ts_apk_open(request->paths[i], &apk, why);
        json_t *one = !err && all ? json_object() : NULL;
        if (one)
            json_object_set_new(one, "package", ts_json_name(apk.package));
        else if (!err)
            ts_out_printf(out, "%s\n", apk.package);
        for (size_t j = 0; j < TS_FEATURE_COUNT && !err; j++) {
            if (ts_features[j].probe != TS_PROBE_APK)
                continue;
            if (one)
                json_object_set_new(one, ts_features[j].name, ts_json_figure(apk.values[j]));
            else if (isnan(apk.values[j]))
                ts_out_printf(out, "  %-16s NA\n", ts_features[j].name);
            else
                ts_out_printf(out, "  %-16s %.12g\n", ts_features[j].name, apk.values[j]);
        }
        if (one)
            json_array_append_new(all, one);
    }
    if (!err && all)
        return ts_json_put_line(json_pack("{s:o}", "apks", all), out);
    json_decref(all);
    return err;
}
