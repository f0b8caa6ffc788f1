/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A rig's files, and the computer. */
#include "cli/calibrate_noise.h"
#include "cli/doctor_findings.h"
#include "instrument/records.h"
#include "store/verify_file.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

#define DAY_S        86400.0
#define SOON         0.8 /* of a file's days */
#define PROBE_RUNS   25
#define P999_MOST_US 100.0 /* a fiftieth of a frame is 160 */
#define LOST_NOTE    0.05
#define GIGABYTE     1e9
#define LEARNT_FIRST ((1u << TS_RECORD_NOISE) - 1) /* what every result rests on */

/* The file is there and cannot be believed. */
static bool is_damaged(const char *rig_dir, int kind, struct ts_why *why)
{
    struct ts_rig rig;
    if (ts_rig_open(rig_dir, ~(1u << kind), &rig, why) != TS_OK)
        return true;
    ts_rig_free(&rig);
    return false;
}

static void judge_record(const char *rig_dir, const struct ts_rig *rig, int kind,
                         const struct ts_identity *now_with, int64_t now_s,
                         struct ts_findings *findings)
{
    const struct ts_record *record = &rig->records[kind];
    const char *name = ts_record_names[kind];
    char line[32];
    const int good_days = ts_record_days((enum ts_record_kind)kind);
    struct ts_why why = {""};
    char limit[80];
    snprintf(line, sizeof line, "%s file", name);
    snprintf(limit, sizeof limit, "%d days", good_days);
    if (!rig->known[kind]) {
        const bool damaged = is_damaged(rig_dir, kind, &why);
        if (!damaged && kind == TS_RECORD_POWER)
            return; /* a rig without a power meter lacks nothing */
        struct ts_finding *missing =
            ts_found(findings, line, NAN, limit, damaged ? "damaged" : "not calibrated");
        if (damaged)
            ts_found_worse(missing, TS_FOUND_FAILURE,
                           "%.200s (`touchstone calibrate %s --rig %.80s`), or take the file away.",
                           why.text, name, rig_dir);
        else
            ts_found_worse(missing, LEARNT_FIRST >> kind & 1 ? TS_FOUND_WARNING : TS_FOUND_NOTE,
                           "Run `touchstone calibrate %s --rig %.80s%s`.", name, rig_dir,
                           kind == TS_RECORD_OBSERVERS ? " --plan PLAN.yaml" : "");
        return;
    }
    const double days = (double)(now_s - record->date_s) / DAY_S;
    struct ts_finding *finding = ts_found(findings, line, days, limit, "%.1f days old", days);
    if (ts_record_check(record, now_with, now_s, &why))
        ts_found_worse(finding, TS_FOUND_FAILURE, "%c%.300s.",
                       why.text[0] == 't' ? 'T' : why.text[0], why.text + 1);
    else if (days > SOON * good_days)
        ts_found_worse(finding, TS_FOUND_NOTE, "Calibrate again within %.0f days.",
                       good_days - days);
}

/* What the session found of the camera against the files. */
static void judge_agreement(const struct ts_rig *rig, const struct ts_doctor_session *session,
                            struct ts_findings *findings)
{
    struct ts_calibration given;
    struct ts_why why = {""};
    ts_calibration_nominal(&given);
    if (!session->found.camera_known || !rig->known[TS_RECORD_CAMERA] ||
        ts_record_apply(&rig->records[TS_RECORD_CAMERA], &given, &why))
        return;
    const int err = ts_camera_agrees(&given, &session->found, &why);
    struct ts_finding *finding = ts_found(findings, "camera now", session->found.exposure_ms,
                                          "as on file, 3.3 u", "exposure %.2f, rows %.2f ms",
                                          session->found.exposure_ms, session->found.readout_ms);
    if (err)
        ts_found_worse(finding, TS_FOUND_FAILURE, "%c%.300s.",
                       why.text[0] == 't' ? 'T' : why.text[0], why.text + 1);
}

static void judge_certificate(const char *rig_dir, const struct ts_rig *rig, int64_t now_s,
                              struct ts_findings *findings)
{
    const char *limit = "passed, the newest";
    struct ts_certificate *certificate = calloc(1, sizeof *certificate);
    struct ts_why why = {""};
    int64_t newest_s = 0;
    if (!certificate)
        return;
    const int err = ts_certificate_load(rig_dir, certificate, &why);
    for (int kind = 0; kind < TS_RECORD_COUNT; kind++) {
        if (rig->known[kind] && LEARNT_FIRST >> kind & 1 && rig->records[kind].date_s > newest_s)
            newest_s = rig->records[kind].date_s;
    }
    if (err == TS_EOF) {
        ts_found_worse(
            ts_found(findings, "certificate", NAN, limit, "none"), TS_FOUND_NOTE,
            "Run `touchstone verify --rig %.80s`, so that every report can say how right "
            "this rig is.",
            rig_dir);
    } else if (err) {
        ts_found_worse(ts_found(findings, "certificate", NAN, limit, "damaged"), TS_FOUND_FAILURE,
                       "%.200s: run `touchstone verify --rig %.80s` again.", why.text, rig_dir);
    } else {
        const double days = (double)(now_s - certificate->date_s) / DAY_S;
        struct ts_finding *finding =
            ts_found(findings, "certificate", days, limit, "%s, %.1f days old",
                     certificate->passed ? "passed" : "failed", days);
        if (!certificate->passed)
            ts_found_worse(finding, TS_FOUND_FAILURE,
                           "The rig did not pass its verification: calibrate it again, then run "
                           "`touchstone verify --rig %.80s`.",
                           rig_dir);
        if (certificate->date_s < newest_s)
            ts_found_worse(
                finding, TS_FOUND_WARNING,
                "The rig was calibrated since: run `touchstone verify --rig %.80s` again.",
                rig_dir);
    }
    free(certificate);
}

void ts_doctor_judge_files(const char *rig_dir, const struct ts_rig *rig,
                           const struct ts_doctor_session *session, int64_t now_s,
                           struct ts_findings *findings)
{
    struct ts_identity now_with = {.rig = ""};
    if (session)
        now_with = session->identity;
    snprintf(now_with.rig, sizeof now_with.rig, "%s", rig->name);
    ts_noise_name_host(now_with.host, sizeof now_with.host);
    for (int kind = 0; kind < TS_RECORD_COUNT; kind++)
        judge_record(rig_dir, rig, kind, &now_with, now_s, findings);
    if (session)
        judge_agreement(rig, session, findings);
    judge_certificate(rig_dir, rig, now_s, findings);
}

static void judge_noise(struct ts_findings *findings)
{
    struct ts_host_noise *noise = malloc(sizeof *noise);
    struct ts_why why = {"out of memory"};
    const int err = noise ? ts_noise_probe(PROBE_RUNS, noise, &why) : TS_ENOMEM;
    if (err) {
        ts_found_worse(ts_found(findings, "host noise", NAN, "", "not measured"), TS_FOUND_NOTE,
                       "%.300s.", why.text);
    } else {
        struct ts_finding *finding =
            ts_found(findings, "host noise", noise->p999_us, "100 us, 5 %",
                     "P99.9 %.2f us, %.1f %% lost", noise->p999_us, 100 * noise->lost);
        if (noise->p999_us > P999_MOST_US)
            ts_found_worse(finding, TS_FOUND_WARNING,
                           "This computer holds programs up, most on core %d: close what keeps it "
                           "busy, and set its cpufreq governor to performance.",
                           noise->worst_core);
        else if (noise->lost > LOST_NOTE)
            ts_found_worse(finding, TS_FOUND_NOTE,
                           "Other programs took %.0f %% of a core's time: close them for a "
                           "campaign.",
                           100 * noise->lost);
    }
    free(noise);
}

static void judge_disk(const char *folder, double gigabytes, struct ts_findings *findings)
{
    struct statvfs disk;
    char limit[80];
    snprintf(limit, sizeof limit, "%g GB", gigabytes);
    if (statvfs(folder, &disk) != 0) {
        ts_found_worse(ts_found(findings, "disk", NAN, limit, "unknown"), TS_FOUND_WARNING,
                       "%.100s: %s; say with --sessions where sessions go.", folder,
                       strerror(errno));
        return;
    }
    const double free_gb = (double)disk.f_bavail * (double)disk.f_frsize / GIGABYTE;
    struct ts_finding *finding =
        ts_found(findings, "disk", free_gb, limit, "%.1f GB free", free_gb);
    if (free_gb < gigabytes)
        ts_found_worse(finding, TS_FOUND_FAILURE,
                       "The disk of %.100s is nearly full: move old sessions away, or keep fewer "
                       "videos (keep_video in the plan).",
                       folder);
    else if (free_gb < 2 * gigabytes)
        ts_found_worse(finding, TS_FOUND_WARNING,
                       "The disk of %.100s has room for little more than one campaign: move old "
                       "sessions away.",
                       folder);
}

void ts_doctor_judge_computer(const char *folder, double gigabytes, struct ts_findings *findings)
{
    judge_noise(findings);
    judge_disk(folder, gigabytes, findings);
}
