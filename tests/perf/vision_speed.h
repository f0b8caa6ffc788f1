/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of `vision-speed`. */
#ifndef TESTS_PERF_VISION_SPEED_H
#define TESTS_PERF_VISION_SPEED_H

/* A launch as a camera sends it, kernel and detector together; then recordings, decoded alone and
 * analysed. 0, or 1 when it could not run. */
int perf_vision_stream(void);

#endif
