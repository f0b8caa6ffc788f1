/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/analyze_bar.h"

#include "base/time.h"
#include "cli/cli.h"

#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define WIDTH    24
#define EVERY_NS (100 * TS_NS_PER_MS)
#define WIPE     "\r\033[K"

/* Nothing is written but the result at the end, so there is nothing to put in order. */
static void stop_plainly(int number)
{
    (void)number;
    _exit(TS_EXIT_STOPPED);
}

static void stop_on_terminal(int number)
{
    (void)number;
    /* If the terminal takes nothing there is nobody to tell. */
    if (write(STDERR_FILENO, WIPE, sizeof WIPE - 1) < 0)
        _exit(TS_EXIT_STOPPED);
    _exit(TS_EXIT_STOPPED);
}

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * TS_NS_PER_S + now.tv_nsec;
}

void ts_analyze_bar_begin(struct ts_analyze_bar *bar)
{
    *bar = (struct ts_analyze_bar){.shown = isatty(STDERR_FILENO) == 1, .began_ns = now_ns()};
    bar->drawn_ns = bar->began_ns + 4 * EVERY_NS; /* short films need no bar */
    const struct sigaction action = {.sa_handler = bar->shown ? stop_on_terminal : stop_plainly};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

void ts_analyze_bar_tell(void *user, size_t done, size_t expected)
{
    struct ts_analyze_bar *bar = user;
    const int64_t now = bar->shown ? now_ns() : 0;
    if (!bar->shown || now - bar->drawn_ns < EVERY_NS)
        return;
    bar->drawn_ns = now;
    bar->drawn = true;
    const double rate = (double)done * 1e9 / (double)(now - bar->began_ns);
    if (expected < done) {
        fprintf(stderr, WIPE "%zu frames, %.0f frames/s", done, rate);
        return;
    }
    char line[WIDTH + 1];
    for (size_t i = 0; i < WIDTH; i++)
        line[i] = i * expected < done * WIDTH ? '#' : '.';
    line[WIDTH] = '\0';
    fprintf(stderr, WIPE "[%s] %zu/%zu frames, %.0f frames/s", line, done, expected, rate);
}

void ts_analyze_bar_end(struct ts_analyze_bar *bar)
{
    if (bar->drawn)
        fputs(WIPE, stderr);
    bar->drawn = false;
}
