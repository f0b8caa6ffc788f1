/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A learned rule for when one app is ready, as a JSON file that a person can read and correct. */
#ifndef TS_STORE_READY_FILE_H
#define TS_STORE_READY_FILE_H

#include "base/buf.h"
#include "vision/ready.h"

struct ts_ready_file {
    char app[128];
    char detector[32]; /* version that saw the changes it was learned from */
    struct ts_ready_rule rule;
};

/* The whole object, indented, with a final newline. */
int ts_ready_print(const struct ts_ready_file *file, struct ts_buf *out) TS_MUST_CHECK;
/* TS_EPROTO: not such a file, or a rule that cannot be. */
int ts_ready_parse(const char *text, size_t size, struct ts_ready_file *out,
                   struct ts_why *why) TS_MUST_CHECK;
int ts_ready_load(const char *path, struct ts_ready_file *out, struct ts_why *why) TS_MUST_CHECK;
int ts_ready_save(const char *path, const struct ts_ready_file *file,
                  struct ts_why *why) TS_MUST_CHECK;

#endif
