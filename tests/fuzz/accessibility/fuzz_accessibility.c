/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as accessibility events, and as what `am start -W` prints. */
#include "android/accessibility.h"
#include "android/am_start.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What is kept of an event is all that can be read from what is kept. */
static void read_event(const char *text, size_t size)
{
    struct ts_accessibility_event event, again;
    char line[TS_ACCESSIBILITY_LINE_MAX];
    if (ts_accessibility_parse(text, size, &event))
        return;
    ts_accessibility_print(&event, line, sizeof line);
    if (strlen(line) + 1 == sizeof line) /* cut */
        abort();
    if (ts_accessibility_parse(line, strlen(line), &again) || again.uptime_ms != event.uptime_ms ||
        again.kind != event.kind)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *copy = malloc(size + !size), *text = malloc(size + 1);
    if (copy && text) {
        struct ts_am_start start;
        memcpy(copy, data, size);
        memcpy(text, data, size);
        text[size] = '\0';
        read_event(copy, size);
        if (ts_am_start_read(text, &start) == TS_OK && start.total_ms < 0)
            abort();
    }
    free(copy);
    free(text);
    return 0;
}
