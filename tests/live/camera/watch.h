/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes what a camera posts and compares it with what its peer has shown. */
#ifndef TESTS_LIVE_CAMERA_WATCH_H
#define TESTS_LIVE_CAMERA_WATCH_H

#include "bench/live/camera.h"
#include "bench/live/inbox.h"

/* Under ThreadSanitizer, or on an emulated processor, the watcher falls behind, and frames are
 * dropped for want of free ones. */
#ifdef __SANITIZE_THREAD__
#define WATCH_SLOW 1
#elif !defined WATCH_SLOW
#define WATCH_SLOW 0
#endif

enum watch_kind { WATCH_EXACT, WATCH_BAYER, WATCH_JPEG };

struct watch {
    struct ts_inbox *inbox;
    struct ts_camera *camera;
    enum watch_kind kind;
    unsigned frames, faults;
    int fault_detail;     /* of the last one */
    int every;            /* so many rows one is compared; as opened, all */
    unsigned wrong;       /* other content than the peer's picture of that number */
    uint32_t first, last; /* numbers of frames since known */
    int64_t first_ns, last_ns;
    bool known;     /* which picture a number stands for: */
    uint32_t ahead; /* picture = sequence + ahead */
    uint8_t *drawn; /* owned */
};

/* An inbox and the camera that `spec` names, which must be there. */
void watch_open(struct watch *watch, const char *spec, enum watch_kind kind);
void watch_close(struct watch *watch);
/* Takes for so long. */
void watch_for(struct watch *watch, unsigned ms);
/* Takes until there were `frames` since the beginning or `faults`; fails the test after 20 s. */
void watch_until(struct watch *watch, unsigned frames, unsigned faults);
/* The peer counts from 0 again. */
void watch_anew(struct watch *watch);
struct ts_camera_state watch_state(const struct watch *watch);

/* Fails unless `spec` is refused with `err`, and why holds `text`. */
void watch_refused(const char *spec, int err, const char *text);

#endif
