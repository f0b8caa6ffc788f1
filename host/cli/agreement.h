/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `touchstone agreement --annotations PATH...`: automatic against manual, and people against each
 * other. */
#ifndef TS_CLI_AGREEMENT_H
#define TS_CLI_AGREEMENT_H

#include "cli/agreement_summary.h"
#include "report/out.h"

extern const char *const ts_end_names[TS_END_COUNT]; /* "first_change", "settled" */

int ts_cli_agreement(int argc, char **argv);

/* ---- its parts; summaries: [TS_END_COUNT] ---- */
void ts_agreement_put_text(const struct ts_judged *judged, const struct ts_end_summary *summaries,
                           struct ts_out *out);
int ts_agreement_put_json(const struct ts_judged *judged, const struct ts_end_summary *summaries,
                          struct ts_out *out) TS_MUST_CHECK;
/* An SVG file of its own, two panels: automatic across manual, and the difference across the mean.
 * TS_ENOTSUP, TS_ETIMEOUT, TS_EIO: gnuplot, as report/figure.h; TS_EOF: nothing to draw. */
int ts_agreement_draw(const struct ts_end_summary *summary, struct ts_out *out) TS_MUST_CHECK;

#endif
