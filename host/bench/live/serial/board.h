/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A port and the link on it, from the reset that opening pulls, over the greeting, to the end. No
 * thread: whoever owns it polls its descriptor. */
#ifndef TS_LIVE_SERIAL_BOARD_H
#define TS_LIVE_SERIAL_BOARD_H

#include "bench/common/link.h"
#include "bench/live/serial/port.h"

/* After a reset a bootloader listens, some for as long as somebody talks: nothing is said for
 * LISTEN. Boards greet unasked when they start; those that have not are asked, until ANSWER. */
#define TS_BOARD_LISTEN_NS (1500 * TS_NS_PER_MS)
#define TS_BOARD_ANSWER_NS (4500 * TS_NS_PER_MS)

struct ts_board;

/* As in struct ts_link_ops; from the greeting (HELLO_IS) on. */
typedef void ts_board_item(void *context, const struct ts_item *item);

int ts_board_open(const struct ts_port_id *id, ts_board_item *item, void *context,
                  struct ts_board **out, struct ts_why *why) TS_MUST_CHECK;
/* Items go there from now on. */
void ts_board_follow(struct ts_board *board, ts_board_item *item, void *context);
void ts_board_close(struct ts_board *board);

const struct ts_port_id *ts_board_id(const struct ts_board *board);
bool ts_board_greeted(const struct ts_board *board);
struct ts_link *ts_board_link(struct ts_board *board);

/* What to wait for: input, or the host clock. */
int ts_board_fd(const struct ts_board *board);
int64_t ts_board_deadline_ns(const struct ts_board *board);
/* Takes input and does what is due. TS_EOF: the port is gone; TS_ETIMEOUT: it was asked, and it is
 * no board of ours, or does not answer any more; TS_EPROTO: its firmware speaks another version. */
int ts_board_work(struct ts_board *board, struct ts_why *why) TS_MUST_CHECK;

#endif
