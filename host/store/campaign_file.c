/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/campaign_file.h"

#include "store/files.h"
#include "store/json_in.h"
#include "store/json_out.h"

#define FILE_MOST ((size_t)1 << 16)

int ts_campaign_file_write(const char *dir, const struct ts_campaign_file *file, struct ts_why *why)
{
    struct ts_buf bytes = {0};
    struct ts_json_out json = {.buf = &bytes, .broken_depth = 1};
    struct ts_path path;
    ts_json_open(&json, NULL, '{');
    ts_json_text_or_null(&json, "started", file->started);
    ts_json_text_or_null(&json, "rig", file->rig);
    ts_json_text_or_null(&json, "device", file->device);
    ts_json_text_or_null(&json, "phone", file->phone);
    ts_json_close(&json, '}');
    int err = json.err ? json.err : ts_buf_append(&bytes, "\n", 1);
    if (err)
        ts_fail(why, err, "%s", ts_err_text(err));
    if (!err)
        err = ts_path_format(&path, why, "%s/campaign.json", dir);
    if (!err)
        err = ts_file_write(path.text, &bytes, why);
    ts_buf_free(&bytes);
    return err;
}

int ts_campaign_file_read(const char *dir, struct ts_campaign_file *out, struct ts_why *why)
{
    struct ts_buf bytes = {0};
    struct ts_path path;
    struct ts_why inner = {""};
    json_t *root;
    *out = (struct ts_campaign_file){{0}, {0}, {0}, {0}};
    int err = ts_path_format(&path, why, "%s/campaign.json", dir);
    if (err || !ts_file_exists(path.text))
        return err;
    err = ts_file_read(path.text, FILE_MOST, &bytes, why);
    if (err)
        return err;
    err = ts_json_in_parse((const char *)bytes.data, bytes.size - 1, "campaign", &root, &inner);
    ts_buf_free(&bytes);
    if (!err) {
        struct ts_json_in in = {root, "campaign", &inner, TS_OK};
        ts_json_in_text(&in, "started", out->started, sizeof out->started);
        ts_json_in_text(&in, "rig", out->rig, sizeof out->rig);
        ts_json_in_text(&in, "device", out->device, sizeof out->device);
        if (ts_json_in_has(&in, "phone")) /* not in older files */
            ts_json_in_text(&in, "phone", out->phone, sizeof out->phone);
        err = in.err;
        json_decref(root);
    }
    return err ? ts_fail(why, err, "%s: %s", path.text, inner.text) : TS_OK;
}
