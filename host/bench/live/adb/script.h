/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is written to the shell that stays open, and how its answers are read. Each request is one
 * line; its answer ends with a line "@@NUMBER ...", so that no output can be mistaken for the end
 * of another request. Pure. */
#ifndef TS_LIVE_ADB_SCRIPT_H
#define TS_LIVE_ADB_SCRIPT_H

#include "base/buf.h"
#include "base/time.h"
#include "model/item.h"

/* CLOCK_REALTIME: the shell's own variable (mksh since 2012), so that no process start lies before
 * the reading. */
int ts_adb_script_real(struct ts_buf *out, unsigned number) TS_MUST_CHECK;

/* Uptime: /proc/uptime has steps of 10 ms, so the phone itself waits for the next step and says
 * when it began and ended to wait. */
int ts_adb_script_up(struct ts_buf *out, unsigned number) TS_MUST_CHECK;

/* A quoted command, its error output among its output. */
int ts_adb_script_command(struct ts_buf *out, unsigned number, const char *quoted) TS_MUST_CHECK;
/* What a command is given as its last words where the exit code does not come by itself. */
int ts_adb_script_ending(struct ts_buf *out, unsigned number) TS_MUST_CHECK;

struct ts_adb_answer {
    size_t body_size;  /* what was printed before the end, from the first byte on */
    const char *words; /* behind "@@NUMBER ", borrowed, not terminated */
    size_t words_size;
};

/* How many bytes the whole answer takes, 0 when more must come. */
size_t ts_adb_script_answer(const uint8_t *data, size_t size, unsigned number,
                            struct ts_adb_answer *answer);

/* TS_EPROTO: no exit code, no times. A shell without EPOCHREALTIME prints nothing in its place. */
int ts_adb_script_read_exit(const struct ts_adb_answer *answer, int *exit_code) TS_MUST_CHECK;
int ts_adb_script_read_real(const struct ts_adb_answer *answer,
                            struct ts_item_clock *clock) TS_MUST_CHECK;
/* Sets t2, t3 (time since boot, with sleep) and moves t1 by as long as the phone waited.
 * TS_ETIMEOUT: it cannot have waited for a step alone; another reading may be better. */
int ts_adb_script_read_up(const struct ts_adb_answer *answer,
                          struct ts_item_clock *clock) TS_MUST_CHECK;

/* For how long the phone has slept since it was booted: `dumpsys gfxinfo PACKAGE` begins with
 * "Uptime: MS Realtime: MS" (ActivityManagerService). TS_EPROTO: it does not. */
int ts_adb_script_read_slept(const char *text, int64_t *slept_ns) TS_MUST_CHECK;

#endif
