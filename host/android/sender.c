/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "android/launch.h"

#include <string.h>

#define SYSTEM_UID  1000
#define WRITERS_MAX 32

struct writer {
    int pid;
    unsigned kinds; /* bit 1 << enum ts_log_event_kind */
    size_t lines;
};

bool ts_launch_is_callback(const struct ts_log_event *event)
{
    const char *tag = event->line.tag;
    return strncmp(tag, "am_on_", 6) == 0 || strncmp(tag, "wm_on_", 6) == 0;
}

/* Lines that system_server writes, and only it when nobody lies. */
static bool is_server_kind(const struct ts_log_event *event)
{
    if (event->kind == TS_LOG_NOTHING || event->kind == TS_LOG_LOST)
        return false;
    return !ts_launch_is_callback(event) && strcmp(event->line.tag, "AndroidRuntime") != 0;
}

static bool uid_allows(const struct ts_log_event *event)
{
    return event->line.uid == -1 || event->line.uid == SYSTEM_UID;
}

static int count_bits(unsigned bits)
{
    int count = 0;
    for (; bits; bits &= bits - 1)
        count++;
    return count;
}

/* Kinds count before lines: an app can repeat the same words without end, but of a launch it
 * knows only its own. The first process after zygote has nearly always the lower pid. */
static bool outvotes(const struct writer *a, const struct writer *b)
{
    const int kinds_a = count_bits(a->kinds), kinds_b = count_bits(b->kinds);
    if (kinds_a != kinds_b)
        return kinds_a > kinds_b;
    return a->lines != b->lines ? a->lines > b->lines : a->pid < b->pid;
}

int ts_launch_find_server(const struct ts_log_event *events, size_t count)
{
    struct writer writers[WRITERS_MAX];
    size_t writer_count = 0;
    for (size_t i = 0; i < count; i++) {
        const int pid = events[i].line.pid;
        if (pid < 0 || !is_server_kind(&events[i]) || !uid_allows(&events[i]))
            continue;
        size_t w = 0;
        while (w < writer_count && writers[w].pid != pid)
            w++;
        if (w == WRITERS_MAX)
            continue;
        if (w == writer_count)
            writers[writer_count++] = (struct writer){.pid = pid};
        writers[w].kinds |= 1u << events[i].kind;
        writers[w].lines++;
    }
    const struct writer *best = NULL;
    for (size_t w = 0; w < writer_count; w++)
        if (!best || outvotes(&writers[w], best))
            best = &writers[w];
    return best ? best->pid : -1;
}

bool ts_launch_believes(const struct ts_launch_seen *launch, const struct ts_log_event *event)
{
    return launch->server_pid >= 0 && event->line.pid == launch->server_pid && uid_allows(event) &&
           is_server_kind(event);
}

bool ts_launch_loses_server(const struct ts_log_event *event)
{
    return event->kind == TS_LOG_LOST && uid_allows(event) &&
           (event->uid == SYSTEM_UID || event->uid < 0);
}
