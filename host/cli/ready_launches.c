/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/ready_launches.h"

#include "cli/annotate_films.h"
#include "measure/measure.h"
#include "stats/order.h"
#include "store/layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void ts_ready_items_free(struct ts_ready_items *items)
{
    for (size_t i = 0; i < items->count; i++) {
        free(items->items[i]->source);
        free(items->items[i]);
    }
    free(items->items);
    *items = (struct ts_ready_items){0};
}

static int add_item(struct ts_ready_items *items, const char *source, struct ts_ready_item **out,
                    struct ts_why *why)
{
    struct ts_ready_item *item = calloc(1, sizeof *item);
    char *name = strdup(source);
    void *array = items->items;
    struct ts_ready_item **slot = item && name ? ts_grow(&array, &items->count, &items->capacity,
                                                         sizeof(struct ts_ready_item *))
                                               : NULL;
    items->items = item && name ? array : items->items;
    if (!slot) {
        free(item);
        free(name);
        return ts_fail(why, TS_ENOMEM, "out of memory");
    }
    item->source = name;
    item->annotated_ms = NAN;
    *out = *slot = item;
    return TS_OK;
}

static bool is_sure(const struct ts_annotation *one)
{
    return !one->superseded[0] && !one->marks.cannot_tell && isfinite(one->settled_ms);
}

/* The median over people; *from: one of the marks that went into it, NULL when there is none. They
 * must count from one instant. */
static int take_median(const char *path, const struct ts_annotations *all, double *median,
                       size_t *people, const struct ts_annotation **from, struct ts_why *why)
{
    double *values = calloc(all->count + 1, sizeof *values);
    if (!values)
        return ts_fail(why, TS_ENOMEM, "out of memory");
    *from = NULL;
    *people = 0;
    int err = TS_OK;
    for (size_t i = 0; i < all->count && !err; i++) {
        const struct ts_annotation *one = &all->items[i];
        if (!is_sure(one))
            continue;
        if (*from && !ts_annotations_alike(one, *from))
            err = ts_fail(why, TS_EPROTO,
                          "%s: marks that were made with different options (--tap-ns, --frames, "
                          "...); mark the film again",
                          path);
        values[(*people)++] = one->settled_ms;
        *from = one;
    }
    ts_sort(values, *people);
    *median = ts_median(values, *people);
    free(values);
    return err;
}

/* ---- videos ---- */

static int analyze(struct ts_ready_item *item, const struct ts_annotation *from, struct ts_why *why)
{
    struct ts_analyze_result result;
    const int err = ts_shown_video_analyze(item->source, from, &result, why);
    if (err)
        return err;
    item->changes = result.changes;
    item->launch = (struct ts_ready_launch){
        .changes = &item->changes,
        .screen = {.x1 = result.camera.blocks_x - 1, .y1 = result.camera.blocks_y - 1}};
    return TS_OK;
}

static int add_video(struct ts_ready_items *items, const char *path, bool annotated,
                     struct ts_why *why)
{
    struct ts_path marks;
    struct ts_annotations all = {0};
    const struct ts_annotation *from = NULL;
    struct ts_ready_item *item;
    double median = NAN;
    size_t people = 0;
    int err = ts_path_format(&marks, why, "%s.annotations.json", path);
    if (!err) /* also when they are not asked for: they know the tap */
        err = ts_annotations_load(marks.text, &all, why);
    if (!err)
        err = take_median(marks.text, &all, &median, &people, &from, why);
    if (err)
        goto end;
    if (annotated && !people) {
        items->unannotated++;
        goto end;
    }
    err = add_item(items, path, &item, why);
    if (err)
        goto end;
    item->annotated_ms = annotated ? median : NAN;
    item->people = people;
    err = analyze(item, from, why);
end:
    ts_annotations_free(&all);
    return err;
}

/* ---- sessions ---- */

/* The display's box in the picture, or all of it where the display was not found. */
static void take_screen(const struct ts_camera_geometry *camera,
                        const struct ts_calibration *calibration, struct ts_ready_launch *launch)
{
    launch->screen.x1 = camera->blocks_x - 1;
    launch->screen.y1 = camera->blocks_y - 1;
    if (!calibration->screen_known)
        return;
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int corner = 0; corner < 4; corner++) {
        for (int axis = 0; axis < 2; axis++) {
            low[axis] = fmin(low[axis], calibration->screen_px[corner][axis]);
            high[axis] = fmax(high[axis], calibration->screen_px[corner][axis]);
        }
    }
    launch->screen.x0 = (int)fmax(0, floor(low[0] / TS_BLOCK_PX));
    launch->screen.y0 = (int)fmax(0, floor(low[1] / TS_BLOCK_PX));
    launch->screen.x1 = (int)fmin(launch->screen.x1, floor(high[0] / TS_BLOCK_PX));
    launch->screen.y1 = (int)fmin(launch->screen.y1, floor(high[1] / TS_BLOCK_PX));
}

static int measure(const struct ts_session *session, const struct ts_calibration *calibration,
                   struct ts_ready_item *item, struct ts_why *why)
{
    struct ts_evidence evidence;
    struct ts_result result;
    int err = ts_session_load_evidence(session, item->number, &evidence, why);
    if (err)
        return err;
    item->launch = (struct ts_ready_launch){.app = item->app, .changes = &item->changes};
    take_screen(&evidence.camera, calibration, &item->launch);
    err = ts_measure_changes(&evidence, calibration, ts_session_get_plan(session), &result,
                             &item->changes);
    ts_evidence_free(&evidence);
    if (err)
        return ts_fail(why, err, "cannot measure launch %d: %s", item->number, ts_err_text(err));
    /* As in the result: with what is not known of the lift. */
    item->changes.first = result.first_visual_change;
    item->changes.settled = result.settled;
    return TS_OK;
}

static int add_launch(struct ts_ready_items *items, const struct ts_session *session,
                      const struct ts_calibration *calibration, const struct ts_result *kept,
                      bool annotated, struct ts_why *why)
{
    const char *dir = ts_session_get_folder(session);
    struct ts_path marks;
    struct ts_annotations all = {0};
    const struct ts_annotation *from;
    struct ts_ready_item *item;
    double median = NAN;
    size_t people = 0;
    int err = TS_OK;
    if (annotated) {
        err = ts_layout_file(dir, kept->launch, "annotations.json", &marks, why);
        if (!err)
            err = ts_annotations_load(marks.text, &all, why);
        if (!err)
            err = take_median(marks.text, &all, &median, &people, &from, why);
        ts_annotations_free(&all);
        if (err)
            return err;
        if (!people) {
            items->unannotated++;
            return TS_OK;
        }
    }
    err = add_item(items, dir, &item, why);
    if (err)
        return err;
    item->number = kept->launch;
    item->annotated_ms = median;
    item->people = people;
    memcpy(item->app, kept->app, sizeof item->app);
    return measure(session, calibration, item, why);
}

static int add_session(struct ts_ready_items *items, const char *dir, const char *app,
                       bool annotated, struct ts_why *why)
{
    struct ts_session *session;
    struct ts_calibration calibration;
    int err = ts_session_open(dir, &session, why);
    if (err)
        return err;
    err = ts_session_load_calibration(session, &calibration, why);
    bool met = false;
    const int count = ts_session_launch_count(session);
    for (int number = 1; number <= count && !err; number++) {
        struct ts_result kept;
        err = ts_session_load_result(session, number, &kept, why);
        if (err || strcmp(kept.app, app) != 0)
            continue;
        met = true;
        if (!ts_session_exclusion(session, number))
            err = add_launch(items, session, &calibration, &kept, annotated, why);
    }
    if (!err && !met)
        err = ts_fail(why, TS_EINVAL, "%.200s has no launch of \"%.100s\"", dir, app);
    ts_session_free(session);
    return err;
}

int ts_ready_items_add(struct ts_ready_items *items, const char *path, const char *app,
                       bool annotated, struct ts_why *why)
{
    struct ts_path session;
    const int err = ts_path_format(&session, why, "%s/session.json", path);
    if (err)
        return err;
    return ts_file_exists(session.text) ? add_session(items, path, app, annotated, why)
                                        : add_video(items, path, annotated, why);
}
