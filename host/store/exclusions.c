/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/exclusions.h"

#include "store/db.h"
#include "store/files.h"
#include "store/json_in.h"
#include "store/json_out.h"
#include "store/session.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXCLUSIONS_MAX ((size_t)16 << 20)

static int read_line(const char *line, size_t size, char **reasons, int count, struct ts_why *why)
{
    json_t *root;
    const int err = ts_json_in_parse(line, size, "exclusions.jsonl", &root, why);
    if (err)
        return err;
    struct ts_json_in in = {root, "exclusions.jsonl", why, TS_OK};
    const int launch = (int)ts_json_in_integer(&in, "launch", 1, TS_PLAN_LAUNCHES_MAX);
    const bool excluded = ts_json_in_boolean(&in, "excluded");
    char *reason = ts_json_in_text_new(&in, "why");
    if (!in.err && launch <= count) {
        free(reasons[launch]);
        reasons[launch] = excluded ? reason : NULL;
        if (excluded)
            reason = NULL;
    }
    free(reason);
    json_decref(root);
    return in.err;
}

int ts_exclusions_read(const char *dir, char **reasons, int count, struct ts_why *why)
{
    struct ts_path path;
    struct ts_buf bytes = {0};
    int err = ts_path_format(&path, why, "%s/exclusions.jsonl", dir);
    if (err || !ts_file_exists(path.text))
        return err;
    err = ts_file_read(path.text, EXCLUSIONS_MAX, &bytes, why);
    /* A last line without its end was cut off by a crash; it never counted. */
    for (char *line = (char *)bytes.data, *end; !err && (end = strchr(line, '\n')); line = end + 1)
        err = read_line(line, (size_t)(end - line), reasons, count, why);
    ts_buf_free(&bytes);
    return err;
}

/* Cuts off what a crash left of an unfinished line. */
static int append(int fd, const struct ts_buf *line)
{
    off_t end = lseek(fd, 0, SEEK_END);
    char last = '\n';
    while (end > 0 && pread(fd, &last, 1, end - 1) == 1 && last != '\n')
        end--;
    if (end < 0 || ftruncate(fd, end) || lseek(fd, end, SEEK_SET) < 0)
        return errno;
    const ssize_t written = write(fd, line->data, line->size);
    if (written != (ssize_t)line->size)
        return written < 0 ? errno : ENOSPC;
    return fsync(fd) ? errno : 0;
}

static int write_exclusion(const char *dir, const struct ts_buf *line, struct ts_why *why)
{
    struct ts_path path;
    const int err = ts_path_format(&path, why, "%s/exclusions.jsonl", dir);
    if (err)
        return err;
    const int fd = open(path.text, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0)
        return ts_file_fail(why, path.text, "opened", errno);
    const int reason = append(fd, line);
    close(fd);
    return reason ? ts_file_fail(why, path.text, "written", reason) : TS_OK;
}

static int note_in_db(const char *dir, int launch, const char *reason, struct ts_why *why)
{
    struct ts_path path;
    struct ts_db *db;
    int err = ts_path_format(&path, why, "%s/results.sqlite", dir);
    if (err || !ts_file_exists(path.text))
        return err;
    err = ts_db_open(path.text, &db, why);
    if (err)
        return err;
    err = ts_db_put_exclusion(db, launch, reason, why);
    ts_db_close(db);
    return err;
}

int ts_session_exclude(const char *dir, int launch, const char *reason, struct ts_why *why)
{
    struct ts_session *session;
    int err = ts_session_open(dir, &session, why);
    if (err)
        return err;
    const int count = ts_session_launch_count(session);
    ts_session_free(session);
    if (launch < 1 || launch > count)
        return ts_fail(why, TS_EINVAL, "%s: has no launch %d, only 1 to %d", dir, launch, count);
    struct ts_buf line = {0};
    struct ts_json_out out = {.buf = &line};
    ts_json_open(&out, NULL, '{');
    ts_json_integer(&out, "launch", launch);
    ts_json_boolean(&out, "excluded", reason != NULL);
    ts_json_text(&out, "why", reason ? reason : "");
    ts_json_close(&out, '}');
    if (out.err || ts_buf_append(&line, "\n", 1))
        err = ts_fail(why, TS_ENOMEM, "out of memory");
    if (!err)
        err = write_exclusion(dir, &line, why);
    ts_buf_free(&line);
    return err ? err : note_in_db(dir, launch, reason, why);
}
