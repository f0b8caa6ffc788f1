/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "android/accessibility.h"

#include "android/logcat.h"
#include "android/scan.h"
#include "android/stamp.h"

#include <stdio.h>

static enum ts_accessibility_kind kind_of(const struct ts_scan *type)
{
    static const struct {
        const char *name;
        enum ts_accessibility_kind kind;
    } kinds[] = {
        {"TYPE_VIEW_CLICKED", TS_ACCESSIBILITY_CLICKED},
        {"TYPE_WINDOW_STATE_CHANGED", TS_ACCESSIBILITY_WINDOW},
        {"TYPE_WINDOW_CONTENT_CHANGED", TS_ACCESSIBILITY_CONTENT},
        {"TYPE_WINDOWS_CHANGED", TS_ACCESSIBILITY_WINDOWS_CHANGED},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (ts_scan_is(type, kinds[i].name))
            return kinds[i].kind;
    return TS_ACCESSIBILITY_OTHER;
}

static void copy_name(const struct ts_scan *name, char *out, size_t size)
{
    const struct ts_scan none = {name->at, name->at};
    ts_scan_copy(ts_scan_is(name, "null") ? &none : name, out, size);
}

int ts_accessibility_parse(const char *text, size_t size, struct ts_accessibility_event *event)
{
    struct ts_scan s = ts_scan_of(text, size), type, package, before;
    struct ts_log_line stamp;
    *event = (struct ts_accessibility_event){0};
    if (ts_stamp_scan(&s, &stamp))
        ts_scan_spaces(&s);
    if (!ts_scan_text(&s, "EventType: ") || !ts_scan_until(&s, "; ", &type) ||
        !ts_scan_text(&s, "EventTime: ") || !ts_scan_number(&s, 15, &event->uptime_ms) ||
        !ts_scan_text(&s, "; PackageName: "))
        return TS_EPROTO;
    package = ts_scan_word(&s, "; [\r\n");
    event->kind = kind_of(&type);
    ts_scan_copy(&type, event->type, sizeof event->type);
    copy_name(&package, event->package, sizeof event->package);
    /* The first thing behind the bracket; whatever an app can write comes after it. */
    if (ts_scan_until(&s, "ClassName: ", &before)) {
        const struct ts_scan name = ts_scan_word(&s, "; ]\r\n");
        copy_name(&name, event->class_name, sizeof event->class_name);
    }
    return TS_OK;
}

void ts_accessibility_print(const struct ts_accessibility_event *event, char *text, size_t size)
{
    snprintf(text, size, "EventType: %s; EventTime: %lld; PackageName: %s [ ClassName: %s ]",
             event->type, (long long)event->uptime_ms, *event->package ? event->package : "null",
             *event->class_name ? event->class_name : "null");
}
