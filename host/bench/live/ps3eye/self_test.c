/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/live/camera.h"
#include "bench/live/ps3eye/ps3eye.h"

#include <stdio.h>
#include <stdlib.h>

#define PICTURES   50
#define TIMEOUT_NS (5 * TS_NS_PER_S)
#define SLACK      4 /* codes that differ inside a bar; its edges are steps of more than twice that */
#define EDGES      5

bool ts_ps3eye_is_pattern(const uint8_t *grey, int width_px, int height_px)
{
    int edges = 0;
    for (int x = 0; x < width_px; x++) {
        for (int y = 1; y < height_px; y++) {
            if (abs(grey[y * width_px + x] - grey[x]) > SLACK)
                return false;
        }
        edges += x > 0 && abs(grey[x] - grey[x - 1]) > 2 * SLACK;
    }
    return edges >= EDGES;
}

static int look(struct ts_inbox *inbox, struct ts_camera *camera, struct ts_why *why)
{
    const struct ts_camera_geometry *geometry = camera->ops->geometry(camera);
    const struct ts_host_time until = {ts_live_now().ns + TIMEOUT_NS};
    struct ts_camera_state state;
    for (int i = 0; i < PICTURES;) {
        struct ts_item item;
        const int err = ts_inbox_take(inbox, until, &item);
        if (err || item.kind == TS_ITEM_FAULT)
            return ts_fail(why, TS_EIO, "ps3eye: %d of %d test pictures came: try another USB port",
                           i, PICTURES);
        if (item.kind != TS_ITEM_FRAME)
            continue;
        if (!ts_ps3eye_is_pattern(item.u.frame->pixels, geometry->width_px, geometry->height_px))
            return ts_fail(why, TS_EPROTO,
                           "ps3eye: test picture %d is not the sensor's colour bars", i);
        i++;
    }
    camera->ops->state(camera, &state);
    if (state.lost)
        return ts_fail(why, TS_EPROTO, "ps3eye: %llu test pictures were lost: try another USB port",
                       (unsigned long long)state.lost);
    return TS_OK;
}

int ts_ps3eye_self_test(const char *what, struct ts_why *why)
{
    struct ts_inbox *inbox = NULL;
    struct ts_camera *camera = NULL;
    char spec[200];
    snprintf(spec, sizeof spec, "%s?test=pattern", what);
    int err = ts_inbox_create(&inbox);
    if (!err)
        err = ts_camera_ps3eye.open(spec, inbox, &camera, why);
    if (!err)
        err = camera->ops->set(camera, true);
    if (!err)
        err = look(inbox, camera, why);
    if (camera)
        camera->ops->close(camera);
    ts_inbox_destroy(inbox);
    return err;
}
