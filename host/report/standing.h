/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a session keeps of how far its rig is to be trusted: the certificate that was attached to
 * it, what the check standard said, and what --force overrode. */
#ifndef TS_REPORT_STANDING_H
#define TS_REPORT_STANDING_H

#include "model/certificate.h"
#include "report/out.h"
#include "report/table.h"
#include "store/check_file.h"
#include "store/json_out.h"

struct ts_standing {
    struct ts_certificate *certificate; /* owned; NULL: not verified */
    bool checked;
    struct ts_check_verdict check; /* when checked */
    char *forced;                  /* owned; why it should not have been used; NULL: nothing */
    struct ts_why damage;          /* of these files, which are then as if missing; "" none */
};

/* Damaged files are no error but a remark: the results themselves are sound. TS_ENOMEM. */
int ts_standing_load(const char *session_dir, struct ts_standing *out,
                     struct ts_why *why) TS_MUST_CHECK;
void ts_standing_free(struct ts_standing *standing);
/* Something speaks against the rig: forced, failed, out of control, or damaged. */
bool ts_standing_doubtful(const struct ts_standing *standing);

/* What has to be known before any number, as notices at the top of the page; nothing when nothing
 * speaks against the rig. */
void ts_standing_notices(const struct ts_standing *standing, struct ts_out *out);
/* A section of the page. */
void ts_standing_section(const struct ts_standing *standing, struct ts_out *out);
void ts_standing_text(const struct ts_standing *standing, struct ts_text_style style,
                      struct ts_out *out);
/* A member "instrument". */
void ts_standing_json(const struct ts_standing *standing, struct ts_json_out *json);

#endif
