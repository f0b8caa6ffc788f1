/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "watch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "sim_live_camera/picture.h"

#define PICTURES_TRIED 4096
#define JPEG_SLACK     6
#define ROWS           (WATCH_SLOW ? 12 : 1)

void watch_open(struct watch *watch, const char *spec, enum watch_kind kind)
{
    struct ts_why why = {""};
    *watch = (struct watch){.kind = kind, .every = ROWS};
    assert_int_equal(ts_inbox_create(&watch->inbox), TS_OK);
    if (ts_camera_open(spec, watch->inbox, &watch->camera, &why))
        fail_msg("%s: %s", spec, why.text);
    const struct ts_camera_geometry *geometry = watch->camera->ops->geometry(watch->camera);
    const size_t pixels = (size_t)geometry->width_px * (size_t)geometry->height_px;
    watch->drawn = malloc(pixels);
    assert_true(watch->drawn);
}

void watch_close(struct watch *watch)
{
    watch->camera->ops->close(watch->camera);
    ts_inbox_destroy(watch->inbox);
    free(watch->drawn);
}

/* As grey.h defines it, said in another way: colour by colour. */
static uint8_t mixed(const uint8_t *mosaic, int width, int x, int y)
{
    unsigned sum = 128;
    for (int dy = 0; dy < 2; dy++) {
        for (int dx = 0; dx < 2; dx++) {
            const int row = y + dy, column = x + dx;
            const bool green = (row + column) % 2 == 0; /* GRGR / BGBG */
            const unsigned share = green ? 75 : row % 2 == 0 ? 77 : 29;
            sum += share * mosaic[row * width + column];
        }
    }
    return (uint8_t)(sum / 256);
}

static bool is_row(const struct watch *watch, const struct ts_frame *frame, int y)
{
    const struct ts_camera_geometry *geometry = watch->camera->ops->geometry(watch->camera);
    const int width = geometry->width_px, last = geometry->height_px - 1;
    const uint8_t *got = frame->pixels + (ptrdiff_t)y * width;
    const uint8_t *drawn = watch->drawn + (ptrdiff_t)y * width;
    if (watch->kind == WATCH_EXACT)
        return !memcmp(got, drawn, (size_t)width);
    for (int x = 0; x < width; x++) {
        if (watch->kind == WATCH_JPEG && abs(got[x] - drawn[x]) > JPEG_SLACK)
            return false;
        if (watch->kind == WATCH_BAYER &&
            got[x] != mixed(watch->drawn, width, x < width - 1 ? x : x - 1, y < last ? y : y - 1))
            return false;
    }
    return true;
}

static bool is_picture(struct watch *watch, const struct ts_frame *frame, uint32_t number)
{
    const struct ts_camera_geometry *geometry = watch->camera->ops->geometry(watch->camera);
    sim_picture_test(NULL, number, watch->drawn, geometry->width_px, geometry->height_px);
    for (int y = 0; y < geometry->height_px; y += watch->every) {
        if (!is_row(watch, frame, y))
            return false;
    }
    return true;
}

static void recognise(struct watch *watch, const struct ts_frame *frame)
{
    for (uint32_t number = 0; number < PICTURES_TRIED && !watch->known; number++) {
        if (!is_picture(watch, frame, number))
            continue;
        watch->known = true;
        watch->ahead = number - frame->sequence;
        watch->first = frame->sequence;
        watch->first_ns = frame->arrival.ns;
    }
    if (!watch->known)
        watch->wrong++;
}

static void look(struct watch *watch, const struct ts_frame *frame)
{
    if (watch->frames++ && frame->sequence == watch->last)
        watch->wrong++;
    if (!watch->known) {
        recognise(watch, frame);
    } else if (!is_picture(watch, frame, frame->sequence + watch->ahead)) {
        watch->wrong++;
    }
    watch->last = frame->sequence;
    watch->last_ns = frame->arrival.ns;
}

static bool take(struct watch *watch, struct ts_host_time until)
{
    struct ts_item item;
    const int err = ts_inbox_take(watch->inbox, until, &item);
    if (err == TS_ETIMEOUT)
        return false;
    assert_int_equal(err, TS_OK);
    if (item.kind == TS_ITEM_FRAME) {
        look(watch, item.u.frame);
    } else {
        assert_int_equal(item.kind, TS_ITEM_FAULT);
        assert_int_equal(item.u.fault.fault, TS_FAULT_CAMERA_LOST);
        watch->faults++;
        watch->fault_detail = item.u.fault.detail;
        watch_anew(watch);
    }
    return true;
}

void watch_for(struct watch *watch, unsigned ms)
{
    const struct ts_host_time until = {ts_live_now().ns + ms * TS_NS_PER_MS};
    while (take(watch, until) && ts_live_now().ns < until.ns)
        continue;
}

void watch_until(struct watch *watch, unsigned frames, unsigned faults)
{
    const struct ts_host_time until = {ts_live_now().ns + (WATCH_SLOW ? 60 : 20) * TS_NS_PER_S};
    while (watch->frames < frames && watch->faults < faults) {
        if (!take(watch, until))
            fail_msg("%u of %u frames and %u of %u faults in time", watch->frames, frames,
                     watch->faults, faults);
    }
}

void watch_anew(struct watch *watch)
{
    watch->known = false;
}

struct ts_camera_state watch_state(const struct watch *watch)
{
    struct ts_camera_state state;
    watch->camera->ops->state(watch->camera, &state);
    return state;
}

void watch_refused(const char *spec, int err, const char *text)
{
    struct ts_inbox *inbox = NULL;
    struct ts_camera *camera = NULL;
    struct ts_why why = {""};
    assert_int_equal(ts_inbox_create(&inbox), TS_OK);
    assert_int_equal(ts_camera_open(spec, inbox, &camera, &why), err);
    if (!strstr(why.text, text))
        fail_msg("%s: \"%s\" should say \"%s\"", spec, why.text, text);
    ts_inbox_destroy(inbox);
}
