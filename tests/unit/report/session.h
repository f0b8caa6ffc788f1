/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A whole session folder of made-up launches, for what reads one. */
#ifndef TEST_REPORT_SESSION_H
#define TEST_REPORT_SESSION_H

#include "base/err.h"

struct session_shape {
    int apps, launches; /* of each app, round by round */
    int filmed;         /* rounds whose video is kept; 0: none */
    int frames;         /* of a video, 8 ms apart; the lift is at the fourth */
};

/* The folder must not be there. Ends the program when it cannot be written. In a video noisy grey
 * lasts until 30 frames after the lift; then the picture of the app is there, stripes. */
void session_write(const char *dir, const struct session_shape *shape);

#endif
