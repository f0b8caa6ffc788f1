/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `touchstone annotate VIDEO... | SESSION`: people mark in films what the detector measures. */
#ifndef TS_CLI_ANNOTATE_H
#define TS_CLI_ANNOTATE_H

#include "cli/annotate_films.h"
#include "report/out.h"

struct ts_annotate {
    struct ts_shown_films films;
    struct ts_film_given given;
    const char *by; /* "": the page asks */
    int port;
    bool open, again;
};

/* Argument parsing and all; returns the exit code. */
int ts_cli_annotate(int argc, char **argv);

/* ---- its parts ---- */
/* Keeps one person's marks of one film, timed and dated now. */
int ts_annotate_keep(const struct ts_annotate *annotate, const struct ts_shown_film *film,
                     const char *by, const struct ts_marks *marks, const int64_t *stamps_ns,
                     int frames, struct ts_why *why) TS_MUST_CHECK;
/* Shows the page until Ctrl-C. */
int ts_annotate_serve(struct ts_annotate *annotate, struct ts_why *why) TS_MUST_CHECK;
/* Everything that was marked, as a table or as JSON. */
int ts_annotate_list(const struct ts_shown_films *films, bool json, struct ts_out *out,
                     struct ts_why *why) TS_MUST_CHECK;

#endif
