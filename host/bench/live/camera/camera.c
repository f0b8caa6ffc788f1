/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/live/camera.h"

#include <string.h>

static const struct ts_camera_driver *const drivers[] = {&ts_camera_ps3eye, &ts_camera_v4l2,
                                                         &ts_camera_stream, &ts_camera_file, NULL};

int ts_camera_open(const char *spec, struct ts_inbox *inbox, struct ts_camera **out,
                   struct ts_why *why)
{
    const size_t name = strcspn(spec, ":?");
    const char *what = spec + name + (spec[name] == ':');
    for (const struct ts_camera_driver *const *driver = drivers; *driver; driver++) {
        if (strlen((*driver)->name) == name && !strncmp(spec, (*driver)->name, name))
            return (*driver)->open(what, inbox, out, why);
    }
    return ts_fail(why, TS_EINVAL,
                   "camera \"%s\": it begins with the driver: ps3eye[:PORT], v4l2:/dev/videoN, "
                   "stream:PIPE or file:FILM",
                   spec);
}
