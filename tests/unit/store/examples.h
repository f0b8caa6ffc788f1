/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Made-up data for the tests of this folder; the same seed gives the same data. */
#ifndef TEST_STORE_EXAMPLES_H
#define TEST_STORE_EXAMPLES_H

#include "base/rng.h"
#include "store/journal.h"
#include "store/session.h"

/* cmocka.h wants these before it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define EXAMPLE_ITEMS 40 /* of one part */

/* 320x240 px at 120 frames/s. */
extern const struct ts_camera_geometry example_camera;

void example_plan(struct ts_plan *plan); /* two apps; ts_plan_free() */
struct ts_session_info example_info(uint64_t seed);
void example_intent(struct ts_rng *rng, int launch, struct ts_evidence_intent *out);
void example_result(struct ts_rng *rng, int launch, struct ts_result *out);
void example_calibration(struct ts_rng *rng, struct ts_calibration *out);
void example_item(struct ts_rng *rng, uint64_t sequence, struct ts_item *out);
void example_command(struct ts_rng *rng, uint32_t id, struct ts_command *out);
void example_blocks(struct ts_rng *rng, uint16_t *blocks); /* 64x48 sums, noise sd 10 */

/* A new folder, and its removal with all that is in it. */
void example_folder(char path[64]);
void example_remove(const char *path);

/* Writes part `launch` as a session does: items, commands behind some of them, intent, result. */
void example_part(struct ts_session_writer *session, struct ts_rng *rng, int launch, bool video);
/* A whole session of `launches` launches. */
void example_session(const char *dir, uint64_t seed, int launches);

#endif
