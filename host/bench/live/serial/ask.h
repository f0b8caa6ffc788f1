/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which of the ports that a spec may mean has a board of ours behind it: all of them are asked at
 * the same time. */
#ifndef TS_LIVE_SERIAL_ASK_H
#define TS_LIVE_SERIAL_ASK_H

#include "bench/live/serial/board.h"
#include "bench/live/serial/find.h"

/* The only board that answered, and how it greeted. Its later items go nowhere before
 * ts_board_follow(). TS_EIO: none did, or several; *why names them. */
int ts_ask_for_board(const char *spec, struct ts_board **out, struct ts_item *greeting,
                     struct ts_why *why) TS_MUST_CHECK;

#endif
