/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/live/v4l2/device.h"

#include <string.h>

/* A quantity that is set by hand once its automatic is off. */
struct by_hand {
    const char *name;
    uint32_t automatic;
    int32_t off;
    uint32_t value;
};

static const struct by_hand exposure = {"exposure", V4L2_CID_EXPOSURE_AUTO, V4L2_EXPOSURE_MANUAL,
                                        V4L2_CID_EXPOSURE_ABSOLUTE};
static const struct by_hand gain = {"gain", V4L2_CID_AUTOGAIN, 0, V4L2_CID_GAIN};
static const struct by_hand white = {"white", V4L2_CID_AUTO_WHITE_BALANCE, 0,
                                     V4L2_CID_WHITE_BALANCE_TEMPERATURE};

static bool set(int fd, uint32_t id, int32_t value)
{
    struct v4l2_control control = {id, value};
    return !ts_v4l2_ioctl(fd, VIDIOC_S_CTRL, &control);
}

static int set_by_hand(struct ts_v4l2_device *device, const struct by_hand *what, int value,
                       struct ts_why *why)
{
    if (value < 0)
        return TS_OK;
    struct v4l2_queryctrl range = {.id = what->value};
    /* A camera may have no automatic to be switched off. */
    set(device->fd, what->automatic, what->off);
    if (ts_v4l2_ioctl(device->fd, VIDIOC_QUERYCTRL, &range))
        return ts_fail(why, TS_ENOTSUP, "%s: this camera's %s cannot be set", device->path,
                       what->name);
    if (value < range.minimum || value > range.maximum || !set(device->fd, what->value, value))
        return ts_fail(why, TS_EINVAL, "%s: %s goes from %d to %d", device->path, what->name,
                       range.minimum, range.maximum);
    return TS_OK;
}

int ts_v4l2_set_controls(struct ts_v4l2_device *device, const struct ts_camera_spec *spec,
                         struct ts_why *why)
{
    set(device->fd, V4L2_CID_EXPOSURE_AUTO_PRIORITY, 0);
    int err = set_by_hand(device, &exposure, spec->exposure, why);
    if (!err)
        err = set_by_hand(device, &gain, spec->gain, why);
    if (!err)
        err = set_by_hand(device, &white, spec->white, why);
    return err;
}
