/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "web/site.h"

#include "base/rng.h"
#include "web/film.h"
#include "web/pages.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ORDER_STREAM 0x616e6e6fu /* of the annotator's seed */

enum { OK = 200, BAD_REQUEST = 400, NOT_FOUND = 404, CONFLICT = 409, OUR_FAULT = 500 };

struct ts_site {
    struct ts_site_config config;
    char by[TS_MARKS_BY_MAX]; /* "": not known yet */
    size_t *order;            /* owned; position -> film */
    bool *done;               /* owned; by position */
    /* One film at a time is open: people go forward. */
    struct ts_film *film; /* owned */
    size_t film_at;       /* its position */
};

void ts_site_order(const char *by, size_t film_count, size_t *order)
{
    uint64_t seed = 14695981039346656037u; /* FNV-1a */
    for (const char *c = by; *c; c++)
        seed = (seed ^ (unsigned char)*c) * 1099511628211u;
    struct ts_rng rng;
    ts_rng_seed(&rng, seed, ORDER_STREAM);
    for (size_t i = 0; i < film_count; i++) {
        const size_t at = ts_rng_below(&rng, (uint32_t)i + 1); /* Fisher and Yates, inside out */
        order[i] = order[at];
        order[at] = i;
    }
}

int ts_site_name(const char *name, char *to, struct ts_why *why)
{
    name += strspn(name, " \t\r\n");
    size_t size = strlen(name);
    while (size && strchr(" \t\r\n", name[size - 1]))
        size--;
    if (!size)
        return ts_fail(why, TS_EINVAL, "say who you are, for those who read the marks later");
    if (size >= TS_MARKS_BY_MAX)
        return ts_fail(why, TS_EINVAL, "a name of at most %d bytes", TS_MARKS_BY_MAX - 1);
    json_t *text = json_stringn(name, size);
    bool plain = text != NULL; /* jansson takes UTF-8 only */
    json_decref(text);
    for (size_t i = 0; i < size; i++)
        plain = plain && (unsigned char)name[i] >= ' ' && name[i] != 0x7f;
    if (!plain)
        return ts_fail(why, TS_EINVAL, "a name is plain text in UTF-8");
    memcpy(to, name, size);
    to[size] = '\0';
    return TS_OK;
}

int ts_site_check(const struct ts_marks *marks, int frames, struct ts_why *why)
{
    const int first = marks->first_change_frame, settled = marks->settled_frame;
    if (!marks->cannot_tell && (first < 0 || settled < 0))
        return ts_fail(why, TS_EINVAL,
                       "mark the first change and where it settled, or say that you cannot tell");
    if (first == 0 || settled == 0)
        return ts_fail(why, TS_EINVAL,
                       "frame 0 has no frame before it: a change that it shows began earlier");
    if (first >= frames || settled >= frames)
        return ts_fail(why, TS_EINVAL, "the film has frames 0 to %d", frames - 1);
    if (first > 0 && settled > 0 && settled < first)
        return ts_fail(why, TS_EINVAL,
                       "it cannot have settled (frame %d) before the first change "
                       "(frame %d)",
                       settled, first);
    return TS_OK;
}

static void look_what_is_done(struct ts_site *site)
{
    for (size_t i = 0; i < site->config.film_count; i++)
        site->done[i] = site->config.is_done(site->config.context, site->order[i], site->by);
}

static int set_by(struct ts_site *site, const char *name, struct ts_why *why)
{
    const int err = ts_site_name(name, site->by, why);
    if (err)
        return err;
    ts_film_close(site->film); /* its position belongs to the order of the person before */
    site->film = NULL;
    ts_site_order(site->by, site->config.film_count, site->order);
    look_what_is_done(site);
    return TS_OK;
}

int ts_site_open(const struct ts_site_config *config, struct ts_site **out, struct ts_why *why)
{
    struct ts_site *site = calloc(1, sizeof *site);
    *out = NULL;
    if (!site)
        return TS_ENOMEM;
    site->config = *config;
    site->order = calloc(config->film_count + 1, sizeof *site->order);
    site->done = calloc(config->film_count + 1, sizeof *site->done);
    int err = site->order && site->done ? TS_OK : TS_ENOMEM;
    if (!err && config->by && *config->by)
        err = set_by(site, config->by, why);
    if (err) {
        ts_site_close(site);
        return err;
    }
    *out = site;
    return TS_OK;
}

void ts_site_close(struct ts_site *site)
{
    if (!site)
        return;
    ts_film_close(site->film);
    free(site->order);
    free(site->done);
    free(site);
}

size_t ts_site_done(const struct ts_site *site)
{
    size_t done = 0;
    for (size_t i = 0; i < site->config.film_count && *site->by; i++)
        done += site->done[i];
    return done;
}

static void put_json(struct ts_web_answer *answer, int status, json_t *object)
{
    char *text = object ? json_dumps(object, JSON_COMPACT) : NULL;
    json_decref(object);
    answer->status = status;
    answer->type = "application/json";
    if (!text || ts_buf_append(&answer->body, text, strlen(text)))
        answer->status = OUR_FAULT;
    free(text);
}

static void put_error(struct ts_web_answer *answer, int status, const char *text)
{
    put_json(answer, status, json_pack("{s:s}", "error", text));
}

static void put_state(const struct ts_site *site, struct ts_web_answer *answer)
{
    json_t *films = json_array();
    for (size_t i = 0; i < site->config.film_count; i++)
        json_array_append_new(films, json_pack("{s:b}", "done", *site->by && site->done[i]));
    put_json(answer, OK,
             json_pack("{s:s?,s:o}", "by", *site->by ? site->by : NULL, "films", films));
}

static void answer_by(struct ts_site *site, const json_t *body, struct ts_web_answer *answer)
{
    struct ts_why why = {""};
    const char *name = json_string_value(json_object_get(body, "by"));
    if (!name)
        put_error(answer, BAD_REQUEST, "\"by\" must be a text");
    else if (set_by(site, name, &why))
        put_error(answer, BAD_REQUEST, why.text);
    else
        put_state(site, answer);
}

/* The messages of media/ name the file, which the page must not show. */
static bool open_film(struct ts_site *site, size_t at, struct ts_web_answer *answer)
{
    struct ts_why why = {""};
    if (site->film && site->film_at == at)
        return true;
    ts_film_close(site->film);
    site->film = NULL;
    const char *path = site->config.films[site->order[at]].path;
    const int err = ts_film_open(path, site->config.memory, &site->film, &why);
    site->film_at = at;
    if (err) {
        fprintf(stderr, "touchstone: %s\n", *why.text ? why.text : ts_err_text(err));
        put_error(answer, OUR_FAULT,
                  "this film cannot be shown; the terminal says why. Go on with the next one.");
    }
    return !err;
}

static void answer_film(struct ts_site *site, struct ts_web_answer *answer)
{
    struct ts_picture picture;
    struct ts_why why = {""};
    if (ts_film_frame(site->film, 0, &picture, &why)) {
        put_error(answer, OUR_FAULT, "the film's first frame cannot be decoded");
        return;
    }
    const bool upright = site->config.films[site->order[site->film_at]].corners_known;
    put_json(answer, OK,
             json_pack("{s:i,s:i,s:i,s:b}", "frames", ts_film_count(site->film), "width_px",
                       picture.width_px, "height_px", picture.height_px, "upright", upright));
}

static void answer_frame(struct ts_site *site, bool upright, int index,
                         struct ts_web_answer *answer)
{
    const struct ts_site_film *film = &site->config.films[site->order[site->film_at]];
    struct ts_picture camera, display = {0};
    struct ts_why why = {""};
    if (index >= ts_film_count(site->film) || (upright && !film->corners_known)) {
        put_error(answer, NOT_FOUND, "there is no such frame");
        return;
    }
    int err = ts_film_frame(site->film, index, &camera, &why);
    if (!err && upright)
        err = ts_picture_rectify(&camera, film->corners_px, &display, &why);
    if (!err)
        err = ts_picture_png(upright ? &display : &camera, &answer->body, &why);
    ts_picture_free(&display);
    answer->type = "image/png";
    if (!err)
        return;
    fprintf(stderr, "touchstone: %s\n", *why.text ? why.text : ts_err_text(err));
    ts_buf_clear(&answer->body);
    put_error(answer, OUR_FAULT, "this frame cannot be shown; the terminal says why");
}

/* A frame's number, or -1 for null; false for anything else. */
static bool take_frame(const json_t *body, const char *key, int *frame)
{
    const json_t *value = json_object_get(body, key);
    *frame = -1;
    if (!value || json_is_null(value))
        return true;
    if (!json_is_integer(value) || json_integer_value(value) < 0 ||
        json_integer_value(value) > TS_FILM_FRAMES_MAX)
        return false;
    *frame = (int)json_integer_value(value);
    return true;
}

static void answer_marks(struct ts_site *site, size_t at, const json_t *body,
                         struct ts_web_answer *answer)
{
    struct ts_marks marks = {.cannot_tell = json_is_true(json_object_get(body, "cannot_tell"))};
    const char *note = json_string_value(json_object_get(body, "note"));
    struct ts_why why = {""};
    if (!take_frame(body, "first_change_frame", &marks.first_change_frame) ||
        !take_frame(body, "settled_frame", &marks.settled_frame)) {
        put_error(answer, BAD_REQUEST, "a mark is the number of a frame");
        return;
    }
    if (note && strlen(note) >= sizeof marks.note) {
        put_error(answer, BAD_REQUEST, "the note is too long");
        return;
    }
    memcpy(marks.note, note ? note : "", strlen(note ? note : "") + 1);
    if (ts_site_check(&marks, ts_film_count(site->film), &why)) {
        put_error(answer, BAD_REQUEST, why.text);
        return;
    }
    if (site->config.mark(site->config.context, site->order[at], site->by, &marks,
                          ts_film_stamps_ns(site->film), ts_film_count(site->film), &why)) {
        fprintf(stderr, "touchstone: %s\n", why.text);
        put_error(answer, OUR_FAULT, "the marks could not be kept; the terminal says why");
        return;
    }
    site->done[at] = true;
    put_state(site, answer);
}

/* "N...": the number of a film or a frame; what follows it goes to *rest. -1: none. */
static long take_number(const char *text, const char **rest)
{
    const size_t digits = strspn(text, "0123456789");
    *rest = text + digits;
    return digits && digits < 9 ? strtol(text, NULL, 10) : -1;
}

static void answer_about_film(struct ts_site *site, const char *path, const json_t *body,
                              struct ts_web_answer *answer)
{
    const char *rest, *end;
    const long at = take_number(path, &rest);
    const bool camera = strncmp(rest, "/camera/", 8) == 0;
    const bool upright = strncmp(rest, "/upright/", 9) == 0;
    const long frame = camera || upright ? take_number(rest + (camera ? 8 : 9), &end) : -1;
    const bool picture = frame >= 0 && *end == '\0' && !body;
    const bool about = *rest == '\0' && !body;
    const bool marks = strcmp(rest, "/marks") == 0 && body;
    if (at < 0 || (size_t)at >= site->config.film_count || !(picture || about || marks)) {
        put_error(answer, NOT_FOUND, "there is no such thing here");
        return;
    }
    if (!*site->by) { /* the order is a person's own */
        put_error(answer, CONFLICT, "say who you are first");
        return;
    }
    if (!open_film(site, (size_t)at, answer))
        return;
    if (picture)
        answer_frame(site, upright, (int)frame, answer);
    else if (about)
        answer_film(site, answer);
    else
        answer_marks(site, (size_t)at, body, answer);
}

static bool answer_file(const char *path, struct ts_web_answer *answer)
{
    static const struct {
        const char *path, *type, *text;
    } files[] = {
        {"/", "text/html; charset=utf-8", ts_page_html},
        {"/annotate.css", "text/css; charset=utf-8", ts_page_css},
        {"/annotate.js", "text/javascript; charset=utf-8", ts_page_js},
        {"/annotate_view.js", "text/javascript; charset=utf-8", ts_page_view_js},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (strcmp(path, files[i].path) != 0)
            continue;
        answer->type = files[i].type;
        if (ts_buf_append(&answer->body, files[i].text, strlen(files[i].text)))
            answer->status = OUR_FAULT;
        return true;
    }
    return false;
}

void ts_site_answer(void *context, const struct ts_web_request *request,
                    struct ts_web_answer *answer)
{
    static const char film[] = "/api/film/";
    struct ts_site *site = context;
    json_t *body = request->post
                       ? json_loadb(request->body, request->body_size, JSON_REJECT_DUPLICATES, NULL)
                       : NULL;
    answer->status = OK;
    if (request->post && !json_is_object(body))
        put_error(answer, BAD_REQUEST, "a JSON object is wanted");
    else if (strncmp(request->path, film, sizeof film - 1) == 0)
        answer_about_film(site, request->path + sizeof film - 1, body, answer);
    else if (body && strcmp(request->path, "/api/by") == 0)
        answer_by(site, body, answer);
    else if (!body && strcmp(request->path, "/api/state") == 0)
        put_state(site, answer);
    else if (body || !answer_file(request->path, answer))
        put_error(answer, NOT_FOUND, "there is no such thing here");
    json_decref(body);
}
