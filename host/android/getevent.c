/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "android/getevent.h"

#include "android/scan.h"

#include <string.h>

#define NO_CONTACT 0xffffffffu

/* "   414624.658986]": the bracket in front is taken. */
static bool scan_time(struct ts_scan *s, struct ts_phone_up *at)
{
    int64_t seconds, us;
    ts_scan_spaces(s);
    if (!ts_scan_number(s, 9, &seconds) || !ts_scan_char(s, '.'))
        return false;
    const char *first = s->at;
    if (!ts_scan_number(s, 6, &us) || s->at - first != 6 || !ts_scan_char(s, ']'))
        return false;
    at->ns = seconds * TS_NS_PER_S + us * TS_NS_PER_US;
    return true;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool read_value(struct ts_scan word, uint32_t *value)
{
    static const char *const names[] = {"UP", "DOWN", "REPEAT"};
    for (uint32_t i = 0; i < 3; i++) {
        if (ts_scan_is(&word, names[i])) {
            *value = i;
            return true;
        }
    }
    if (!ts_scan_left(&word) || ts_scan_left(&word) > 8)
        return false;
    for (*value = 0; word.at < word.end; word.at++) {
        const int digit = hex_digit(*word.at);
        if (digit < 0)
            return false;
        *value = *value * 16 + (uint32_t)digit;
    }
    return true;
}

static struct ts_scan next_word(struct ts_scan *s)
{
    ts_scan_spaces(s);
    return ts_scan_word(s, " \r\n");
}

int ts_getevent_parse(const char *text, size_t size, struct ts_getevent *event)
{
    struct ts_scan s = ts_scan_of(text, size);
    *event = (struct ts_getevent){0};
    if (!ts_scan_char(&s, '[') || !scan_time(&s, &event->at))
        return TS_EPROTO;
    struct ts_scan type = next_word(&s);
    if (ts_scan_left(&type) > 1 && *type.at == '/' && type.end[-1] == ':') {
        type.end--;
        ts_scan_copy(&type, event->device, sizeof event->device);
        type = next_word(&s);
    }
    const struct ts_scan code = next_word(&s), value = next_word(&s);
    if (!ts_scan_left(&type) || !ts_scan_left(&code) || !read_value(value, &event->value))
        return TS_EPROTO;
    ts_scan_copy(&type, event->type, sizeof event->type);
    ts_scan_copy(&code, event->code, sizeof event->code);
    return TS_OK;
}

bool ts_getevent_is_touch(const struct ts_getevent *event)
{
    static const char *const codes[] = {"ABS_MT_SLOT", "ABS_MT_TRACKING_ID", "BTN_TOUCH",
                                        "SYN_REPORT"};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        if (!strcmp(event->code, codes[i]))
            return true;
    }
    return false;
}

static bool any_contact(const struct ts_touch *touch)
{
    bool any = touch->key;
    for (int i = 0; i < TS_TOUCH_SLOTS; i++)
        any |= touch->in_slot[i];
    return any;
}

bool ts_touch_follow(struct ts_touch *touch, const struct ts_getevent *event)
{
    if (strcmp(event->code, "ABS_MT_SLOT") == 0) {
        touch->slot = event->value;
    } else if (strcmp(event->code, "ABS_MT_TRACKING_ID") == 0 && touch->slot < TS_TOUCH_SLOTS) {
        touch->in_slot[touch->slot] = event->value != NO_CONTACT;
    } else if (strcmp(event->code, "BTN_TOUCH") == 0) {
        touch->key = event->value != 0;
    } else if (strcmp(event->code, "SYN_REPORT") == 0) {
        const bool before = touch->touching;
        touch->touching = any_contact(touch);
        return touch->touching != before;
    }
    return false;
}
