/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which modes a device has, and which one it is to take. */
#include "bench/live/v4l2/device.h"

#include "model/frame.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define DEFAULT_HZ 30.0 /* of a driver that cannot tell */
#define SLACK      0.01 /* a rate of 119.88 is what was meant by 120 */

struct list {
    char *text;
    size_t size, used;
};

__attribute__((format(printf, 2, 3))) static void add(struct list *list, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int more = vsnprintf(list->text + list->used, list->size - list->used, format, arguments);
    va_end(arguments);
    if (more > 0)
        list->used =
            list->used + (size_t)more < list->size ? list->used + (size_t)more : list->size - 1;
}

static double hz_of(struct v4l2_fract period)
{
    return period.numerator ? (double)period.denominator / period.numerator : 0;
}

static void list_rates(int fd, struct list *list, uint32_t fourcc, uint32_t width, uint32_t height)
{
    struct v4l2_frmivalenum rate = {.pixel_format = fourcc, .width = width, .height = height};
    for (; !ts_v4l2_ioctl(fd, VIDIOC_ENUM_FRAMEINTERVALS, &rate); rate.index++) {
        if (rate.type != V4L2_FRMIVAL_TYPE_DISCRETE) {
            add(list, " up to %.4g", hz_of(rate.stepwise.min));
            return;
        }
        add(list, "%s%.4g", rate.index ? ", " : " at ", hz_of(rate.discrete));
    }
}

static void list_sizes(int fd, struct list *list, uint32_t fourcc)
{
    struct v4l2_frmsizeenum size = {.pixel_format = fourcc};
    char name[5];
    ts_v4l2_format_name(fourcc, name);
    for (; !ts_v4l2_ioctl(fd, VIDIOC_ENUM_FRAMESIZES, &size); size.index++) {
        if (size.type != V4L2_FRMSIZE_TYPE_DISCRETE) {
            add(list, "%s%s up to %ux%u", list->used ? "; " : "", name, size.stepwise.max_width,
                size.stepwise.max_height);
            return;
        }
        add(list, "%s%s %ux%u", list->used ? "; " : "", name, size.discrete.width,
            size.discrete.height);
        list_rates(fd, list, fourcc, size.discrete.width, size.discrete.height);
    }
}

void ts_v4l2_list_modes(int fd, char *text, size_t size)
{
    struct list list = {text, size, 0};
    struct v4l2_fmtdesc format = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE};
    text[0] = 0;
    for (; !ts_v4l2_ioctl(fd, VIDIOC_ENUM_FMT, &format); format.index++) {
        if (ts_v4l2_format_of(format.pixelformat))
            list_sizes(fd, &list, format.pixelformat);
    }
    if (!list.used)
        add(&list, "the driver does not tell");
}

/* The rate that the driver says it has set; drivers are known to say what was asked instead. */
static double set_rate(int fd, double asked_hz)
{
    struct v4l2_streamparm set = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE};
    const bool settable = !ts_v4l2_ioctl(fd, VIDIOC_G_PARM, &set) &&
                          set.parm.capture.capability & V4L2_CAP_TIMEPERFRAME;
    if (settable && asked_hz > 0) {
        set.parm.capture.timeperframe =
            (struct v4l2_fract){1000, (uint32_t)lround(1000 * asked_hz)};
        if (ts_v4l2_ioctl(fd, VIDIOC_S_PARM, &set))
            return 0;
    }
    const double hz = settable ? hz_of(set.parm.capture.timeperframe) : 0;
    return hz > 0 ? hz : asked_hz > 0 ? asked_hz : DEFAULT_HZ;
}

static void take_over(struct ts_v4l2_device *device, const struct v4l2_pix_format *set)
{
    const size_t height = set->height;
    device->format = ts_v4l2_format_of(set->pixelformat);
    device->width_px = (int)set->width;
    device->height_px = (int)set->height;
    device->stride = device->frame_bytes = 0;
    if (device->format->kind == TS_V4L2_JPEG)
        return;
    const size_t packed = (size_t)device->format->step * set->width;
    device->stride = set->bytesperline > packed ? set->bytesperline : packed;
    /* Of planes that follow each other only the first is looked at. */
    device->frame_bytes = device->stride * (height - 1) + packed;
}

/* 0: this is it; 1: something else was set; -1: see errno. */
static int try_format(struct ts_v4l2_device *device, const struct ts_camera_spec *spec,
                      const struct v4l2_format *now, uint32_t fourcc)
{
    struct v4l2_format set = *now;
    struct v4l2_pix_format *pix = &set.fmt.pix;
    pix->pixelformat = fourcc;
    pix->field = V4L2_FIELD_NONE;
    pix->bytesperline = pix->sizeimage = 0;
    if (spec->width_px) {
        pix->width = (uint32_t)spec->width_px;
        pix->height = (uint32_t)spec->height_px;
    }
    const struct v4l2_pix_format asked = *pix;
    if (ts_v4l2_ioctl(device->fd, VIDIOC_S_FMT, &set))
        return errno == EINVAL ? 1 : -1;
    if (pix->pixelformat != fourcc || pix->width != asked.width || pix->height != asked.height ||
        pix->width < TS_BLOCK_PX || pix->height < TS_BLOCK_PX || pix->width > 8192 ||
        pix->height > 8192)
        return 1;
    device->rate_hz = set_rate(device->fd, spec->rate_hz);
    if (device->rate_hz < spec->rate_hz * (1 - SLACK))
        return 1;
    if (spec->rate_hz > 0 && device->rate_hz > spec->rate_hz * (1 + SLACK))
        return 1;
    take_over(device, pix);
    return 0;
}

static int no_such_mode(const struct ts_v4l2_device *device, struct ts_why *why)
{
    char modes[300];
    ts_v4l2_list_modes(device->fd, modes, sizeof modes);
    return ts_fail(why, TS_ENOTSUP, "%.80s: no such mode; there are: %s", device->path, modes);
}

int ts_v4l2_negotiate(struct ts_v4l2_device *device, const struct ts_camera_spec *spec,
                      struct ts_why *why)
{
    struct v4l2_format now = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE};
    int tried = ts_v4l2_ioctl(device->fd, VIDIOC_G_FMT, &now) ? -1 : 1;
    for (const struct ts_v4l2_format *format = ts_v4l2_formats; tried == 1 && format->fourcc;
         format++) {
        char name[5];
        ts_v4l2_format_name(format->fourcc, name);
        if (!spec->format[0] || !strcmp(spec->format, name))
            tried = try_format(device, spec, &now, format->fourcc);
    }
    if (tried == 0)
        return TS_OK;
    if (tried == 1)
        return no_such_mode(device, why);
    if (errno == EBUSY)
        return ts_fail(why, TS_EIO,
                       "%.80s: another program has this camera: close it (fuser -v %s shows which)",
                       device->path, device->path);
    return ts_fail(why, TS_EIO, "%s: %s", device->path, strerror(errno));
}
