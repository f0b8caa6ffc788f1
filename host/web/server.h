/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A small web server for one person at this computer. It listens on 127.0.0.1 only, and answers
 * only requests that name that address: a page from elsewhere that a browser has open can neither
 * read from it (Host, no CORS) nor write to it (Origin, JSON bodies only). No threads: requests are
 * answered one after the other inside ts_web_serve(). */
#ifndef TS_WEB_SERVER_H
#define TS_WEB_SERVER_H

#include "base/buf.h"

#include <signal.h>
#include <stdbool.h>

#define TS_WEB_BODY_MAX 65536 /* bytes */

struct ts_web_request {
    bool post;        /* else GET */
    const char *path; /* begins with '/', percent signs resolved; never a path of a file */
    const char *body; /* NUL-terminated */
    size_t body_size;
};

struct ts_web_answer {
    int status;       /* of HTTP; 200 when the answerer leaves it */
    const char *type; /* media type; static storage */
    struct ts_buf body;
};

typedef void (*ts_web_answerer)(void *context, const struct ts_web_request *request,
                                struct ts_web_answer *answer);

struct ts_web;

/* port 0: any free one. TS_EIO: it is taken, or not to be had. */
int ts_web_open(int port, ts_web_answerer answerer, void *context, struct ts_web **out,
                struct ts_why *why) TS_MUST_CHECK;
int ts_web_port(const struct ts_web *web);
/* Answers until *stop; a signal that sets it ends the wait at once. */
int ts_web_serve(struct ts_web *web, const volatile sig_atomic_t *stop) TS_MUST_CHECK;
void ts_web_close(struct ts_web *web); /* NULL is fine */

#endif
