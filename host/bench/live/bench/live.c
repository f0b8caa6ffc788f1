/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/live/bench/live.h"

#include "bench/live/bench/operator.h"
#include "bench/live/camera.h"
#include "bench/live/phone.h"
#include "bench/live/serial.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct live {
    struct ts_bench base;
    struct ts_inbox *inbox; /* owned, as all below; outlives the devices */
    struct ts_mcu *mcu;
    struct ts_camera *camera; /* NULL: none */
    struct ts_phone *phone;   /* NULL: none */
    struct ts_operator person;
    uint64_t outstanding; /* commands */
    bool camera_on;
    unsigned streams; /* a bit each */
    char *phone_spec; /* owned */
};

static struct live *self(struct ts_bench *bench)
{
    return (struct live *)bench;
}

static int post_done(struct live *live, uint32_t command, struct ts_host_time at, int status)
{
    return ts_inbox_post(
        live->inbox,
        &(struct ts_item){.arrival = at, .kind = TS_ITEM_DONE, .u.done = {command, status, 0, ""}});
}

static int set_camera(struct live *live, const struct ts_command *command)
{
    const bool on = command->u.camera_on;
    const int status = live->camera ? live->camera->ops->set(live->camera, on) : TS_ENOTSUP;
    if (!status)
        live->camera_on = on;
    return post_done(live, command->id, ts_live_now(), status);
}

static int to_phone(struct live *live, const struct ts_command *command)
{
    if (!live->phone)
        return post_done(live, command->id, ts_live_now(), TS_ENOTSUP);
    const int err = ts_phone_submit(live->phone, command);
    if (!err && command->kind == TS_COMMAND_PHONE_STREAM)
        live->streams |= 1u << command->u.stream;
    if (!err && command->kind == TS_COMMAND_STREAM_END)
        live->streams &= ~(1u << command->u.stream);
    return err;
}

/* The inbox keeps items in order of arrival and hands none out before its time: a deadline is an
 * item that arrives later, and needs no timer. One that has passed arrives now. */
static struct ts_host_time not_before_now(struct ts_host_time at)
{
    const struct ts_host_time now = ts_live_now();
    return at.ns < now.ns ? now : at;
}

static int start(struct live *live, const struct ts_command *command)
{
    switch (command->kind) {
    case TS_COMMAND_MCU_SEND:
        return ts_mcu_submit(live->mcu, command);
    case TS_COMMAND_CLOCK_READ:
        return command->u.clock == TS_CLOCK_MCU ? ts_mcu_submit(live->mcu, command)
                                                : to_phone(live, command);
    case TS_COMMAND_PHONE_SHELL:
    case TS_COMMAND_PHONE_STREAM:
    case TS_COMMAND_STREAM_END:
        return to_phone(live, command);
    case TS_COMMAND_CAMERA_SET:
        return set_camera(live, command);
    case TS_COMMAND_DEADLINE:
        return post_done(live, command->id, not_before_now(command->u.at), TS_OK);
    case TS_COMMAND_OPERATOR:
        return ts_operator_ask(&live->person, live->inbox, STDIN_FILENO, command);
    }
    return TS_EINVAL;
}

static int live_submit(struct ts_bench *base, const struct ts_command *command)
{
    struct live *live = self(base);
    const int err = start(live, command);
    if (!err)
        live->outstanding++;
    return err;
}

static int live_next(struct ts_bench *base, struct ts_item *item)
{
    struct live *live = self(base);
    const bool idle = !live->outstanding && !live->camera_on && !live->streams;
    const struct ts_host_time until = {
        idle ? ts_live_now().ns + 2 * TS_INBOX_SETTLE_NS /* what has come already */ : INT64_MAX};
    const int err = ts_inbox_take(live->inbox, until, item);
    if (err)
        return err == TS_ETIMEOUT ? TS_EOF : err;
    if (item->kind == TS_ITEM_DONE)
        live->outstanding--;
    return TS_OK;
}

static const struct ts_camera_geometry *live_geometry(struct ts_bench *base)
{
    static const struct ts_camera_geometry none = {0};
    const struct live *live = self(base);
    return live->camera ? live->camera->ops->geometry(live->camera) : &none;
}

static void live_close(struct ts_bench *base)
{
    struct live *live = self(base);
    ts_operator_leave(&live->person);
    ts_mcu_close(live->mcu);
    if (live->camera)
        live->camera->ops->close(live->camera);
    if (live->phone)
        ts_phone_close(live->phone);
    ts_inbox_destroy(live->inbox);
    free(live->phone_spec);
    free(live);
}

/* By a connection of its own: whatever else the phone does goes on. */
static int live_put_file(struct ts_bench *base, const char *path, const char *to,
                         struct ts_why *why)
{
    const struct live *live = self(base);
    if (!live->phone)
        return ts_fail(why, TS_ENOTSUP, "this bench has no phone to put %s on", path);
    return ts_phone_put_package(live->phone_spec, path, to, why);
}

/* ---- opening ---- */

struct specs {
    const char *mcu, *camera, *phone;
};

/* `text` is cut up, and specs point into it. */
static int parse(char *text, const char *phone, struct specs *out, struct ts_why *why)
{
    *out = (struct specs){"auto", "ps3eye", phone ? phone : "auto"};
    char *rest = NULL;
    for (char *pair = strtok_r(text, ",", &rest); pair; pair = strtok_r(NULL, ",", &rest)) {
        char *equals = strchr(pair, '=');
        if (!equals || !equals[1])
            return ts_fail(why, TS_EINVAL, "bench: \"%.80s\" is not of the form key=value", pair);
        *equals = '\0';
        if (strcmp(pair, "mcu") == 0)
            out->mcu = equals + 1;
        else if (strcmp(pair, "camera") == 0)
            out->camera = equals + 1;
        else if (strcmp(pair, "phone") == 0)
            out->phone = equals + 1;
        else
            return ts_fail(why, TS_EINVAL,
                           "bench: the live bench has no option \"%.40s\"; it has mcu, camera and "
                           "phone",
                           pair);
    }
    return TS_OK;
}

static bool is_wanted(const char *spec)
{
    return strcmp(spec, "none") != 0;
}

/* What is told soonest comes first; the board is reset last, when the rest is there. */
static int open_devices(struct live *live, const struct specs *specs, struct ts_why *why)
{
    int err = ts_inbox_create(&live->inbox);
    if (err)
        return ts_fail(why, err, "no memory for the live bench");
    if (is_wanted(specs->camera))
        err = ts_camera_open(specs->camera, live->inbox, &live->camera, why);
    if (!err && !(live->phone_spec = strdup(specs->phone)))
        err = ts_fail(why, TS_ENOMEM, "no memory for the live bench");
    if (!err && is_wanted(specs->phone))
        err = ts_phone_open(specs->phone, live->inbox, &live->phone, why);
    return err ? err : ts_mcu_open(specs->mcu, live->inbox, &live->mcu, why);
}

static int live_open(const struct ts_bench_config *config, struct ts_bench **out,
                     struct ts_why *why)
{
    static const struct ts_bench_ops ops = {live_submit, live_next, live_geometry, live_close,
                                            live_put_file};
    struct live *live = calloc(1, sizeof *live);
    char *options = strdup(config->options ? config->options : "");
    struct specs specs;
    int err = live && options ? parse(options, config->phone, &specs, why)
                              : ts_fail(why, TS_ENOMEM, "no memory for the live bench");
    if (!err)
        err = open_devices(live, &specs, why);
    free(options);
    if (err && live)
        live_close(&live->base);
    if (err)
        return err;
    live->base.ops = &ops;
    *out = &live->base;
    return TS_OK;
}

int ts_bench_live_install(const char *options, const char *phone, const char *path,
                          struct ts_why *why)
{
    char *copy = strdup(options ? options : "");
    struct specs specs;
    int err = copy ? parse(copy, phone, &specs, why) : ts_fail(why, TS_ENOMEM, "out of memory");
    if (!err && !is_wanted(specs.phone))
        err = ts_fail(why, TS_ENOTSUP, "this bench has no phone to install anything on");
    if (!err)
        err = ts_phone_install(specs.phone, path, why);
    free(copy);
    return err;
}

const struct ts_bench_driver ts_bench_live = {"live", live_open};
