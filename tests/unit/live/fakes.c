/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fakes.h"

#include <stdio.h>

struct fake_state fakes[FAKES];

static int open_fake(enum fake which, const char *spec, struct ts_inbox *inbox, struct ts_why *why)
{
    struct fake_state *fake = &fakes[which];
    if (fake->refuse)
        return ts_fail(why, TS_EIO, "fake %d is not there", which);
    fake->open = true;
    fake->opened++;
    fake->inbox = inbox;
    snprintf(fake->spec, sizeof fake->spec, "%s", spec);
    return TS_OK;
}

static int command_fake(enum fake which, const struct ts_command *command)
{
    fakes[which].last = *command;
    fakes[which].commands++;
    return ts_inbox_post(fakes[which].inbox,
                         &(struct ts_item){.arrival = ts_live_now(),
                                           .kind = TS_ITEM_DONE,
                                           .u.done = {.command = command->id, .text = ""}});
}

int ts_mcu_open(const char *spec, struct ts_inbox *inbox, struct ts_mcu **out, struct ts_why *why)
{
    *out = (struct ts_mcu *)&fakes[FAKE_MCU];
    const int err = open_fake(FAKE_MCU, spec, inbox, why);
    if (err)
        *out = NULL;
    return err;
}

int ts_mcu_submit(struct ts_mcu *mcu, const struct ts_command *command)
{
    (void)mcu;
    return command_fake(FAKE_MCU, command);
}

void ts_mcu_close(struct ts_mcu *mcu)
{
    if (mcu)
        fakes[FAKE_MCU].open = false;
}

int ts_phone_open(const char *spec, struct ts_inbox *inbox, struct ts_phone **out,
                  struct ts_why *why)
{
    const int err = open_fake(FAKE_PHONE, spec, inbox, why);
    if (!err)
        *out = (struct ts_phone *)&fakes[FAKE_PHONE];
    return err;
}

int ts_phone_install(const char *spec, const char *path, struct ts_why *why)
{
    return ts_fail(why, TS_ENOTSUP, "no phone %s for %s", spec, path);
}

int ts_phone_put_package(const char *spec, const char *path, const char *to, struct ts_why *why)
{
    return ts_fail(why, TS_ENOTSUP, "no phone %s for %s at %s", spec, path, to);
}

int ts_phone_submit(struct ts_phone *phone, const struct ts_command *command)
{
    (void)phone;
    return command_fake(FAKE_PHONE, command);
}

void ts_phone_close(struct ts_phone *phone)
{
    (void)phone;
    fakes[FAKE_PHONE].open = false;
}

static int set(struct ts_camera *camera, bool on)
{
    (void)camera;
    fakes[FAKE_CAMERA].last.u.camera_on = on;
    fakes[FAKE_CAMERA].commands++;
    return TS_OK;
}

static const struct ts_camera_geometry *geometry(const struct ts_camera *camera)
{
    (void)camera;
    static const struct ts_camera_geometry shape = {.width_px = 320, .height_px = 240};
    return &shape;
}

static void close_camera(struct ts_camera *camera)
{
    (void)camera;
    fakes[FAKE_CAMERA].open = false;
}

int ts_camera_open(const char *spec, struct ts_inbox *inbox, struct ts_camera **out,
                   struct ts_why *why)
{
    static const struct ts_camera_ops ops = {
        .set = set, .geometry = geometry, .close = close_camera};
    static struct ts_camera camera = {&ops};
    const int err = open_fake(FAKE_CAMERA, spec, inbox, why);
    if (!err)
        *out = &camera;
    return err;
}
