/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/live/serial/find.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* USB ids under which an Uno, a Mega or a copy of one shows itself: Arduino's own, and the bridges
 * that others use. The bridges may be anything; whether a board is behind one, its greeting says.
 */
static const struct {
    int vid, pid;
} known[] = {
    {0x2341, 0x0043}, {0x2341, 0x0001}, {0x2341, 0x0243}, /* Uno */
    {0x2341, 0x0042}, {0x2341, 0x0010}, {0x2341, 0x0242}, /* Mega 2560 */
    {0x2a03, 0x0043}, {0x2a03, 0x0042},                   /* the same by arduino.org */
    {0x1a86, 0x7523}, {0x1a86, 0x5523}, {0x1a86, 0x55d4}, /* WCH CH340, CH341, CH9102 */
    {0x0403, 0x6001}, {0x0403, 0x6015},                   /* FTDI FT232R, FT231X */
    {0x10c4, 0xea60}, {0x067b, 0x2303},                   /* CP210x, PL2303 */
};

struct wanted {
    int vid, pid; /* -1: any that is known */
    char serial[64];
};

static bool is_known(const struct ts_port_id *id)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (known[i].vid == id->vid && known[i].pid == id->pid)
            return true;
    }
    return false;
}

static bool fits(const struct wanted *wanted, const struct ts_port_id *id)
{
    if (wanted->vid < 0)
        return is_known(id);
    return wanted->vid == id->vid && wanted->pid == id->pid &&
           (!wanted->serial[0] || strcmp(wanted->serial, id->serial) == 0);
}

static void describe(const struct sp_port *tty, struct ts_port_id *id)
{
    *id = (struct ts_port_id){.vid = -1, .pid = -1};
    snprintf(id->path, sizeof id->path, "%s", sp_get_port_name(tty));
    if (sp_get_port_transport(tty) != SP_TRANSPORT_USB ||
        sp_get_port_usb_vid_pid(tty, &id->vid, &id->pid) != SP_OK)
        return;
    const char *serial = sp_get_port_usb_serial(tty);
    snprintf(id->serial, sizeof id->serial, "%s", serial ? serial : "");
}

static void list_for_reader(struct sp_port **ttys, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; ttys && ttys[i]; i++) {
        struct ts_port_id id;
        describe(ttys[i], &id);
        if (id.vid < 0)
            continue; /* built-in ports are many, and rarely anything */
        const int length = snprintf(text + used, size - used, "%s%s (usb:%04x:%04x%s%s)",
                                    used ? ", " : "", id.path, (unsigned)id.vid, (unsigned)id.pid,
                                    id.serial[0] ? ":" : "", id.serial);
        if (length < 0 || (size_t)length >= size - used)
            break;
        used += (size_t)length;
    }
}

static int find_usb(const struct wanted *wanted, const char *spec,
                    struct ts_port_id found[TS_FIND_MAX], struct ts_why *why)
{
    struct sp_port **ttys = NULL;
    int count = 0;
    if (sp_list_ports(&ttys) != SP_OK)
        ttys = NULL;
    for (int i = 0; ttys && ttys[i] && count < TS_FIND_MAX; i++) {
        describe(ttys[i], &found[count]);
        if (found[count].vid >= 0 && fits(wanted, &found[count]))
            count++;
    }
    if (!count) {
        char there[240];
        list_for_reader(ttys, there, sizeof there);
        ts_why_say(why,
                   "no serial port of a board (%s); is it plugged in? USB serial ports here: %s",
                   spec, there[0] ? there : "none");
    }
    sp_free_port_list(ttys);
    return count ? count : TS_EIO;
}

/* "usb:VID:PID[:SERIAL]", both in hexadecimal. */
static int parse_usb(const char *spec, struct wanted *wanted, struct ts_why *why)
{
    unsigned vid, pid;
    int end = 0;
    if (sscanf(spec, "usb:%4x:%4x%n", &vid, &pid, &end) < 2 || (spec[end] && spec[end] != ':') ||
        strlen(spec + end) > sizeof wanted->serial)
        return ts_fail(why, TS_EINVAL,
                       "\"%s\" is not usb:VID:PID or usb:VID:PID:SERIAL, for "
                       "example usb:2341:0043",
                       spec);
    wanted->vid = (int)vid;
    wanted->pid = (int)pid;
    if (spec[end])
        snprintf(wanted->serial, sizeof wanted->serial, "%s", spec + end + 1);
    return TS_OK;
}

static int find_path(const char *path, struct ts_port_id *found, struct ts_why *why)
{
    struct sp_port *tty;
    if (sp_get_port_by_name(path, &tty) != SP_OK)
        return ts_fail(why, TS_EIO, "there is no serial port %s; is the board plugged in?", path);
    describe(tty, found);
    sp_free_port(tty);
    return 1;
}

int ts_find_ports(const char *spec, struct ts_port_id found[TS_FIND_MAX], struct ts_why *why)
{
    struct wanted wanted = {.vid = -1};
    if (strlen(spec) >= sizeof found->path)
        return ts_fail(why, TS_EINVAL, "the MCU's port has too long a name");
    if (strncmp(spec, "tcp:", 4) == 0) {
        found[0] = (struct ts_port_id){.tcp = true, .vid = -1, .pid = -1};
        snprintf(found[0].path, sizeof found[0].path, "%s", spec);
        return 1;
    }
    if (spec[0] == '/')
        return find_path(spec, &found[0], why);
    if (strncmp(spec, "usb:", 4) == 0) {
        const int err = parse_usb(spec, &wanted, why);
        if (err)
            return err;
    } else if (strcmp(spec, "auto") != 0) {
        return ts_fail(why, TS_EINVAL,
                       "the MCU's port is auto, usb:VID:PID[:SERIAL], /dev/NAME or tcp:HOST:PORT, "
                       "not \"%s\"",
                       spec);
    }
    return find_usb(&wanted, spec, found, why);
}

bool ts_find_again(const struct ts_port_id *id, struct ts_port_id *found)
{
    if (!id->serial[0]) {
        if (id->tcp)
            *found = *id;
        return id->tcp || (find_path(id->path, found, NULL) > 0 && found->vid == id->vid &&
                           found->pid == id->pid);
    }
    struct wanted wanted = {.vid = id->vid, .pid = id->pid};
    struct ts_port_id all[TS_FIND_MAX];
    snprintf(wanted.serial, sizeof wanted.serial, "%s", id->serial);
    if (find_usb(&wanted, "", all, NULL) < 1)
        return false;
    *found = all[0];
    return true;
}
