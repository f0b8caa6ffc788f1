/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The options that say when a film's frames were taken, for every command that takes films. */
#ifndef TS_CLI_FILM_OPTIONS_H
#define TS_CLI_FILM_OPTIONS_H

#include <argp.h>

#define TS_CLI_MS_MOST 60000.0

/* A child of the command's parser; its input is a struct ts_film_given, which borrows from argv. */
extern const struct argp ts_film_argp;

#endif
