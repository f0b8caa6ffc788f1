/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/agreement_pairs.h"

#include "cli/agreement_csv.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CSV_MOST ((size_t)256 << 20)

static int out_of_memory(struct ts_why *why)
{
    return ts_fail(why, TS_ENOMEM, "out of memory");
}

static struct ts_judged_launch *add_launch(struct ts_judged *judged, const char *name)
{
    void *items = judged->items;
    struct ts_judged_launch *launch =
        ts_grow(&items, &judged->count, &judged->capacity, sizeof *launch);
    judged->items = items;
    if (!launch)
        return NULL;
    for (int end = 0; end < TS_END_COUNT; end++)
        launch->automatic[end] = (double)NAN;
    launch->name = strdup(name);
    return launch->name ? launch : NULL;
}

static struct ts_judgement *add_mark(struct ts_judged_launch *launch, const char *by)
{
    void *marks = launch->marks;
    struct ts_judgement *mark = ts_grow(&marks, &launch->count, &launch->capacity, sizeof *mark);
    launch->marks = marks;
    if (!mark)
        return NULL;
    snprintf(mark->by, sizeof mark->by, "%s", by);
    for (size_t i = 0; i + 1 < launch->count; i++) {
        if (strcmp(launch->marks[i].by, by) == 0)
            launch->marks[i].superseded = true;
    }
    return mark;
}

/* Superseded marks that counted from elsewhere are as if they were not there. */
static int take_marks(struct ts_judged_launch *launch, const struct ts_annotations *annotations,
                      struct ts_why *why)
{
    const struct ts_annotation *last = &annotations->items[annotations->count - 1];
    for (size_t i = 0; i < annotations->count; i++) {
        const struct ts_annotation *one = &annotations->items[i];
        const bool alike = ts_annotations_alike(one, last);
        if (!alike && !*one->superseded)
            return ts_fail(why, TS_EPROTO,
                           "%s: %s and %s marked it with other options (--tap-ns, --frames, ...); "
                           "mark it again",
                           launch->name, one->by, last->by);
        struct ts_judgement *mark = alike ? add_mark(launch, one->by) : NULL;
        if (alike && !mark)
            return out_of_memory(why);
        if (mark) {
            mark->ms[TS_END_FIRST_CHANGE] = one->first_change_ms;
            mark->ms[TS_END_SETTLED] = one->settled_ms;
        }
    }
    return TS_OK;
}

static int measure_video(const struct ts_shown_film *film, const struct ts_annotations *annotations,
                         struct ts_judged_launch *launch, struct ts_why *why)
{
    const struct ts_annotation *last = &annotations->items[annotations->count - 1];
    struct ts_analyze_result result;
    const int err = ts_shown_video_analyze(film->video.text, last, &result, why);
    if (err)
        return err;
    const struct ts_result verdict = {.flags = result.changes.flags};
    launch->automatic[TS_END_FIRST_CHANGE] = result.changes.first.value;
    launch->automatic[TS_END_SETTLED] = result.changes.settled.value;
    launch->usable = ts_result_usable(&verdict);
    return TS_OK;
}

static int take_result(const struct ts_shown_film *film, struct ts_judged_launch *launch,
                       struct ts_why *why)
{
    struct ts_session *session;
    struct ts_result result;
    int err = ts_session_open(film->session.text, &session, why);
    if (err)
        return err;
    err = ts_session_load_result(session, film->launch, &result, why);
    ts_session_free(session);
    if (err)
        return err;
    launch->automatic[TS_END_FIRST_CHANGE] = result.first_visual_change.value;
    launch->automatic[TS_END_SETTLED] = result.settled.value;
    launch->usable = ts_result_usable(&result);
    return TS_OK;
}

static int add_film(struct ts_judged *judged, const struct ts_shown_film *film, struct ts_why *why)
{
    struct ts_annotations annotations;
    char name[TS_PATH_MAX + 32];
    int err = ts_annotations_load(film->annotations.text, &annotations, why);
    if (err)
        return err;
    if (!annotations.count) {
        judged->unmarked++;
        return TS_OK;
    }
    if (*film->session.text)
        snprintf(name, sizeof name, "%s launch %d", film->session.text, film->launch);
    else
        snprintf(name, sizeof name, "%s", film->video.text);
    struct ts_judged_launch *launch = add_launch(judged, name);
    err = launch ? take_marks(launch, &annotations, why) : out_of_memory(why);
    if (!err && *film->session.text)
        err = take_result(film, launch, why);
    else if (!err)
        err = measure_video(film, &annotations, launch, why);
    ts_annotations_free(&annotations);
    return err;
}

static struct ts_judged_launch *find(const struct ts_judged *judged, size_t from, const char *name)
{
    for (size_t i = from; i < judged->count; i++) {
        if (strcmp(judged->items[i].name, name) == 0)
            return &judged->items[i];
    }
    return NULL;
}

static int add_row(struct ts_judged *judged, size_t from, const struct ts_agreement_row *row,
                   struct ts_why *why)
{
    struct ts_judged_launch *launch = find(judged, from, row->name);
    const double automatic = launch ? launch->automatic[TS_END_SETTLED] : row->automatic_ms;
    if (isnan(automatic) != isnan(row->automatic_ms) || fabs(automatic - row->automatic_ms) > 0)
        return ts_fail(why, TS_EPROTO, "%.200s has two automatic values", row->name);
    if (!launch)
        launch = add_launch(judged, row->name);
    struct ts_judgement *mark = launch ? add_mark(launch, row->by) : NULL;
    if (!mark)
        return out_of_memory(why);
    launch->automatic[TS_END_SETTLED] = row->automatic_ms;
    launch->usable = !isnan(row->automatic_ms);
    mark->ms[TS_END_FIRST_CHANGE] = (double)NAN;
    mark->ms[TS_END_SETTLED] = row->manual_ms;
    return TS_OK;
}

static int add_csv(struct ts_judged *judged, const char *path, struct ts_why *why)
{
    struct ts_buf text = {0};
    struct ts_agreement_row *rows = NULL;
    struct ts_why inner = {""};
    const size_t from = judged->count; /* names of other files are other launches */
    int err = ts_file_read(path, CSV_MOST, &text, why);
    if (err)
        return err;
    const long count =
        ts_agreement_csv_parse((const char *)text.data, text.size - 1, &rows, &inner);
    ts_buf_free(&text);
    err = count < 0 ? (int)count : TS_OK;
    for (long i = 0; i < count && !err; i++)
        err = add_row(judged, from, &rows[i], &inner);
    free(rows);
    return err ? ts_fail(why, err, "%s: %s", path, *inner.text ? inner.text : ts_err_text(err))
               : TS_OK;
}

int ts_judged_add(struct ts_judged *judged, const char *path, struct ts_why *why)
{
    struct ts_shown_films films = {0};
    const size_t size = strlen(path);
    if (size > 4 && strcmp(path + size - 4, ".csv") == 0)
        return add_csv(judged, path, why);
    int err = ts_shown_films_add(&films, path, why);
    for (size_t i = 0; i < films.count && !err; i++)
        err = add_film(judged, films.items[i], why);
    ts_shown_films_free(&films);
    return err;
}

void ts_judged_free(struct ts_judged *judged)
{
    for (size_t i = 0; i < judged->count; i++) {
        free(judged->items[i].name);
        free(judged->items[i].marks);
    }
    free(judged->items);
    *judged = (struct ts_judged){0};
}
