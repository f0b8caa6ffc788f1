/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/check.h"

#include "base/rng.h"
#include "cli/verify_session.h"
#include "instrument/certificate.h"
#include "instrument/records.h"
#include "store/check_file.h"
#include "store/verify_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CAMERA_EDGES 210 /* 200 are wanted, and some are lost in dropped frames */
#define SEED_STREAM  0x636865636bu

/* A rig without a certificate is left alone; one that failed is no instrument. */
static int load(struct ts_check *check, struct ts_why *why)
{
    struct ts_certificate *certificate = calloc(1, sizeof *certificate);
    struct ts_why reason = {""};
    if (!certificate)
        return ts_fail(why, TS_ENOMEM, "out of memory");
    const int err = ts_certificate_load(check->rig->dir, certificate, &reason);
    if (err) {
        free(certificate);
        if (err != TS_EOF)
            return ts_fail(why, err, "%s", reason.text);
        fprintf(stderr, "touchstone: %s; until then campaigns go unchecked\n", reason.text);
        return TS_OK;
    }
    const bool passed = certificate->passed;
    ts_certificate_judge(certificate); /* for the limits of the chart */
    check->certificate = certificate;
    if (!passed)
        snprintf(check->finding.text, sizeof check->finding.text,
                 "the rig failed its latest verification; calibrate it, and run `touchstone verify "
                 "--rig %.200s`",
                 check->rig->dir);
    return TS_OK;
}

static uint64_t draw_seed(const struct ts_check *check, bool after)
{
    struct ts_rng rng;
    ts_rng_seed(&rng, check->seed, SEED_STREAM + after);
    return ts_rng_next(&rng) >> 1; /* so that JSON holds it as a number */
}

static int play(struct ts_check *check, bool after, const char *dir,
                struct ts_scene_findings *findings, struct ts_why *why)
{
    const struct ts_scene_session session = {.rig = check->rig,
                                             .options = check->options,
                                             .out = dir,
                                             .seed = draw_seed(check, after),
                                             .scenes = TS_CHECK_SCENES,
                                             .plate_taps = 0,
                                             .camera_edges = CAMERA_EDGES};
    if (isatty(STDERR_FILENO) == 1)
        fprintf(stderr, "Check standard %s the campaign ...\n", after ? "after" : "before");
    return ts_scene_session_run(&session, check->given, findings, why);
}

/* What is wrong first is what is said. */
static void judge(struct ts_check *check, const struct ts_check_point *point,
                  const struct ts_calibration *then, const struct ts_scene_findings *findings)
{
    struct ts_why reason = {""};
    if (!findings->found.camera_known)
        snprintf(reason.text, sizeof reason.text, "the check standard: %.300s",
                 findings->note.text);
    else if (ts_camera_agrees(then, &findings->found, &reason) == TS_OK)
        reason.text[0] = '\0';
    if (!*reason.text && ts_check_judge(point, &reason) == TS_OK)
        reason.text[0] = '\0';
    if (!*check->finding.text)
        check->finding = reason;
}

static int chart(const struct ts_check *check, bool after, const struct ts_check_point *point,
                 struct ts_why *why)
{
    struct ts_chart_entry entry = {.date_s = check->now_s,
                                   .certificate_s = check->certificate->date_s,
                                   .seed = draw_seed(check, after),
                                   .in_control = !*check->finding.text};
    snprintf(entry.when, sizeof entry.when, "%s", after ? "after" : "before");
    snprintf(entry.session, sizeof entry.session, "%s", check->out);
    memcpy(entry.value_ms, point->value_ms, sizeof entry.value_ms);
    memcpy(entry.limit_ms, point->limit_ms, sizeof entry.limit_ms);
    return ts_chart_append(check->rig->dir, &entry, why);
}

/* One check from playing to the chart. */
static int make(struct ts_check *check, bool after, const char *dir, struct ts_why *why)
{
    struct ts_check_point *point = after ? &check->after : &check->before;
    struct ts_scene_findings *findings = malloc(sizeof *findings);
    if (!findings)
        return ts_fail(why, TS_ENOMEM, "out of memory");
    int err = play(check, after, dir, findings, why);
    if (!err) {
        *point = ts_check_point(check->certificate->control, findings->pairs, findings->pair_count);
        judge(check, point, after ? &check->found : check->given, findings);
        if (!after)
            check->found = findings->found;
        err = chart(check, after, point, why);
    }
    free(findings);
    return err;
}

static int name_waiting(struct ts_check *check, struct ts_why *why)
{
    int size = (int)strlen(check->out), err = TS_OK;
    while (size > 1 && check->out[size - 1] == '/')
        size--;
    for (int i = 1; i < 1000 && !err; i++) {
        err = i == 1 ? ts_path_format(&check->waiting, why, "%.*s.check", size, check->out)
                     : ts_path_format(&check->waiting, why, "%.*s.check-%d", size, check->out, i);
        if (!err && !ts_file_exists(check->waiting.text))
            break;
    }
    return err;
}

int ts_check_before(struct ts_check *check, struct ts_why *why)
{
    int err = load(check, why);
    if (err || !check->certificate)
        return err;
    if (!ts_folder_is_empty(check->out)) /* said now, and not after the scenes */
        return ts_fail(why, TS_EINVAL, "%s: is not an empty folder; name a new one with --out",
                       check->out);
    if (*check->finding.text && !check->force)
        return ts_fail(why, TS_EPROTO, "%s; or measure all the same with --force",
                       check->finding.text);
    err = name_waiting(check, why);
    if (!err)
        err = make(check, false, check->waiting.text, why);
    if (err || !*check->finding.text)
        return err;
    if (!check->force)
        return ts_fail(why, TS_EPROTO,
                       "%.300s. The campaign was not begun; the check's session is %.100s; "
                       "--force measures all the same",
                       check->finding.text, check->waiting.text);
    fprintf(stderr, "touchstone: --force: %s\n", check->finding.text);
    return TS_OK;
}

static struct ts_check_values values_of(const struct ts_check_point *point)
{
    struct ts_check_values values;
    memcpy(values.value_ms, point->value_ms, sizeof values.value_ms);
    memcpy(values.limit_ms, point->limit_ms, sizeof values.limit_ms);
    return values;
}

static int write_verdict(const struct ts_check *check, bool over, struct ts_why *why)
{
    struct ts_check_verdict verdict = {.judged = over || *check->finding.text,
                                       .in_control = !*check->finding.text,
                                       .certificate_s = check->certificate->date_s,
                                       .before = values_of(&check->before),
                                       .after = values_of(&check->after),
                                       .over = over};
    snprintf(verdict.why, sizeof verdict.why, "%s", check->finding.text);
    return ts_check_verdict_save(check->out, &verdict, why);
}

int ts_check_adopt(struct ts_check *check, struct ts_why *why)
{
    struct ts_path path;
    if (!check->certificate)
        return TS_OK;
    int err = ts_path_format(&path, why, "%s/checks", check->out);
    if (!err)
        err = ts_folder_make(path.text, why);
    if (!err)
        err = ts_path_format(&path, why, "%s/checks/before", check->out);
    if (!err)
        err = ts_file_rename(check->waiting.text, path.text, why);
    if (!err)
        err = ts_certificate_attach(check->rig->dir, check->out, why);
    return err ? err : write_verdict(check, false, why);
}

int ts_check_after(struct ts_check *check, struct ts_why *why)
{
    struct ts_path path;
    if (!check->certificate)
        return TS_OK;
    int err = ts_path_format(&path, why, "%s/checks/after", check->out);
    if (!err)
        err = make(check, true, path.text, why);
    return err ? err : write_verdict(check, true, why);
}

void ts_check_free(struct ts_check *check)
{
    free(check->certificate);
    *check = (struct ts_check){0};
}
