/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What doctor found: each measured against a limit, with what to do about it. */
#ifndef TS_CLI_DOCTOR_FINDINGS_H
#define TS_CLI_DOCTOR_FINDINGS_H

#include "instrument/noise.h"
#include "measure/health.h"
#include "report/table.h"
#include "store/rig.h"
#include "wire/wire.h"

enum ts_found { TS_FOUND_OK, TS_FOUND_NOTE, TS_FOUND_WARNING, TS_FOUND_FAILURE };
extern const char *const ts_found_names[]; /* "ok", "note", "warning", "failure" */

struct ts_finding {
    enum ts_found level;
    char name[32];
    double value;       /* the measured one as a number; NAN: it is none */
    char measured[120]; /* in words, with its unit */
    char limit[80];     /* in words; "" none */
    char advice[360];   /* one sentence; "" when all is well */
};

#define TS_FINDINGS_MOST 40
struct ts_findings {
    struct ts_finding items[TS_FINDINGS_MOST];
    int count;
};

/* One more, all well so far; the caller may worsen it. */
struct ts_finding *ts_found(struct ts_findings *findings, const char *name, double value,
                            const char *limit, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* Of two reasons to worry the worse stays, of equals the first. */
void ts_found_worse(struct ts_finding *finding, enum ts_found level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
enum ts_found ts_found_worst(const struct ts_findings *findings);

void ts_findings_print(const struct ts_findings *findings, struct ts_text_style style,
                       struct ts_out *out);
void ts_findings_json(const struct ts_findings *findings, struct ts_out *out);

/* ---- what the short session says ---- */

struct ts_doctor_session {
    struct ts_health health;
    struct ts_identity identity;
    struct ts_calibration found;
    struct ts_why note; /* what could not be learnt; "" nothing */
    bool has_phone;     /* or it was asked to do without */
    int touches_asked;
    bool status_known; /* the board's own word after the session */
    struct wire_status status;
    bool mcu_noise_known;
    struct ts_noise mcu_noise;
};
/* Asks the board for its STATUS, on a bench whose session is over; false: it does not answer. */
struct ts_bench;
bool ts_doctor_ask_status(struct ts_bench *bench, struct wire_status *status);
void ts_doctor_judge_session(const struct ts_doctor_session *session, struct ts_findings *findings);

/* ---- what lies on the disk, and the computer itself ---- */

/* session: NULL, there was none. given: what the files say. */
void ts_doctor_judge_files(const char *rig_dir, const struct ts_rig *rig,
                           const struct ts_doctor_session *session, int64_t now_s,
                           struct ts_findings *findings);
/* folder: where sessions go; gigabytes: that shall be free there. */
void ts_doctor_judge_computer(const char *folder, double gigabytes, struct ts_findings *findings);

#endif
