/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of a session: whole files at once, and the order of syncs that makes a rename safe. Every
 * failure names the path, the reason and what to do. */
#ifndef TS_STORE_FILES_H
#define TS_STORE_FILES_H

#include "base/buf.h"

#include <stdbool.h>

#define TS_PATH_MAX 4096

struct ts_path {
    char text[TS_PATH_MAX];
};

/* printf into a path; TS_EINVAL when it does not fit. */
int ts_path_format(struct ts_path *path, struct ts_why *why, const char *format, ...)
    __attribute__((format(printf, 3, 4))) TS_MUST_CHECK;

/* The whole file with a NUL after it (counted in size). */
int ts_file_read(const char *path, size_t most, struct ts_buf *out,
                 struct ts_why *why) TS_MUST_CHECK;
/* Writes PATH.part, syncs it, renames it to PATH and syncs the folder. */
int ts_file_write(const char *path, const struct ts_buf *bytes, struct ts_why *why) TS_MUST_CHECK;
/* What was written to a file or folder is on the disk afterwards. */
int ts_file_sync(const char *path, struct ts_why *why) TS_MUST_CHECK;
int ts_file_rename(const char *from, const char *to, struct ts_why *why) TS_MUST_CHECK;
bool ts_file_exists(const char *path);
int ts_folder_make(const char *path, struct ts_why *why) TS_MUST_CHECK; /* there already is fine */
/* The same, and the folder that it is to stand in: "out/first" where there is no "out" yet. No more
 * than that: what is missing further up is a slip of the pen. */
int ts_folder_make_two(const char *path, struct ts_why *why) TS_MUST_CHECK;
/* Holds nothing, or is not there. */
bool ts_folder_is_empty(const char *path);
/* Removes a folder and the plain files in it; what is not there is fine. */
void ts_folder_remove(const char *path);
/* Removes what ts_file_write() left half written in a folder when the program was killed. */
void ts_folder_remove_parts(const char *path);
/* "PATH: cannot be ACTION: reason; what to do", from errno. Gives TS_EIO. */
int ts_file_fail(struct ts_why *why, const char *path, const char *action, int reason);

#endif
