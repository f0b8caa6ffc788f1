/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A rig's certificate: on one printable page that opens offline, and as a table for a terminal. */
#ifndef TS_REPORT_CERTIFICATE_H
#define TS_REPORT_CERTIFICATE_H

#include "model/certificate.h"
#include "report/out.h"
#include "report/table.h"

/* "2026-03-01 09:30 UTC" */
void ts_certificate_date(const struct ts_certificate *certificate, char *text, size_t size);
/* What is known of the display: "90 Hz; time constant not said, taken as 0 to 3 ms" */
void ts_certificate_display(const struct ts_certificate *certificate, char *text, size_t size);

void ts_certificate_page(const struct ts_certificate *certificate, struct ts_out *out);
void ts_certificate_text(const struct ts_certificate *certificate, struct ts_text_style style,
                         struct ts_out *out);
/* What failed and what to do about it, one line each; nothing when all passed. */
void ts_certificate_advice(const struct ts_certificate *certificate, struct ts_out *out);

#endif
