/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SESSION/checks/verdict.json: what the check standard before and after a campaign said. */
#ifndef TS_STORE_CHECK_FILE_H
#define TS_STORE_CHECK_FILE_H

#include "base/buf.h"
#include "model/certificate.h"

/* NAN: could not be said. */
struct ts_check_values {
    double value_ms[TS_MEASURAND_COUNT], limit_ms[TS_MEASURAND_COUNT];
};

struct ts_check_verdict {
    bool judged;           /* false: all was well before, and nothing followed the campaign */
    bool in_control;       /* once judged */
    char why[400];         /* it is not; "" it is */
    int64_t certificate_s; /* date of the certificate that it was held against */
    struct ts_check_values before, after;
    bool over; /* after is known */
};

int ts_check_verdict_print(const struct ts_check_verdict *verdict,
                           struct ts_buf *buf) TS_MUST_CHECK;
int ts_check_verdict_parse(const char *text, size_t size, struct ts_check_verdict *out,
                           struct ts_why *why) TS_MUST_CHECK;
int ts_check_verdict_save(const char *session_dir, const struct ts_check_verdict *verdict,
                          struct ts_why *why) TS_MUST_CHECK;
/* TS_EOF: the campaign was not checked. */
int ts_check_verdict_load(const char *session_dir, struct ts_check_verdict *out,
                          struct ts_why *why) TS_MUST_CHECK;

#endif
