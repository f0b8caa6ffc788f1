/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/annotate_films.h"

#include "store/layout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VIDEO_NAME "video.mkv"

static int add(struct ts_shown_films *films, struct ts_shown_film **out, struct ts_why *why)
{
    struct ts_shown_film *film = calloc(1, sizeof *film);
    void *items = films->items;
    struct ts_shown_film **slot =
        film ? ts_grow(&items, &films->count, &films->capacity, sizeof(struct ts_shown_film *))
             : NULL;
    films->items = film ? items : films->items;
    if (!slot) {
        free(film);
        return ts_fail(why, TS_ENOMEM, "out of memory");
    }
    film->view.path = film->video.text;
    *out = *slot = film;
    return TS_OK;
}

static void take_corners(struct ts_shown_film *film, const struct ts_calibration *calibration)
{
    film->view.corners_known = calibration->screen_known;
    memcpy(film->view.corners_px, calibration->screen_px, sizeof film->view.corners_px);
}

static int add_launch(struct ts_shown_films *films, const char *session, int launch,
                      const struct ts_calibration *calibration, struct ts_why *why)
{
    struct ts_path video;
    struct ts_shown_film *film;
    int err = ts_layout_file(session, launch, VIDEO_NAME, &video, why);
    if (err)
        return err;
    if (!ts_file_exists(video.text)) {
        films->without_video++;
        return TS_OK;
    }
    err = add(films, &film, why);
    if (err)
        return err;
    film->video = video;
    film->launch = launch;
    take_corners(film, calibration);
    err = ts_path_format(&film->session, why, "%s", session);
    return err ? err : ts_layout_file(session, launch, "annotations.json", &film->annotations, why);
}

/* launch 0: all of them. */
static int add_session(struct ts_shown_films *films, const char *dir, int launch,
                       struct ts_why *why)
{
    struct ts_session *session;
    struct ts_calibration calibration;
    int err = ts_session_open(dir, &session, why);
    if (err)
        return err;
    /* A session cut off before it was calibrated has no corners, and no lift. */
    if (ts_session_load_calibration(session, &calibration, NULL))
        ts_calibration_nominal(&calibration);
    const int count = ts_session_launch_count(session);
    for (int n = launch ? launch : 1; n <= (launch ? launch : count) && !err; n++)
        err = add_launch(films, dir, n, &calibration, why);
    ts_session_free(session);
    return err;
}

/* SESSION/launches/NNNN/video.mkv -> its launch, and where SESSION ends; 0: something else. */
static int launch_of(const char *path, struct ts_path *session)
{
    struct ts_path json;
    const char *at = NULL;
    for (const char *next = path; (next = strstr(next, "launches/")); next++)
        at = next;
    int launch = 0, length = 0;
    if (!at || (at > path && at[-1] != '/') ||
        sscanf(at, "launches/%9d/" VIDEO_NAME "%n", &launch, &length) != 1 || !length ||
        at[length] || launch < 1)
        return 0;
    const int size = at > path ? (int)(at - path) - 1 : 0;
    const char *root = at > path && !size ? "/" : size ? path : ".";
    if (ts_path_format(session, NULL, "%.*s", size ? size : 1, root) ||
        ts_path_format(&json, NULL, "%s/session.json", session->text) || !ts_file_exists(json.text))
        return 0;
    return launch;
}

int ts_shown_films_add(struct ts_shown_films *films, const char *path, struct ts_why *why)
{
    struct ts_path session;
    struct ts_shown_film *film;
    int err = ts_path_format(&session, why, "%s/session.json", path);
    if (err)
        return err;
    if (ts_file_exists(session.text)) {
        const size_t before = films->count;
        err = add_session(films, path, 0, why);
        return !err && films->count == before
                   ? ts_fail(why, TS_EINVAL,
                             "%s: no launch of this session has a video; say keep_video: all in "
                             "the plan",
                             path)
                   : err;
    }
    if (!ts_file_exists(path))
        return ts_fail(why, TS_EIO, "%s: there is no such file or folder", path);
    const int launch = launch_of(path, &session);
    if (launch)
        return add_session(films, session.text, launch, why);
    err = add(films, &film, why);
    if (!err)
        err = ts_path_format(&film->video, why, "%s", path);
    if (!err)
        err = ts_path_format(&film->annotations, why, "%s.annotations.json", path);
    return err;
}

static int by_path(const void *a, const void *b)
{
    const struct ts_shown_film *const *x = a, *const *y = b;
    return strcmp((*x)->video.text, (*y)->video.text);
}

void ts_shown_films_sort(struct ts_shown_films *films)
{
    size_t kept = 0;
    if (films->count)
        qsort(films->items, films->count, sizeof(struct ts_shown_film *), by_path);
    for (size_t i = 0; i < films->count; i++) {
        if (kept && by_path(&films->items[kept - 1], &films->items[i]) == 0)
            free(films->items[i]);
        else
            films->items[kept++] = films->items[i];
    }
    films->count = kept;
}

void ts_shown_films_free(struct ts_shown_films *films)
{
    for (size_t i = 0; i < films->count; i++)
        free(films->items[i]);
    free(films->items);
    *films = (struct ts_shown_films){0};
}

/* The CSV as it was named, or beside the film: annotations travel with it. */
static int find_csv(const char *video, const char *named, struct ts_path *out, struct ts_why *why)
{
    const char *slash = strrchr(named, '/'), *folder = strrchr(video, '/');
    int err = ts_path_format(out, why, "%s", named);
    if (err || ts_file_exists(out->text))
        return err;
    return ts_path_format(out, why, "%.*s%s", folder ? (int)(folder - video) + 1 : 0, video,
                          slash ? slash + 1 : named);
}

int ts_shown_video_analyze(const char *video, const struct ts_annotation *one,
                           struct ts_analyze_result *result, struct ts_why *why)
{
    struct ts_analyze_options options = ts_analyze_usual(video);
    struct ts_path csv;
    if (!one)
        return ts_analyze_video(&options, result, why);
    const int err = find_csv(video, one->frames_csv, &csv, why);
    if (err)
        return err;
    options.given = (struct ts_film_given){.frames_csv = *one->frames_csv ? csv.text : NULL,
                                           .tap_given = one->tap_given,
                                           .tap_ns = one->tap_ns,
                                           .latency_ms = one->latency_ms,
                                           .exposure_ms = one->exposure_ms,
                                           .readout_ms = one->readout_ms};
    return ts_analyze_video(&options, result, why);
}
