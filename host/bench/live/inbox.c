/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/live/inbox.h"

#include "base/buf.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Two seconds of the fastest camera. Beyond that whoever takes has fallen behind for good. */
#define FRAMES_MAX 512

#define NEXT_FRAME_NS (20 * TS_NS_PER_US) /* from one frame that has waited to the next */

struct waiting {
    struct ts_item item;
    char *text; /* owned copy of the item's text, or NULL */
};

/* Sorted by arrival, the earliest first; what is posted is nearly always the latest. */
struct lane {
    struct waiting *at;
    size_t first, count, capacity;
};

struct ts_inbox {
    pthread_mutex_t lock;
    pthread_cond_t posted;
    struct lane frames, others;
    uint64_t dropped;
    bool lost; /* an item was, for want of memory */
    uint64_t sequence;
    int64_t last_ns, last_frame_ns; /* of what was handed out */
    struct waiting out;             /* what was handed out last */
};

struct ts_host_time ts_live_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (struct ts_host_time){(int64_t)now.tv_sec * TS_NS_PER_S + now.tv_nsec};
}

int ts_inbox_create(struct ts_inbox **out)
{
    struct ts_inbox *inbox = calloc(1, sizeof *inbox);
    if (!inbox)
        return TS_ENOMEM;
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&inbox->posted, &monotonic);
    pthread_condattr_destroy(&monotonic);
    /* Whoever takes must not be put aside with the lock while a thread that stamps wants to post.
     */
    pthread_mutexattr_t inherit;
    pthread_mutexattr_init(&inherit);
    pthread_mutexattr_setprotocol(&inherit, PTHREAD_PRIO_INHERIT);
    pthread_mutex_init(&inbox->lock, &inherit);
    pthread_mutexattr_destroy(&inherit);
    inbox->last_ns = INT64_MIN;
    inbox->last_frame_ns = INT64_MIN;
    *out = inbox;
    return TS_OK;
}

static void let_go(struct waiting *waiting)
{
    if (waiting->item.kind == TS_ITEM_FRAME)
        waiting->item.u.frame->ops->release(waiting->item.u.frame);
    free(waiting->text);
    *waiting = (struct waiting){0};
}

static void empty(struct lane *lane)
{
    for (size_t i = 0; i < lane->count; i++)
        let_go(&lane->at[lane->first + i]);
    free(lane->at);
}

void ts_inbox_destroy(struct ts_inbox *inbox)
{
    if (!inbox)
        return;
    let_go(&inbox->out);
    empty(&inbox->frames);
    empty(&inbox->others);
    pthread_cond_destroy(&inbox->posted);
    pthread_mutex_destroy(&inbox->lock);
    free(inbox);
}

static const char **text_of(struct ts_item *item)
{
    if (item->kind == TS_ITEM_LINE)
        return &item->u.line.text;
    return item->kind == TS_ITEM_DONE ? &item->u.done.text : NULL;
}

static bool room_for_one(struct lane *lane)
{
    if (lane->first + lane->count < lane->capacity)
        return true;
    if (lane->first > lane->count) {
        memmove(lane->at, lane->at + lane->first, lane->count * sizeof *lane->at);
        lane->first = 0;
        return true;
    }
    size_t used = lane->first + lane->count;
    return ts_grow((void **)&lane->at, &used, &lane->capacity, sizeof *lane->at);
}

static bool add(struct lane *lane, const struct waiting *added)
{
    if (!room_for_one(lane))
        return false;
    struct waiting *at = lane->at + lane->first;
    size_t i = lane->count++;
    for (; i && at[i - 1].item.arrival.ns > added->item.arrival.ns; i--)
        at[i] = at[i - 1];
    at[i] = *added;
    return true;
}

static int post(struct ts_inbox *inbox, struct waiting *added)
{
    const bool frame = added->item.kind == TS_ITEM_FRAME;
    const char **text = text_of(&added->item);
    if (text) {
        added->text = strdup(*text ? *text : "");
        *text = added->text;
    }
    pthread_mutex_lock(&inbox->lock);
    int err = TS_OK;
    if (frame && inbox->frames.count >= FRAMES_MAX) {
        inbox->dropped++;
        err = TS_EOVERRUN;
    } else if ((text && !added->text) || !add(frame ? &inbox->frames : &inbox->others, added)) {
        inbox->lost = true;
        err = TS_ENOMEM;
    }
    pthread_cond_signal(&inbox->posted);
    pthread_mutex_unlock(&inbox->lock);
    return err;
}

int ts_inbox_post(struct ts_inbox *inbox, const struct ts_item *item)
{
    struct waiting added = {.item = *item};
    const int err = post(inbox, &added);
    if (err)
        let_go(&added);
    return err;
}

uint64_t ts_inbox_frames_dropped(const struct ts_inbox *inbox)
{
    struct ts_inbox *it = (struct ts_inbox *)(uintptr_t)inbox;
    pthread_mutex_lock(&it->lock);
    const uint64_t dropped = it->dropped;
    pthread_mutex_unlock(&it->lock);
    return dropped;
}

static struct lane *earliest(struct ts_inbox *inbox)
{
    struct lane *a = &inbox->others, *b = &inbox->frames;
    if (!a->count || !b->count)
        return a->count ? a : b->count ? b : NULL;
    return b->at[b->first].item.arrival.ns < a->at[a->first].item.arrival.ns ? b : a;
}

static void hand_out(struct ts_inbox *inbox, struct lane *lane, struct ts_item *item)
{
    inbox->out = lane->at[lane->first++];
    if (--lane->count == 0)
        lane->first = 0;
    struct ts_item *out = &inbox->out.item;
    if (out->arrival.ns < inbox->last_ns)
        out->arrival.ns = inbox->last_ns;
    if (out->kind == TS_ITEM_FRAME) {
        /* Frames that come late in a bunch still follow each other; and what is journaled of a
         * frame, its item's arrival, is what is measured by. */
        const int64_t next_ns = inbox->last_frame_ns + NEXT_FRAME_NS; /* the first: long ago */
        if (out->arrival.ns < next_ns)
            out->arrival.ns = next_ns;
        inbox->last_frame_ns = out->arrival.ns;
        out->u.frame->arrival = out->arrival;
    }
    inbox->last_ns = out->arrival.ns;
    out->sequence = ++inbox->sequence;
    *item = *out;
}

int ts_inbox_take(struct ts_inbox *inbox, struct ts_host_time until, struct ts_item *item)
{
    int err = TS_ETIMEOUT;
    let_go(&inbox->out);
    pthread_mutex_lock(&inbox->lock);
    for (;;) {
        const int64_t now_ns = ts_live_now().ns;
        struct lane *lane = earliest(inbox);
        int64_t wake_ns = until.ns;
        if (inbox->lost) {
            inbox->lost = false;
            err = TS_ENOMEM;
            break;
        }
        if (lane) {
            const int64_t ready_ns = lane->at[lane->first].item.arrival.ns + TS_INBOX_SETTLE_NS;
            if (ready_ns <= now_ns) {
                hand_out(inbox, lane, item);
                err = TS_OK;
                break;
            }
            if (ready_ns < wake_ns)
                wake_ns = ready_ns;
        }
        if (until.ns <= now_ns)
            break;
        const struct timespec wake = {.tv_sec = (time_t)(wake_ns / TS_NS_PER_S),
                                      .tv_nsec = (long)(wake_ns % TS_NS_PER_S)};
        pthread_cond_timedwait(&inbox->posted, &inbox->lock, &wake);
    }
    pthread_mutex_unlock(&inbox->lock);
    return err;
}
