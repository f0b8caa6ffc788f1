/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of a rig's verification: its certificate, with a checksum like calibration files, and the
 * points of its control chart, one a line. */
#ifndef TS_STORE_VERIFY_FILE_H
#define TS_STORE_VERIFY_FILE_H

#include "base/buf.h"
#include "model/certificate.h"

int ts_certificate_print(const struct ts_certificate *certificate,
                         struct ts_buf *buf) TS_MUST_CHECK;
/* TS_EPROTO: not a certificate, or its checksum does not fit. */
int ts_certificate_parse(const char *text, size_t size, struct ts_certificate *out,
                         struct ts_why *why) TS_MUST_CHECK;
/* RIG/verify/certificate.json. TS_EOF: there is none. */
int ts_certificate_load(const char *rig_dir, struct ts_certificate *out,
                        struct ts_why *why) TS_MUST_CHECK;
int ts_certificate_save(const char *rig_dir, const struct ts_certificate *certificate,
                        struct ts_why *why) TS_MUST_CHECK;
/* Its copy in a campaign, SESSION/checks/certificate.json, byte for byte: results go with what was
 * known of their instrument, whatever becomes of the rig and of later limits. */
int ts_certificate_attach(const char *rig_dir, const char *session_dir,
                          struct ts_why *why) TS_MUST_CHECK;
/* TS_EOF: the campaign's rig had none. */
int ts_certificate_load_attached(const char *session_dir, struct ts_certificate *out,
                                 struct ts_why *why) TS_MUST_CHECK;

/* One point of RIG/verify/checks.jsonl. */
struct ts_chart_entry {
    int64_t date_s, certificate_s; /* of the check; of the certificate it was held against */
    uint64_t seed;
    char when[8];                                                      /* "before", "after" */
    char session[160];                                                 /* the campaign's folder */
    double value_ms[TS_MEASURAND_COUNT], limit_ms[TS_MEASURAND_COUNT]; /* NAN: could not be said */
    bool in_control;
};
int ts_chart_append(const char *rig_dir, const struct ts_chart_entry *entry,
                    struct ts_why *why) TS_MUST_CHECK;
/* *entries is freed by the caller. No file: none. */
int ts_chart_load(const char *rig_dir, struct ts_chart_entry **entries, size_t *count,
                  struct ts_why *why) TS_MUST_CHECK;

#endif
