/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/share_rig.h"

#include "model/record.h"
#include "store/annotations_file.h"
#include "store/campaign_file.h"
#include "store/check_file.h"
#include "store/layout.h"
#include "store/record_file.h"
#include "store/verify_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RECORD_MOST ((size_t)1 << 20)
#define PEOPLE_MOST 1000

static void strip_identity(struct ts_identity *identity)
{
    identity->rig[0] = identity->host[0] = '\0';
}

/* err: of printing the bytes, which are freed. */
static int write_file(const char *folder, const char *name, struct ts_buf *bytes, int err,
                      struct ts_why *why)
{
    struct ts_path path;
    if (err)
        err = ts_fail(why, err, "%s: %s", name, ts_err_text(err));
    if (!err)
        err = ts_path_format(&path, why, "%s/%s", folder, name);
    if (!err)
        err = ts_file_write(path.text, bytes, why);
    ts_buf_free(bytes);
    return err;
}

static int make_folder(const char *folder, const char *name, struct ts_why *why)
{
    struct ts_path path;
    const int err = ts_path_format(&path, why, "%s/%s", folder, name);
    return err ? err : ts_folder_make(path.text, why);
}

/* When, and on which model of phone. */
static int share_campaign(const char *dir, const char *folder, struct ts_why *why)
{
    struct ts_campaign_file campaign;
    const int err = ts_campaign_file_read(dir, &campaign, why);
    campaign.rig[0] = campaign.device[0] = '\0';
    return err ? err : ts_campaign_file_write(folder, &campaign, why);
}

static int share_record(const char *dir, const char *folder, int kind, struct ts_why *why)
{
    struct ts_path path;
    struct ts_buf bytes = {0};
    struct ts_record record;
    struct ts_why inner = {""};
    char name[40];
    snprintf(name, sizeof name, "rig/%s.json", ts_record_names[kind]);
    int err = ts_path_format(&path, why, "%s/%s", dir, name);
    if (err || !ts_file_exists(path.text))
        return err;
    err = ts_file_read(path.text, RECORD_MOST, &bytes, why);
    if (err)
        return err;
    err = ts_record_parse((const char *)bytes.data, bytes.size - 1, &record, &inner);
    ts_buf_clear(&bytes);
    if (err) {
        ts_buf_free(&bytes);
        return ts_fail(why, err, "%s: %s", path.text, inner.text);
    }
    strip_identity(&record.identity);
    return write_file(folder, name, &bytes, ts_record_print(&record, &bytes), why);
}

/* That it was, and no word of why: its lines name rigs and computers. */
static int share_forced(const char *dir, const char *folder, struct ts_why *why)
{
    struct ts_path path;
    struct ts_buf bytes = {0};
    const int err = ts_path_format(&path, why, "%s/rig/forced.txt", dir);
    if (err || !ts_file_exists(path.text))
        return err;
    return write_file(folder, "rig/forced.txt", &bytes,
                      ts_buf_printf(&bytes, "calibration files were used (--force) that were "
                                            "stale, or of another rig\n"),
                      why);
}

static int share_certificate(const char *dir, const char *folder, struct ts_why *why)
{
    struct ts_certificate *certificate = malloc(sizeof *certificate);
    struct ts_buf bytes = {0};
    if (!certificate)
        return ts_fail(why, TS_ENOMEM, "out of memory");
    int err = ts_certificate_load_attached(dir, certificate, why);
    if (!err)
        err = make_folder(folder, "checks", why);
    if (!err) {
        strip_identity(&certificate->identity);
        certificate->who[0] = '\0';
        err = write_file(folder, "checks/certificate.json", &bytes,
                         ts_certificate_print(certificate, &bytes), why);
    }
    free(certificate);
    return err == TS_EOF ? TS_OK : err;
}

static int share_verdict(const char *dir, const char *folder, struct ts_why *why)
{
    struct ts_check_verdict verdict;
    struct ts_buf bytes = {0};
    int err = ts_check_verdict_load(dir, &verdict, why);
    if (err == TS_EOF)
        return TS_OK;
    if (!err)
        err = make_folder(folder, "checks", why);
    if (err)
        return err;
    if (*verdict.why)
        snprintf(verdict.why, sizeof verdict.why,
                 "the check standard was out of its limits, or could not be played");
    return write_file(folder, "checks/verdict.json", &bytes,
                      ts_check_verdict_print(&verdict, &bytes), why);
}

int ts_share_rig(const struct ts_session *session, const char *folder, struct ts_why *why)
{
    const char *dir = ts_session_get_folder(session);
    int err = share_campaign(dir, folder, why);
    if (!err)
        err = make_folder(folder, "rig", why);
    for (int kind = 0; kind < TS_RECORD_COUNT && !err; kind++)
        err = share_record(dir, folder, kind, why);
    if (!err)
        err = share_forced(dir, folder, why);
    if (!err)
        err = share_certificate(dir, folder, why);
    return err ? err : share_verdict(dir, folder, why);
}

/* ---- people's marks ---- */

struct people {
    char (*names)[TS_MARKS_BY_MAX]; /* owned, [PEOPLE_MOST] */
    size_t count;
};

/* The number of that person, from 1. */
static size_t number_of(struct people *people, const char *name)
{
    size_t n = 0;
    while (n < people->count && strcmp(people->names[n], name) != 0)
        n++;
    if (n == people->count && n < PEOPLE_MOST)
        snprintf(people->names[people->count++], TS_MARKS_BY_MAX, "%s", name);
    return n + 1;
}

static int share_marks(const struct ts_session *session, int launch, const char *folder,
                       struct people *people, struct ts_why *why)
{
    struct ts_annotations annotations = {0};
    struct ts_buf bytes = {0};
    struct ts_path path;
    char name[60];
    int err =
        ts_layout_file(ts_session_get_folder(session), launch, "annotations.json", &path, why);
    if (!err)
        err = ts_annotations_load(path.text, &annotations, why);
    if (err || !annotations.count)
        return err;
    for (size_t i = 0; i < annotations.count; i++) {
        struct ts_annotation *one = &annotations.items[i];
        snprintf(one->by, sizeof one->by, "person %zu", number_of(people, one->by));
        one->marks.note[0] = one->frames_csv[0] = '\0';
    }
    snprintf(name, sizeof name, "launches/%04d/annotations.json", launch);
    err = ts_annotations_print(&annotations, ts_session_get_info(session)->touchstone, &bytes);
    err = write_file(folder, name, &bytes, err, why);
    ts_annotations_free(&annotations);
    return err;
}

int ts_share_annotations(const struct ts_session *session, const char *folder, struct ts_why *why)
{
    struct people people = {.names = calloc(PEOPLE_MOST, sizeof *people.names)};
    int err = people.names ? TS_OK : ts_fail(why, TS_ENOMEM, "out of memory");
    for (int launch = 1; launch <= ts_session_launch_count(session) && !err; launch++)
        err = share_marks(session, launch, folder, &people, why);
    free(people.names);
    return err;
}
