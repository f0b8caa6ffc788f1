/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/care.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WARM_UP_MOST_S 10 /* longer heats more than it helps (paper R, section V) */
#define WAIT_MOST_S    3600

const char *const ts_profile_names[] = {"as-used", "controlled", NULL};
const char *const ts_launch_from_names[] = {"button", "icon", "am", NULL};
const char *const ts_cold_by_names[] = {"force-stop", "kill", "reboot", NULL};
const char *const ts_warm_by_names[] = {"finish", "back", NULL};
const char *const ts_compile_names[] = {"as-is", "reset", "speed-profile", "speed", NULL};
const char *const ts_animations_names[] = {"as-is", "on", "off", NULL};
const char *const ts_network_names[] = {"as-is", "off", NULL};

const char *ts_launch_zero_words(enum ts_launch_from from)
{
    return from == TS_FROM_AM ? "Android's start" : "lift";
}

void ts_care_defaults(struct ts_care *care)
{
    *care =
        (struct ts_care){.brightness = -1, .charge_high = 100, .too_hot_c = 45, .guard_tries = 1};
}

void ts_care_free(struct ts_care *care)
{
    free(care->before_campaign);
    free(care->before_launch);
    *care = (struct ts_care){0};
}

int ts_care_check(const struct ts_care *care, struct ts_why *why)
{
    struct ts_action list[TS_ACTIONS_MAX];
    struct ts_why what = {""};
    if (care->brightness < -1 || care->brightness > 255)
        return ts_fail(why, TS_EINVAL, "brightness: must be 0 to 255");
    if (care->charge_low < 0 || care->charge_high > 100 || care->charge_low + 5 > care->charge_high)
        return ts_fail(why, TS_EINVAL,
                       "charge_low, charge_high: must be 0 to 100, at least 5 apart");
    if (!(care->too_hot_c >= 25 && care->too_hot_c <= 70))
        return ts_fail(why, TS_EINVAL, "too_hot_c: must be 25 to 70 degrees Celsius");
    if (care->guard_tries < 0 || care->guard_tries > 5 || care->repeats < 0 || care->repeats > 20)
        return ts_fail(why, TS_EINVAL, "guard_tries: must be 0 to 5, repeats 0 to 20");
    if (ts_actions_parse(care->before_campaign, list, &what) < 0)
        return ts_fail(why, TS_EINVAL, "before_campaign: %s", what.text);
    if (ts_actions_parse(care->before_launch, list, &what) < 0)
        return ts_fail(why, TS_EINVAL, "before_launch: %s", what.text);
    return TS_OK;
}

/* ---- actions ---- */

struct reader {
    const char *at, *end; /* of the line, or of the part of it being read */
    struct ts_action *list;
    int count;
    struct ts_why *why;
};

static void skip_spaces(struct reader *reader)
{
    while (reader->at < reader->end && *reader->at == ' ')
        reader->at++;
}

static bool take_word(struct reader *reader, const char *word)
{
    const size_t size = strlen(word);
    skip_spaces(reader);
    if ((size_t)(reader->end - reader->at) < size || strncmp(reader->at, word, size) != 0)
        return false;
    const char *after = reader->at + size;
    if (after < reader->end && *after != ' ' && *after != ':')
        return false;
    reader->at = after;
    return true;
}

static bool take_number(struct reader *reader, double low, double high, double *out)
{
    char text[24];
    size_t size = 0;
    skip_spaces(reader);
    while (reader->at < reader->end && strchr("0123456789.", *reader->at) && size + 1 < sizeof text)
        text[size++] = *reader->at++;
    text[size] = '\0';
    char *after;
    *out = strtod(text, &after);
    return size && !*after && *out >= low && *out <= high;
}

/* Plain characters, up to a space or, as the last argument, the end. */
static bool take_text(struct reader *reader, bool last, char *out, size_t capacity)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "/._~=-+,:%@";
    size_t size = 0;
    skip_spaces(reader);
    while (reader->at < reader->end && (last || *reader->at != ' ')) {
        const char c = *reader->at++;
        if (size + 1 == capacity || !(strchr(plain, c) || c == ' '))
            return false;
        out[size++] = c;
    }
    out[size] = '\0';
    return size > 0;
}

static struct ts_action *add(struct reader *reader, enum ts_action_kind kind)
{
    struct ts_action *action = &reader->list[reader->count++];
    *action = (struct ts_action){.kind = kind};
    return action;
}

static bool read_words(struct reader *reader)
{
    struct ts_action *action;
    if (take_word(reader, "print")) {
        action = add(reader, TS_ACTION_PRINT);
        return take_text(reader, true, action->text, sizeof action->text);
    }
    if (take_word(reader, "sleep"))
        return take_number(reader, 0, WAIT_MOST_S, &add(reader, TS_ACTION_SLEEP)->number[0]);
    if (take_word(reader, "warm_up"))
        return take_number(reader, 0, WARM_UP_MOST_S, &add(reader, TS_ACTION_WARM_UP)->number[0]);
    if (take_word(reader, "cool_down")) {
        action = add(reader, TS_ACTION_COOL_DOWN);
        return take_number(reader, 0, 100, &action->number[0]) &&
               take_number(reader, 0, action->number[0], &action->number[1]) &&
               take_number(reader, 0, WAIT_MOST_S, &action->number[2]);
    }
    if (take_word(reader, "file_write")) {
        action = add(reader, TS_ACTION_FILE_WRITE);
        return take_text(reader, false, action->path, sizeof action->path) &&
               action->path[0] == '/' && take_text(reader, true, action->text, sizeof action->text);
    }
    if (!take_word(reader, "kill_background"))
        return false;
    add(reader, TS_ACTION_KILL_BACKGROUND);
    return true;
}

static int refuse(struct reader *reader, const char *from, const char *end)
{
    return ts_fail(reader->why, TS_EPROTO,
                   "\"%.*s\" is no action, or its values are out of range; there are print TEXT, "
                   "sleep S, warm_up S (at most %d), cool_down UPPER LOWER S, file_write PATH "
                   "TEXT, kill_background, if COND: ... else: ...",
                   (int)(end - from > 80 ? 80 : end - from), from, WARM_UP_MOST_S);
}

/* "A; B; C" from reader->at to `end`. */
static int read_row(struct reader *reader, const char *end)
{
    while (reader->at < end) {
        const char *from = reader->at;
        const char *stop = memchr(from, ';', (size_t)(end - from));
        reader->end = stop ? stop : end;
        while (reader->end > from && reader->end[-1] == ' ')
            reader->end--;
        if (reader->count == TS_ACTIONS_MAX)
            return ts_fail(reader->why, TS_EPROTO, "more than %d actions", TS_ACTIONS_MAX);
        if (!read_words(reader) || reader->at != reader->end)
            return refuse(reader, from, reader->end);
        reader->at = stop ? stop + 1 : end;
    }
    return TS_OK;
}

static const char *find_else(const char *from, const char *end)
{
    static const char word[] = " else:";
    for (const char *at = from; at + sizeof word - 1 <= end; at++)
        if (strncmp(at, word, sizeof word - 1) == 0)
            return at;
    return NULL;
}

static int read_condition(struct reader *reader, const char *end)
{
    const char *from = reader->at;
    if (reader->count == TS_ACTIONS_MAX)
        return ts_fail(reader->why, TS_EPROTO, "more than %d actions", TS_ACTIONS_MAX);
    const bool negated = take_word(reader, "not");
    bool good = true;
    const int condition = reader->count;
    if (take_word(reader, "rooted"))
        add(reader, TS_ACTION_IF_ROOTED);
    else if (take_word(reader, "charging"))
        add(reader, TS_ACTION_IF_CHARGING);
    else if (take_word(reader, "hotter"))
        good = take_number(reader, 0, 100, &add(reader, TS_ACTION_IF_HOTTER)->number[0]);
    else
        good = false;
    if (!good || reader->at == end || *reader->at != ':')
        return refuse(reader, from, end);
    reader->at++;
    reader->list[condition].negated = negated;
    const char *other = find_else(reader->at, end);
    int err = read_row(reader, other ? other : end);
    const int then_end = reader->count;
    reader->list[condition].skip = then_end - condition - 1;
    if (err || !other)
        return err;
    if (then_end == condition + 1)
        return refuse(reader, from, end);
    reader->at = other + strlen(" else:");
    err = read_row(reader, end);
    reader->list[then_end - 1].skips_else = true;
    reader->list[then_end - 1].skip_after = reader->count - then_end;
    return err;
}

int ts_actions_parse(const char *text, struct ts_action *list, struct ts_why *why)
{
    struct reader reader = {.at = text ? text : "", .list = list, .why = why};
    while (*reader.at) {
        const char *end = reader.at + strcspn(reader.at, "\n");
        reader.end = end;
        const int err =
            take_word(&reader, "if") ? read_condition(&reader, end) : read_row(&reader, end);
        if (err)
            return err;
        reader.at = *end ? end + 1 : end;
    }
    return reader.count;
}
