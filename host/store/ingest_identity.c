/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/ingest.h"

#include "store/campaign_file.h"
#include "store/files.h"
#include "store/record_file.h"

#include <stdio.h>
#include <string.h>

#define FILE_MOST   ((size_t)256 << 20)
#define RECORD_MOST ((size_t)1 << 20)

void ts_ingest_rig_values(const struct ts_session *session, char *text, size_t size)
{
    struct ts_calibration given;
    struct ts_why ignored;
    *text = '\0';
    if (ts_session_load_given(session, &given, &ignored))
        return;
    snprintf(text, size, "%s %.9g %.9g %.9g %.9g %d", ts_session_get_info(session)->bench,
             given.lift_delay_ms, given.lift_common_u_ms, given.exposure_ms, given.readout_ms,
             given.plate_taps);
    const size_t used = strlen(text);
    if (given.shunt_mohm > 0) /* most rigs have no such file, and keep the text that they had */
        snprintf(text + used, size - used, " %.9g %.9g", given.shunt_mohm, given.shunt_zero_uv);
}

/* Two campaigns of one plan and seed have the same session.json; the journal of the calibration
 * tells them apart, by its stamps. It was whole before the first launch, so both never change. */
static int find_digest(const char *dir, struct ts_ingest_identity *out, struct ts_why *why)
{
    static const char *const names[] = {"session.json", "calibration/events.jsonl"};
    struct ts_buf bytes = {0};
    int err = TS_OK;
    for (int i = 0; i < 2 && !err; i++) {
        struct ts_path path;
        err = ts_path_format(&path, why, "%s/%s", dir, names[i]);
        if (!err)
            err = ts_file_read(path.text, FILE_MOST, &bytes, why);
    }
    if (!err && ts_digest_of(bytes.data, bytes.size, out->digest))
        err = ts_fail(why, TS_ENOMEM, "out of memory");
    ts_buf_free(&bytes);
    return err;
}

static int find_rig(const char *dir, struct ts_ingest_identity *out, struct ts_why *why)
{
    for (int kind = 0; kind < TS_RECORD_COUNT; kind++) {
        struct ts_path path;
        struct ts_buf bytes = {0};
        struct ts_record record;
        struct ts_why inner;
        int err = ts_path_format(&path, why, "%s/rig/%s.json", dir, ts_record_names[kind]);
        if (err)
            return err;
        if (!ts_file_exists(path.text))
            continue;
        err = ts_file_read(path.text, RECORD_MOST, &bytes, why);
        if (err)
            return err;
        err = ts_record_parse((const char *)bytes.data, bytes.size - 1, &record, &inner);
        ts_buf_free(&bytes);
        if (err)
            return ts_fail(why, err, "%s: %s", path.text, inner.text);
        if (!*out->rig)
            memcpy(out->rig, record.identity.rig, sizeof out->rig);
        if (!*out->device)
            memcpy(out->device, record.identity.phone, sizeof out->device);
    }
    return TS_OK;
}

int ts_ingest_identify(const struct ts_session *session, struct ts_ingest_identity *out,
                       struct ts_why *why)
{
    const char *dir = ts_session_get_folder(session);
    *out = (struct ts_ingest_identity){0};
    ts_ingest_rig_values(session, out->rig_values, sizeof out->rig_values);
    struct ts_campaign_file campaign;
    int err = find_digest(dir, out, why);
    if (!err)
        err = ts_campaign_file_read(dir, &campaign, why);
    if (err)
        return err;
    memcpy(out->started, campaign.started, sizeof out->started);
    memcpy(out->rig, campaign.rig, sizeof out->rig);
    snprintf(out->device, sizeof out->device, "%s",
             *campaign.device ? campaign.device : campaign.phone);
    return find_rig(dir, out, why);
}
