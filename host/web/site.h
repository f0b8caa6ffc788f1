/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The annotation page and what it asks for. A person sees pictures and their numbers within the
 * film and nothing else that bears on the answer: no name of a file, no result, no time, nobody's
 * marks. Films are known to the page by their place in the person's own random order.
 *
 *   GET  /                        the page; /annotate.css /annotate.js /annotate_view.js
 *   GET  /api/state               {"by": name or null, "films": [{"done": bool}, ...]}
 *   POST /api/by                  {"by": name}; answers as /api/state
 *   GET  /api/film/N              {"frames", "width_px", "height_px", "upright": bool}
 *   GET  /api/film/N/camera/K     frame K as the camera saw it, PNG
 *   GET  /api/film/N/upright/K    the display alone, seen upright
 *   POST /api/film/N/marks        {"first_change_frame", "settled_frame": frame or null,
 *                                 "cannot_tell": bool, "note": text}; answers as /api/state
 *
 * What is wrong is answered with a status of 400 and more and {"error": what to do}. */
#ifndef TS_WEB_SITE_H
#define TS_WEB_SITE_H

#include "model/marks.h"
#include "web/server.h"

#include <stddef.h>

struct ts_site_film {
    const char *path; /* borrowed */
    bool corners_known;
    double corners_px[4][2]; /* as ts_picture_rectify() */
};

struct ts_site_config {
    const struct ts_site_film *films; /* borrowed */
    size_t film_count;
    const char *by; /* "": the page asks */
    size_t memory;  /* bytes for decoded frames */
    void *context;
    /* Has this person marked the film, so that it need not be shown? */
    bool (*is_done)(void *context, size_t film, const char *by);
    /* Keeps the marks; stamps_ns: of the film's frames, as ts_film_stamps_ns(). */
    int (*mark)(void *context, size_t film, const char *by, const struct ts_marks *marks,
                const int64_t *stamps_ns, int frames, struct ts_why *why);
};

struct ts_site;

/* The order in which this person sees the films: position -> film. The same name and number of
 * films give the same order, so that work can be continued. */
void ts_site_order(const char *by, size_t film_count, size_t *order);
/* Trims blanks at both ends into to[TS_MARKS_BY_MAX]. TS_EINVAL: nothing is left, too long, or
 * not plain UTF-8 text. */
int ts_site_name(const char *name, char *to, struct ts_why *why) TS_MUST_CHECK;
/* Do these marks make sense in a film of `frames` frames? TS_EINVAL and what is wrong. */
int ts_site_check(const struct ts_marks *marks, int frames, struct ts_why *why) TS_MUST_CHECK;

int ts_site_open(const struct ts_site_config *config, struct ts_site **out,
                 struct ts_why *why) TS_MUST_CHECK;
void ts_site_close(struct ts_site *site);
/* A ts_web_answerer; context: the site. */
void ts_site_answer(void *site, const struct ts_web_request *request, struct ts_web_answer *answer);
/* Films that the current person has marked. */
size_t ts_site_done(const struct ts_site *site);

#endif
