/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/live/serial/ask.h"

#include "bench/live/inbox.h"
#include "wire/wire.h"

#include <poll.h>
#include <stdio.h>

/* The ports that were asked, until it is known which is the one. */
struct asked {
    struct ts_board *boards[TS_FIND_MAX]; /* owned; NULL: no board of ours */
    struct ts_item greetings[TS_FIND_MAX];
    struct ts_why why[TS_FIND_MAX];
    int count;
};

static void keep_greeting(void *context, const struct ts_item *item)
{
    struct ts_item *greeting = context;
    if (item->kind == TS_ITEM_MCU && item->u.mcu.type == WIRE_HELLO_IS)
        *greeting = *item;
}

static bool work_all(struct asked *asked)
{
    struct pollfd fds[TS_FIND_MAX];
    int64_t until_ns = INT64_MAX;
    bool waiting = false;
    for (int i = 0; i < asked->count; i++) {
        struct ts_board *board = asked->boards[i];
        fds[i] = (struct pollfd){.fd = board ? ts_board_fd(board) : -1, .events = POLLIN};
        if (board && ts_board_deadline_ns(board) < until_ns)
            until_ns = ts_board_deadline_ns(board);
        waiting = waiting || (board && !ts_board_greeted(board));
    }
    if (!waiting)
        return false;
    const int64_t left_ms = (until_ns - ts_live_now().ns) / TS_NS_PER_MS + 1;
    poll(fds, (nfds_t)asked->count, left_ms < 0 ? 0 : left_ms > 1000 ? 1000 : (int)left_ms);
    for (int i = 0; i < asked->count; i++) {
        if (!asked->boards[i] || !ts_board_work(asked->boards[i], &asked->why[i]))
            continue;
        ts_board_close(asked->boards[i]);
        asked->boards[i] = NULL;
    }
    return true;
}

static const struct ts_port_id *id_of(const struct asked *asked, int i)
{
    return ts_board_id(asked->boards[i]);
}

/* Which of them is the one; TS_EIO if none is, or several are. */
static int decide(const struct asked *asked, struct ts_why *why)
{
    int first = -1;
    for (int i = 0; i < asked->count; i++) {
        if (!asked->boards[i])
            continue;
        if (first >= 0)
            return ts_fail(why, TS_EIO,
                           "two boards answer: %s (serial number %s) and %s (serial number %s); "
                           "say which, by mcu=usb:VID:PID:SERIAL or mcu=/dev/NAME",
                           id_of(asked, first)->path,
                           id_of(asked, first)->serial[0] ? id_of(asked, first)->serial : "none",
                           id_of(asked, i)->path,
                           id_of(asked, i)->serial[0] ? id_of(asked, i)->serial : "none");
        first = i;
    }
    if (first >= 0)
        return first;
    size_t used = 0;
    char text[sizeof why->text] = "";
    for (int i = 0; i < asked->count && used < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", i ? "; " : "",
                                 asked->why[i].text);
    return ts_fail(why, TS_EIO, "%s", text);
}

int ts_ask_for_board(const char *spec, struct ts_board **out, struct ts_item *greeting,
                     struct ts_why *why)
{
    struct ts_port_id found[TS_FIND_MAX];
    struct asked asked = {0};
    asked.count = ts_find_ports(spec, found, why);
    if (asked.count < 0)
        return asked.count;
    for (int i = 0; i < asked.count; i++) {
        if (ts_board_open(&found[i], keep_greeting, &asked.greetings[i], &asked.boards[i],
                          &asked.why[i]))
            asked.boards[i] = NULL;
    }
    while (work_all(&asked))
        ;
    const int chosen = decide(&asked, why);
    if (chosen >= 0) {
        *out = asked.boards[chosen];
        *greeting = asked.greetings[chosen];
        asked.boards[chosen] = NULL;
    }
    for (int i = 0; i < asked.count; i++)
        ts_board_close(asked.boards[i]);
    return chosen < 0 ? chosen : TS_OK;
}
