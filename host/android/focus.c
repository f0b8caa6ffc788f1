/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "android/focus.h"

#include "android/component.h"
#include "android/scan.h"

#include <string.h>

/* "Window{277b556 u0 com.app/com.app.Main}" behind "mCurrentFocus="; null while it changes. Since
 * Android 10 there is one for each display: the first that is not null counts. */
static void take_window(struct ts_scan s, struct ts_focus *focus)
{
    int64_t user;
    if (focus->window[0] || !ts_scan_text(&s, "Window{"))
        return;
    ts_scan_word(&s, " ");
    ts_scan_spaces(&s);
    struct ts_scan rest = s;
    if (ts_scan_char(&rest, 'u') && ts_scan_number(&rest, 4, &user) && ts_scan_char(&rest, ' ')) {
        focus->user = (int)user;
        s = rest;
    }
    struct ts_scan name = ts_scan_word(&s, "}");
    if (ts_scan_has(&name, '/')) /* "... paused=false", "... EXITING" may follow an activity */
        name = ts_scan_word(&name, " ");
    ts_scan_copy(&name, focus->window, sizeof focus->window);
}

/* "ActivityRecord{d7 u0 com.app/.Main t12}", since Android 11 bare, before inside an
 * AppWindowToken, behind "mFocusedApp=". */
static void take_activity(struct ts_scan s, struct ts_focus *focus)
{
    struct ts_scan before;
    if (focus->activity[0] || !ts_scan_until(&s, "ActivityRecord{", &before))
        return;
    while (s.at < s.end) {
        const struct ts_scan word = ts_scan_word(&s, " }");
        if (ts_scan_has(&word, '/')) {
            ts_scan_copy(&word, focus->activity, sizeof focus->activity);
            return;
        }
        if (!ts_scan_char(&s, ' '))
            return;
    }
}

/* The keyguard has had many names; any "true" counts, since none of them is true without it. */
static const struct {
    const char *words;
    bool awake; /* says whether the screen is on, else whether the keyguard is shown */
    int value;
} words[] = {
    {"mShowingLockscreen=true", false, 1},
    {"mShowingLockscreen=false", false, 0},
    {"mKeyguardShowing=true", false, 1},
    {"mKeyguardShowing=false", false, 0},
    {"isStatusBarKeyguard=true", false, 1},
    {"isStatusBarKeyguard=false", false, 0},
    {"isKeyguardShowing=true", false, 1},
    {"isKeyguardShowing=false", false, 0},
    {"mIsShowing=true", false, 1},
    {"mIsShowing=false", false, 0},
    {"mAwake=true", true, 1},
    {"mAwake=false", true, 0},
    {"screenState=SCREEN_STATE_ON", true, 1},
    {"screenState=SCREEN_STATE_OFF", true, 0},
    {"mWakefulness=Awake", true, 1},
    {"mWakefulness=Asleep", true, 0},
    {"mWakefulness=Dozing", true, 0},
};

static void take_words(const struct ts_scan *word, struct ts_focus *focus)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!ts_scan_is(word, words[i].words))
            continue;
        int *answer = words[i].awake ? &focus->awake : &focus->keyguard;
        if (words[i].awake ? *answer < 0 : *answer < 1)
            *answer = words[i].value;
    }
}

/* "KeyguardServiceDelegate" of `dumpsys window policy` prints a bare "showing=true" among lines of
 * its own; elsewhere "showing=" is said of other things. */
static bool is_delegate_line(const struct ts_scan *line)
{
    return ts_scan_is(line, "KeyguardServiceDelegate");
}

int ts_focus_read_all(const char *text, struct ts_focus *focus)
{
    *focus = (struct ts_focus){.user = -1, .keyguard = -1, .awake = -1};
    struct ts_scan rest = ts_scan_of(text, strlen(text));
    bool delegate = false;
    while (rest.at < rest.end) {
        struct ts_scan line = ts_scan_word(&rest, "\r\n");
        rest.at += rest.at < rest.end;
        line = ts_scan_trim(line);
        delegate |= is_delegate_line(&line);
        if (delegate && (ts_scan_is(&line, "showing=true") || ts_scan_is(&line, "showing=false"))) {
            focus->keyguard = ts_scan_is(&line, "showing=true") || focus->keyguard == 1;
            delegate = false;
        }
        struct ts_scan value = line;
        if (ts_scan_text(&value, "mCurrentFocus="))
            take_window(value, focus);
        else if (ts_scan_text(&value, "mFocusedApp="))
            take_activity(value, focus);
        while (line.at < line.end) {
            const struct ts_scan word = ts_scan_word(&line, " ");
            ts_scan_char(&line, ' ');
            take_words(&word, focus);
        }
    }
    const bool nothing =
        !focus->window[0] && !focus->activity[0] && focus->keyguard < 0 && focus->awake < 0;
    return nothing ? TS_EPROTO : TS_OK;
}

void ts_focus_read(const char *text, char *window, size_t size)
{
    struct ts_focus focus;
    *window = '\0';
    if (ts_focus_read_all(text, &focus) == TS_OK) {
        const struct ts_scan name = ts_scan_of(focus.window, strlen(focus.window));
        ts_scan_copy(&name, window, size);
    }
}

bool ts_focus_is_dialog(const char *window)
{
    static const char *const packages[] = {
        "android",
        "com.android.systemui",
        "com.android.packageinstaller",
        "com.google.android.packageinstaller",
        "com.android.permissioncontroller",
        "com.google.android.permissioncontroller",
        "com.samsung.android.permissioncontroller",
        "com.lbe.security.miui",
        "com.miui.securitycenter",
        "com.google.android.gms",
    };
    for (size_t i = 0; i < sizeof packages / sizeof *packages; i++)
        if (ts_component_same_package(window, packages[i]))
            return true;
    return strncmp(window, "Application Not Responding", 26) == 0 ||
           strncmp(window, "Application Error", 17) == 0;
}
