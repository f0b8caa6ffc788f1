/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/live/v4l2/device.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

int ts_v4l2_ioctl(int fd, unsigned long request, void *argument)
{
    int result;
    do
        result = ioctl(fd, request, argument);
    while (result < 0 && errno == EINTR);
    return result;
}

static bool is_capture(int fd, struct v4l2_capability *about)
{
    const uint32_t needed = V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING;
    if (ts_v4l2_ioctl(fd, VIDIOC_QUERYCAP, about))
        return false;
    const uint32_t has =
        about->capabilities & V4L2_CAP_DEVICE_CAPS ? about->device_caps : about->capabilities;
    return (has & needed) == needed;
}

/* The capture devices that may be opened: how many; the last one's path, and a text of all. */
static int look_around(char *path, size_t path_size, char *text, size_t text_size)
{
    DIR *folder = opendir("/dev");
    int count = 0;
    size_t used = 0;
    text[0] = 0;
    /* This stream is this thread's alone. */
    /* cppcheck-suppress readdirCalled */
    for (const struct dirent *entry; folder && (entry = readdir(folder));) {
        char node[300];
        struct v4l2_capability about = {0};
        if (strncmp(entry->d_name, "video", 5) != 0)
            continue;
        snprintf(node, sizeof node, "/dev/%s", entry->d_name);
        const int fd = open(node, O_RDWR | O_NONBLOCK | O_CLOEXEC);
        if (fd < 0)
            continue;
        if (is_capture(fd, &about)) {
            snprintf(path, path_size, "%s", node);
            const int more = snprintf(text + used, text_size - used, "%s%s (%.32s)",
                                      count ? ", " : "", node, (const char *)about.card);
            used = used + (size_t)more < text_size ? used + (size_t)more : text_size - 1;
            count++;
        }
        close(fd);
    }
    if (folder)
        closedir(folder);
    return count;
}

static int refuse(const char *path, int error, struct ts_why *why)
{
    char any[300], text[200];
    switch (error) {
    case EACCES:
    case EPERM:
        return ts_fail(
            why, TS_EIO,
            "%.80s: no permission: add yourself to the group \"video\" (sudo usermod -aG "
            "video $USER) and log in anew",
            path);
    case EBUSY:
        return ts_fail(why, TS_EIO,
                       "%.80s: another program has this camera: close it (fuser -v %s shows which)",
                       path, path);
    case ENOENT:
    case ENODEV:
    case ENXIO:
        return ts_fail(why, TS_EIO, "%.80s: there is no such camera; there is: %s", path,
                       look_around(any, sizeof any, text, sizeof text) ? text : "none");
    default:
        return ts_fail(why, TS_EIO, "%s: %s", path, strerror(error));
    }
}

static int choose(struct ts_v4l2_device *device, const char *what, struct ts_why *why)
{
    char text[250];
    if (*what) {
        snprintf(device->path, sizeof device->path, "%s", what);
        return TS_OK;
    }
    const int count = look_around(device->path, sizeof device->path, text, sizeof text);
    if (count == 0)
        return ts_fail(why, TS_EIO, "v4l2: there is no camera at /dev/video*");
    if (count > 1)
        return ts_fail(why, TS_EINVAL, "v4l2: which camera, as v4l2:/dev/videoN? There are: %s",
                       text);
    return TS_OK;
}

static int map(struct ts_v4l2_device *device, struct ts_why *why)
{
    struct v4l2_requestbuffers asked = {
        .count = TS_V4L2_BUFFERS, .type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP};
    if (ts_v4l2_ioctl(device->fd, VIDIOC_REQBUFS, &asked))
        return refuse(device->path, errno, why);
    if (asked.count < 2)
        return ts_fail(why, TS_EIO, "%.80s: the driver gives no buffers", device->path);
    const unsigned count = asked.count < TS_V4L2_BUFFERS ? asked.count : TS_V4L2_BUFFERS;
    for (unsigned i = 0; i < count; i++) {
        struct v4l2_buffer buffer = {
            .index = i, .type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP};
        if (ts_v4l2_ioctl(device->fd, VIDIOC_QUERYBUF, &buffer))
            return refuse(device->path, errno, why);
        void *data = mmap(NULL, buffer.length, PROT_READ | PROT_WRITE, MAP_SHARED, device->fd,
                          (off_t)buffer.m.offset);
        if (data == MAP_FAILED)
            return refuse(device->path, errno, why);
        device->buffers[device->count++] = (struct ts_v4l2_buffer){data, buffer.length};
    }
    return TS_OK;
}

int ts_v4l2_open(struct ts_v4l2_device *device, const struct ts_camera_spec *spec,
                 struct ts_why *why)
{
    struct v4l2_capability about = {0};
    *device = (struct ts_v4l2_device){.fd = -1};
    int err = choose(device, spec->what, why);
    if (err)
        return err;
    device->fd = open(device->path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (device->fd < 0)
        return refuse(device->path, errno, why);
    if (!is_capture(device->fd, &about)) {
        err = errno == ENODEV ? refuse(device->path, ENODEV, why)
                              : ts_fail(why, TS_EINVAL, "%.80s: this is no camera", device->path);
        goto end;
    }
    err = ts_v4l2_negotiate(device, spec, why);
    if (!err)
        err = ts_v4l2_set_controls(device, spec, why);
    if (!err)
        err = map(device, why);
end:
    if (err)
        ts_v4l2_close(device);
    return err;
}

void ts_v4l2_close(struct ts_v4l2_device *device)
{
    for (unsigned i = 0; i < device->count; i++)
        munmap(device->buffers[i].data, device->buffers[i].size);
    if (device->fd >= 0)
        close(device->fd);
    device->count = 0;
    device->fd = -1;
}

int ts_v4l2_queue(struct ts_v4l2_device *device, unsigned index)
{
    struct v4l2_buffer buffer = {
        .index = index, .type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP};
    return ts_v4l2_ioctl(device->fd, VIDIOC_QBUF, &buffer) ? TS_EIO : TS_OK;
}

int ts_v4l2_stream(struct ts_v4l2_device *device, bool on)
{
    int type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    for (unsigned i = 0; on && i < device->count; i++) {
        const int err = ts_v4l2_queue(device, i);
        if (err)
            return err;
    }
    return ts_v4l2_ioctl(device->fd, on ? VIDIOC_STREAMON : VIDIOC_STREAMOFF, &type) ? TS_EIO
                                                                                     : TS_OK;
}

int ts_v4l2_dequeue(struct ts_v4l2_device *device, struct v4l2_buffer *buffer)
{
    *buffer = (struct v4l2_buffer){.type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP};
    if (ts_v4l2_ioctl(device->fd, VIDIOC_DQBUF, buffer))
        return errno == EAGAIN ? TS_ETIMEOUT : TS_EIO;
    return buffer->index < device->count ? TS_OK : TS_EIO;
}
