/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the threads of the live devices leave their items and the bench takes them, in order of
 * arrival. Frames wait in a lane of their own: video never delays or evicts anything else, and a
 * full lane of frames loses the newest frame, counted, while the capture thread goes on.
 *
 * Threads stamp an item before they post it, so two of them may post in the wrong order. An item is
 * therefore handed out only when it is TS_INBOX_SETTLE_NS old; one that comes later still has its
 * arrival raised to that of the last one handed out, so that arrivals never go back; frames also
 * keep 20 us from each other. A frame's own arrival is its item's.
 *
 * An arrival may lie in the future, as a deadline's does: the item waits for it. */
#ifndef TS_LIVE_INBOX_H
#define TS_LIVE_INBOX_H

#include "base/err.h"
#include "model/item.h"

#define TS_INBOX_SETTLE_NS (1 * TS_NS_PER_MS)

struct ts_inbox;

int ts_inbox_create(struct ts_inbox **out) TS_MUST_CHECK;
/* Releases the frames that still wait. No thread may post any more. */
void ts_inbox_destroy(struct ts_inbox *inbox);

/* Any thread. arrival is set, sequence is not; texts are copied; of a frame the inbox takes over
 * the poster's reference, also when it fails. TS_EOVERRUN: the frame was dropped and counted.
 * TS_ENOMEM: the item is lost; the next ts_inbox_take() says so. */
int ts_inbox_post(struct ts_inbox *inbox, const struct ts_item *item);
/* How many frames were dropped because nobody took them. */
uint64_t ts_inbox_frames_dropped(const struct ts_inbox *inbox);

/* One thread. The next item, or TS_ETIMEOUT when the host clock has reached `until` and there is
 * none. The item and what it points to stay valid until the next call. Sets item->sequence. */
int ts_inbox_take(struct ts_inbox *inbox, struct ts_host_time until,
                  struct ts_item *item) TS_MUST_CHECK;

/* CLOCK_MONOTONIC. Only live devices may ask. */
struct ts_host_time ts_live_now(void);

#endif
