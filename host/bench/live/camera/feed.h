/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What every camera driver does with its pictures: a frame of the pool, its number and stamp, into
 * the inbox; and the figures of ts_camera_state. The capture thread feeds, any thread may ask. */
#ifndef TS_LIVE_CAMERA_FEED_H
#define TS_LIVE_CAMERA_FEED_H

#include "bench/live/camera.h"
#include "bench/live/pool.h"

#include <pthread.h>

struct ts_feed {
    struct ts_inbox *inbox;
    struct ts_frame_pool *pool; /* owned */
    struct ts_camera_geometry geometry;
    struct ts_frame *frame; /* taken, not given yet */
    uint32_t sequence;      /* of the next frame */
    pthread_mutex_t lock;   /* of all below */
    struct ts_camera_state state;
    bool timing;               /* a first frame is there: */
    int64_t first_ns, last_ns; /* arrivals of the first frame since it was switched on, the last */
    uint32_t first, last;      /* and their numbers */
};

/* `stamp`: what arrivals stand for, static text. The inbox is borrowed. */
int ts_feed_open(struct ts_feed *feed, struct ts_inbox *inbox, int width_px, int height_px,
                 double rate_hz, const char *stamp) TS_MUST_CHECK;
void ts_feed_close(struct ts_feed *feed);

/* The picture to fill in; NULL: there is no free frame, which is counted, and its number is used
 * up. Asked again before it was given, the same picture. */
uint8_t *ts_feed_take(struct ts_feed *feed);
void ts_feed_give(struct ts_feed *feed, struct ts_host_time arrival);
/* So many frames are known to be missing here; their numbers are used up. */
void ts_feed_lost(struct ts_feed *feed, uint32_t count);
/* The rate is measured from the next frame on. */
void ts_feed_begin(struct ts_feed *feed);
void ts_feed_fault(struct ts_feed *feed, struct ts_host_time arrival, int detail);
void ts_feed_stamp(struct ts_feed *feed, const char *stamp);
void ts_feed_state(const struct ts_feed *feed, struct ts_camera_state *out);

/* The calling thread before all others, where the system lets it. */
void ts_feed_hurry(void);

#endif
