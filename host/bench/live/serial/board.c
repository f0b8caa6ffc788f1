/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/live/serial/board.h"

#include "bench/live/inbox.h"
#include "wire/wire.h"

#include <stdlib.h>
#include <string.h>

/* The link asks for a second before it gives up. */
#define ASK_AGAIN_NS (1200 * TS_NS_PER_MS)

struct ts_board {
    struct ts_port_id id;
    struct ts_port port;
    struct ts_link *link; /* owned */
    ts_board_item *item;
    void *context;
    int64_t ask_ns, give_up_ns;
    bool greeted, silent;
    int other_version; /* that its greeting named; 0: none did */
};

/* The link would take a refusal for the command's end, and then end it once more: a port that is
 * gone is seen where it is read. */
static int write_bytes(void *context, const uint8_t *bytes, size_t size)
{
    ts_port_write(&((struct ts_board *)context)->port, bytes, size);
    return TS_OK;
}

static bool is_greeting(struct ts_board *board, const struct ts_item *item)
{
    if (item->kind != TS_ITEM_MCU || item->u.mcu.type != WIRE_HELLO_IS)
        return false;
    struct wire_packet packet = {.type = item->u.mcu.type, .size = item->u.mcu.size};
    struct wire_hello hello;
    memcpy(packet.body, item->u.mcu.body, packet.size);
    if (!wire_get_hello(&packet, &hello))
        return false;
    if (hello.version == WIRE_VERSION)
        return true;
    board->other_version = hello.version;
    return false;
}

/* What comes before the greeting is of an earlier life, or noise. */
static void on_item(void *context, const struct ts_item *item)
{
    struct ts_board *board = context;
    if (!board->greeted && !is_greeting(board, item))
        return;
    board->greeted = true;
    if (item->kind == TS_ITEM_FAULT && item->u.fault.fault == TS_FAULT_MCU_LOST)
        board->silent = true;
    board->item(board->context, item);
}

void ts_board_follow(struct ts_board *board, ts_board_item *item, void *context)
{
    board->item = item;
    board->context = context;
}

int ts_board_open(const struct ts_port_id *id, ts_board_item *item, void *context,
                  struct ts_board **out, struct ts_why *why)
{
    static const struct ts_link_ops ops = {write_bytes, on_item};
    struct ts_board *board = calloc(1, sizeof *board);
    if (!board || ts_link_create(&ops, board, &board->link)) {
        free(board);
        return ts_fail(why, TS_ENOMEM, "no memory for the link to %s", id->path);
    }
    board->id = *id;
    ts_board_follow(board, item, context);
    const int err = ts_port_open(id, &board->port, why);
    if (err) {
        ts_board_close(board);
        return err;
    }
    const int64_t now_ns = ts_live_now().ns;
    board->ask_ns = now_ns + TS_BOARD_LISTEN_NS;
    board->give_up_ns = now_ns + TS_BOARD_ANSWER_NS;
    *out = board;
    return TS_OK;
}

void ts_board_close(struct ts_board *board)
{
    if (!board)
        return;
    ts_port_close(&board->port);
    ts_link_destroy(board->link);
    free(board);
}

const struct ts_port_id *ts_board_id(const struct ts_board *board)
{
    return &board->id;
}

bool ts_board_greeted(const struct ts_board *board)
{
    return board->greeted;
}

struct ts_link *ts_board_link(struct ts_board *board)
{
    return board->link;
}

int ts_board_fd(const struct ts_board *board)
{
    return board->port.fd;
}

int64_t ts_board_deadline_ns(const struct ts_board *board)
{
    int64_t deadline_ns = ts_link_deadline_ns(board->link);
    if (!board->greeted && board->ask_ns < deadline_ns)
        deadline_ns = board->ask_ns;
    return !board->greeted && board->give_up_ns < deadline_ns ? board->give_up_ns : deadline_ns;
}

/* Bytes are stamped when they have been read, and no earlier: one that came meanwhile would else
 * seem to have come before it was sent, and the bounds on the MCU's clock are hard. */
static int take_input(struct ts_board *board)
{
    uint8_t bytes[4096];
    int got;
    do {
        got = ts_port_read(&board->port, bytes, sizeof bytes);
        if (got > 0)
            ts_link_bytes(board->link, ts_live_now(), bytes, (size_t)got);
    } while (got == (int)sizeof bytes);
    return got < 0 ? got : TS_OK;
}

int ts_board_work(struct ts_board *board, struct ts_why *why)
{
    if (take_input(board))
        return ts_fail(why, TS_EOF, "%s is gone", board->id.path);
    const struct ts_host_time now = ts_live_now();
    ts_link_poll(board->link, now);
    if (board->silent)
        return ts_fail(why, TS_ETIMEOUT, "the board on %s does not answer any more",
                       board->id.path);
    if (board->greeted)
        return TS_OK;
    if (board->other_version)
        return ts_fail(why, TS_EPROTO,
                       "the firmware of the board on %s speaks version %d of the protocol, this "
                       "program %d: flash it with the firmware that came with the program",
                       board->id.path, board->other_version, WIRE_VERSION);
    if (now.ns >= board->give_up_ns)
        return ts_fail(why, TS_ETIMEOUT,
                       "nothing on %s answers as a board of ours; is the firmware flashed?",
                       board->id.path);
    if (now.ns >= board->ask_ns) {
        board->ask_ns = now.ns + ASK_AGAIN_NS;
        (void)!ts_link_start(board->link, now);
    }
    return TS_OK;
}
