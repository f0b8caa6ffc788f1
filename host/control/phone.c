/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "control/phone.h"

#include "base/err.h"
#include "control/phone_settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum phase { READ_SAVED, READ, SAVE, SET, READ_BACK, FORGET, LOOK, DONE };

#define SAVED_MAX 900

void ts_phone_begin(struct ts_phone *phone, enum ts_phone_task task, const struct ts_care *care)
{
    *phone = (struct ts_phone){.task = task, .care = *care};
    phone->care.before_campaign = phone->care.before_launch = NULL;
}

/* Animation scales are the same as 1, 1.0 and 1.00. */
static bool same(const char *a, const char *b)
{
    char *end_a, *end_b;
    const double x = strtod(a, &end_a), y = strtod(b, &end_b);
    if (end_a != a && end_b != b && !*end_a && !*end_b)
        return !(x < y) && !(x > y);
    return strcmp(a, b) == 0;
}

/* What the task wants of a row; NULL: nothing. */
static const char *goal(const struct ts_phone *phone, size_t row, char text[16])
{
    if (phone->task == TS_PHONE_RESTORE)
        return phone->before[row][0] ? phone->before[row] : NULL;
    return ts_phone_settings[row].wanted(&phone->care, text);
}

/* Known and not as wanted. */
static bool differs(const struct ts_phone *phone, size_t row)
{
    char text[16];
    const char *wanted = goal(phone, row, text);
    return wanted && phone->now[row][0] && !same(phone->now[row], wanted);
}

static void find(struct ts_phone *phone, const char *what, const char *is, const char *wanted,
                 const char *advice)
{
    if (phone->finding_count == TS_PHONE_FINDINGS_MAX)
        return;
    struct ts_phone_finding *finding = &phone->findings[phone->finding_count++];
    *finding = (struct ts_phone_finding){.what = what, .advice = advice};
    snprintf(finding->is, sizeof finding->is, "%s", is);
    snprintf(finding->wanted, sizeof finding->wanted, "%s", wanted);
}

static void find_row(struct ts_phone *phone, size_t row)
{
    char text[16];
    if (differs(phone, row))
        find(phone, ts_phone_settings[row].name, phone->now[row], goal(phone, row, text),
             ts_phone_settings[row].advice);
}

/* A value goes back to a shell one day: a word of plain characters, or it is not known. */
static void take_value(const char *text, const char *prefix, const char *otherwise,
                       char value[TS_PHONE_VALUE_MAX])
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    value[0] = '\0';
    if (prefix) {
        const char *found = strstr(text, prefix);
        if (!found && !(otherwise && *text))
            return;
        text = found ? found + strlen(prefix) : otherwise;
    }
    const size_t size = strspn(text, plain);
    if (size >= TS_PHONE_VALUE_MAX || !strchr("\r\n ;", text[size]))
        return;
    memcpy(value, text, size);
    value[size] = '\0';
}

/* "name=value,name=value" */
static void take_saved(struct ts_phone *phone, const char *text)
{
    for (size_t row = 0; row < ts_phone_setting_count; row++) {
        const char *name = ts_phone_settings[row].name;
        const size_t size = strlen(name);
        for (const char *at = strstr(text, name); at; at = strstr(at + 1, name)) {
            if ((at != text && at[-1] != ',') || at[size] != '=')
                continue;
            char value[TS_PHONE_VALUE_MAX];
            const size_t length = strcspn(at + size + 1, ",\r\n");
            if (length >= sizeof value)
                break;
            memcpy(value, at + size + 1, length);
            value[length] = '\0';
            take_value(value, NULL, NULL, phone->before[row]);
            phone->was_saved = true;
            break;
        }
    }
}

/* What is saved already stays: what the phone has now may be Touchstone's own. */
static bool print_saved(struct ts_phone *phone, char *text, size_t size)
{
    size_t used = 0;
    bool new = false;
    for (size_t row = 0; row < ts_phone_setting_count; row++) {
        if (differs(phone, row) && !phone->before[row][0]) {
            memcpy(phone->before[row], phone->now[row], sizeof phone->before[row]);
            new = true;
        }
        if (phone->before[row][0] && used < size)
            used += (size_t)snprintf(text + used, size - used, "%s%s=%s", used ? "," : "",
                                     ts_phone_settings[row].name, phone->before[row]);
    }
    return new &&used < size;
}

static void print_set(const struct ts_phone *phone, char *command, size_t size)
{
    const struct ts_phone_setting *row = &ts_phone_settings[phone->row];
    char text[16];
    const char *value = goal(phone, phone->row, text);
    if (row->unset && strcmp(value, "null") == 0) {
        snprintf(command, size, "%s", row->unset);
        return;
    }
    const int number = value[0] - '0';
    if (row->words[0] && number >= 0 && number < 4 && !value[1] && row->words[number])
        value = row->words[number];
    const char *place = strstr(row->set, "%s");
    snprintf(command, size, "%.*s%s%s", (int)(place - row->set), row->set, value, place + 2);
}

static void next_phase(struct ts_phone *phone, enum phase phase)
{
    phone->phase = (int)phase;
    phone->row = 0;
}

static enum phase after_read(const struct ts_phone *phone)
{
    return phone->task == TS_PHONE_CHECK ? LOOK : phone->task == TS_PHONE_SETUP ? SAVE : SET;
}

/* One command of the phase; false: the phase has none, or no more. */
static bool ask(struct ts_phone *phone, char *command, size_t size)
{
    char saved[SAVED_MAX], text[16];
    switch ((enum phase)phone->phase) {
    case READ_SAVED:
        snprintf(command, size, "settings get global " TS_PHONE_SAVED);
        return phone->row++ == 0;
    case READ:
    case READ_BACK:
        while (phone->row < ts_phone_setting_count && !goal(phone, phone->row, text))
            phone->row++;
        if (phone->row == ts_phone_setting_count)
            return false;
        snprintf(command, size, "%s", ts_phone_settings[phone->row].get);
        return true;
    case SAVE:
        if (phone->row++ || !print_saved(phone, saved, sizeof saved))
            return false;
        snprintf(command, size, "settings put global " TS_PHONE_SAVED " %s", saved);
        return true;
    case SET:
        while (phone->row < ts_phone_setting_count && !differs(phone, phone->row))
            phone->row++;
        if (phone->row == ts_phone_setting_count)
            return false;
        print_set(phone, command, size);
        return true;
    case FORGET:
        snprintf(command, size, "settings delete global " TS_PHONE_SAVED);
        return phone->row++ == 0 && phone->was_saved;
    case LOOK:
        if (phone->row == ts_phone_look_count)
            return false;
        snprintf(command, size, "%s", ts_phone_looks[phone->row].command);
        return true;
    case DONE:
        break;
    }
    return false;
}

static void leave_phase(struct ts_phone *phone)
{
    switch ((enum phase)phone->phase) {
    case READ_SAVED:
        next_phase(phone, READ);
        break;
    case READ:
        for (size_t row = 0; phone->task == TS_PHONE_CHECK && row < ts_phone_setting_count; row++)
            find_row(phone, row);
        next_phase(phone, after_read(phone));
        break;
    case SAVE:
        next_phase(phone, SET);
        break;
    case SET:
        next_phase(phone, phone->changed                    ? READ_BACK
                          : phone->task == TS_PHONE_RESTORE ? FORGET
                                                            : DONE);
        break;
    case READ_BACK:
        for (size_t row = 0; row < ts_phone_setting_count; row++)
            find_row(phone, row);
        /* What could not be restored stays saved, to be tried again. */
        next_phase(phone, phone->task == TS_PHONE_RESTORE && !phone->finding_count ? FORGET : DONE);
        break;
    default:
        next_phase(phone, DONE);
    }
}

bool ts_phone_next(struct ts_phone *phone, char *command, size_t size)
{
    while (!phone->lost && phone->phase != DONE) {
        if (ask(phone, command, size))
            return true;
        leave_phase(phone);
    }
    return false;
}

static void look(struct ts_phone *phone, int exit_code, const char *text)
{
    const struct ts_phone_look *looked = &ts_phone_looks[phone->row++];
    char is[TS_PHONE_VALUE_MAX] = "";
    if (!looked->good(&phone->care, exit_code, text, is))
        find(phone, looked->what, is, looked->wanted, looked->advice);
}

void ts_phone_answer(struct ts_phone *phone, int status, int exit_code, const char *text)
{
    if (status) {
        phone->lost = true;
        return;
    }
    switch ((enum phase)phone->phase) {
    case READ_SAVED:
        take_saved(phone, exit_code ? "" : text);
        break;
    case READ:
    case READ_BACK: {
        const struct ts_phone_setting *row = &ts_phone_settings[phone->row];
        take_value(exit_code ? "" : text, row->prefix, row->otherwise, phone->now[phone->row++]);
        break;
    }
    case SET:
        phone->changed++;
        phone->row++;
        break;
    case LOOK:
        look(phone, exit_code, text);
        break;
    default:
        break;
    }
}
