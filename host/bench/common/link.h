/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The host's end of the MCU link: framing, acknowledgement, retransmission, clock readings. The
 * same code serves the live and the simulated bench; they differ in where bytes come from. It has
 * no thread and reads no clock: its owner says what time it is. */
#ifndef TS_BENCH_COMMON_LINK_H
#define TS_BENCH_COMMON_LINK_H

#include "base/err.h"
#include "model/item.h"

/* One command travels at a time; it is repeated this often before the MCU counts as lost. */
#define TS_LINK_RESEND_NS       (40 * TS_NS_PER_MS)
#define TS_LINK_RESENDS         25
#define TS_LINK_PING_TIMEOUT_NS (400 * TS_NS_PER_MS)

struct ts_link_ops {
    /* Hands bytes to the port; called from inside the functions below. */
    int (*write)(void *context, const uint8_t *bytes, size_t size);
    /* An item for the bench's queue: arrival is set, sequence is not. */
    void (*item)(void *context, const struct ts_item *item);
};

struct ts_link;

int ts_link_create(const struct ts_link_ops *ops, void *context,
                   struct ts_link **out) TS_MUST_CHECK;
void ts_link_destroy(struct ts_link *link);

/* Says hello until the board answers; commands wait for that. */
int ts_link_start(struct ts_link *link, struct ts_host_time now) TS_MUST_CHECK;
/* TS_COMMAND_MCU_SEND, or TS_COMMAND_CLOCK_READ of the MCU. */
int ts_link_command(struct ts_link *link, struct ts_host_time now,
                    const struct ts_command *command) TS_MUST_CHECK;
/* Bytes that reached the host at `arrival`. */
void ts_link_bytes(struct ts_link *link, struct ts_host_time arrival, const uint8_t *bytes,
                   size_t size);
/* When ts_link_poll() is next needed; INT64_MAX when it is not. */
int64_t ts_link_deadline_ns(const struct ts_link *link);
void ts_link_poll(struct ts_link *link, struct ts_host_time now);

#endif
