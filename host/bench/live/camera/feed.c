/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/live/camera/feed.h"

#include <math.h>
#include <sched.h>

#define POOL_S      2
#define POOL_LEAST  16
#define POOL_MOST   512 /* as many as the inbox holds */
#define MEASURED_NS TS_NS_PER_S

int ts_feed_open(struct ts_feed *feed, struct ts_inbox *inbox, int width_px, int height_px,
                 double rate_hz, const char *stamp)
{
    const double frames = ceil(POOL_S * rate_hz);
    const size_t count = frames < POOL_LEAST  ? POOL_LEAST
                         : frames < POOL_MOST ? (size_t)frames
                                              : POOL_MOST;
    *feed = (struct ts_feed){
        .inbox = inbox,
        .geometry = {.width_px = width_px,
                     .height_px = height_px,
                     .blocks_x = width_px / TS_BLOCK_PX,
                     .blocks_y = height_px / TS_BLOCK_PX,
                     .nominal_period_ns = (int64_t)llround((double)TS_NS_PER_S / rate_hz)},
        .state.stamp = stamp,
    };
    pthread_mutex_init(&feed->lock, NULL);
    return ts_frame_pool_create(&feed->geometry, count, &feed->pool);
}

void ts_feed_close(struct ts_feed *feed)
{
    if (!feed->inbox)
        return;
    if (feed->frame)
        feed->frame->ops->release(feed->frame);
    ts_frame_pool_close(feed->pool);
    pthread_mutex_destroy(&feed->lock);
    *feed = (struct ts_feed){0};
}

uint8_t *ts_feed_take(struct ts_feed *feed)
{
    uint8_t *pixels = NULL;
    if (feed->frame)
        return (uint8_t *)(uintptr_t)feed->frame->pixels;
    feed->frame = ts_frame_pool_take(feed->pool, &pixels);
    if (feed->frame)
        return pixels;
    feed->sequence++;
    pthread_mutex_lock(&feed->lock);
    feed->state.pool_empty++;
    pthread_mutex_unlock(&feed->lock);
    return NULL;
}

/* The span of all frames since the beginning: its error is that of two stamps, and goes down with
 * time. */
static void measure(struct ts_feed *feed, int64_t arrival_ns, uint32_t sequence)
{
    if (!feed->timing) {
        feed->timing = true;
        feed->first_ns = arrival_ns;
        feed->first = sequence;
    }
    feed->last_ns = arrival_ns;
    feed->last = sequence;
    const int64_t span_ns = feed->last_ns - feed->first_ns;
    if (span_ns >= MEASURED_NS)
        feed->state.measured_hz =
            (double)(feed->last - feed->first) * (double)TS_NS_PER_S / (double)span_ns;
}

void ts_feed_give(struct ts_feed *feed, struct ts_host_time arrival)
{
    struct ts_frame *frame = feed->frame;
    if (!frame)
        return;
    feed->frame = NULL;
    const uint32_t sequence = feed->sequence++;
    frame->sequence = sequence;
    frame->arrival = arrival;
    const struct ts_item item = {.kind = TS_ITEM_FRAME, .arrival = arrival, .u.frame = frame};
    const int err = ts_inbox_post(feed->inbox, &item);
    pthread_mutex_lock(&feed->lock);
    if (err)
        feed->state.pool_empty++;
    else
        feed->state.frames++;
    measure(feed, arrival.ns, sequence);
    pthread_mutex_unlock(&feed->lock);
}

void ts_feed_lost(struct ts_feed *feed, uint32_t count)
{
    feed->sequence += count;
    pthread_mutex_lock(&feed->lock);
    feed->state.lost += count;
    pthread_mutex_unlock(&feed->lock);
}

void ts_feed_begin(struct ts_feed *feed)
{
    pthread_mutex_lock(&feed->lock);
    feed->timing = false;
    feed->state.measured_hz = 0;
    pthread_mutex_unlock(&feed->lock);
}

void ts_feed_fault(struct ts_feed *feed, struct ts_host_time arrival, int detail)
{
    const struct ts_item item = {
        .kind = TS_ITEM_FAULT, .arrival = arrival, .u.fault = {TS_FAULT_CAMERA_LOST, detail}};
    /* For want of memory it is lost; ts_inbox_take() says that, which is as bad. */
    (void)!ts_inbox_post(feed->inbox, &item);
}

void ts_feed_stamp(struct ts_feed *feed, const char *stamp)
{
    pthread_mutex_lock(&feed->lock);
    feed->state.stamp = stamp;
    pthread_mutex_unlock(&feed->lock);
}

void ts_feed_state(const struct ts_feed *feed, struct ts_camera_state *out)
{
    struct ts_feed *it = (struct ts_feed *)(uintptr_t)feed;
    pthread_mutex_lock(&it->lock);
    *out = it->state;
    pthread_mutex_unlock(&it->lock);
}

void ts_feed_hurry(void)
{
    const struct sched_param first = {.sched_priority = 10};
    pthread_setschedparam(pthread_self(), SCHED_FIFO, &first);
}
