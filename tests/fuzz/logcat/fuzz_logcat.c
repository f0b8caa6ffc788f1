/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a log and as a command's answer: read, matched, and what comes out checked for what
 * must always hold. */
#include "android/device.h"
#include "android/focus.h"
#include "android/match.h"

#include <stdlib.h>
#include <string.h>

#define EVENTS_MAX 256

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static bool is_terminated(const char *text, size_t size)
{
    return memchr(text, '\0', size) != NULL;
}

static void check(const struct ts_log_event *event, const char *text, size_t size)
{
    require(event->line.message >= text && event->line.message <= text + size);
    require(event->line.message_size <= (size_t)(text + size - event->line.message));
    require(is_terminated(event->line.tag, sizeof event->line.tag));
    require(is_terminated(event->line.stamp, sizeof event->line.stamp));
    require(is_terminated(event->component, sizeof event->component));
    require(is_terminated(event->process, sizeof event->process));
    require(is_terminated(event->caller, sizeof event->caller));
    require(is_terminated(event->reason, sizeof event->reason));
    require(ts_log_event_name(event->kind) != NULL);
    require(event->kind != TS_LOG_NOTHING || event->component[0] == '\0');
}

static void read_log(const char *text, size_t size)
{
    static struct ts_log_event events[EVENTS_MAX];
    size_t count = 0;
    const char *end = text + size;
    while (text < end && count < EVENTS_MAX) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        const size_t length = (size_t)((stop ? stop : end) - text);
        if (ts_logcat_parse_event(text, length, &events[count]) == TS_OK) {
            check(&events[count], text, length);
            count += events[count].kind != TS_LOG_NOTHING;
        }
        text += length + (stop != NULL);
    }
    static const int64_t starts[] = {INT64_MIN, 0, INT64_C(1783239713000000000)};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        const struct ts_match_query query = {
            .component = "com.app/.Main", .not_before_ns = starts[i], .not_after_ns = INT64_MAX};
        struct ts_match match;
        require(ts_match_launch(events, count, &query, &match) == TS_OK);
        require(match.started || match.start_type == TS_START_UNKNOWN);
        require(match.started || !(match.time_to_initial_display_ms >= 0));
        require(match.foreign_window == (match.foreign[0] != '\0'));
    }
}

static void read_answers(const char *text)
{
    double percent, celsius;
    char value[32];
    struct ts_device_package package;
    struct ts_focus focus;
    ts_device_read_battery(text, &percent, &celsius);
    ts_device_read_thermal_status(text);
    ts_device_read_number(text);
    ts_device_read_package(text, "com.app", &package);
    ts_device_read_package_version(text, value, sizeof value);
    ts_device_read_compiler_filter(text, "com.app", value, sizeof value);
    ts_device_read_refresh_hz(text);
    ts_device_read_night_mode(text);
    ts_device_read_pid(text);
    if (ts_focus_read_all(text, &focus) == TS_OK)
        ts_focus_is_dialog(focus.window);
    ts_focus_read(text, value, sizeof value);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* Copies of the exact size, so that a sanitizer sees the first byte read too many. */
    char *log = malloc(size + !size), *answer = malloc(size + 1);
    if (log && answer) {
        memcpy(log, data, size);
        memcpy(answer, data, size);
        answer[size] = '\0';
        read_log(log, size);
        read_answers(answer);
    }
    free(log);
    free(answer);
    return 0;
}
