/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int ts_path_format(struct ts_path *path, struct ts_why *why, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int length = vsnprintf(path->text, sizeof path->text, format, args);
    va_end(args);
    if (length < 0 || (size_t)length >= sizeof path->text)
        return ts_fail(why, TS_EINVAL, "a path of more than %d characters", TS_PATH_MAX - 1);
    return TS_OK;
}

static const char *advice(int reason)
{
    switch (reason) {
    case ENOSPC:
    case EDQUOT:
        return "; free some space, then resume";
    case EACCES:
    case EPERM:
    case EROFS:
        return "; choose a folder that you may write to";
    case ENOENT:
        return "; check the path";
    case EISDIR:
        return "; name a file in it";
    default:
        return "";
    }
}

int ts_file_fail(struct ts_why *why, const char *path, const char *action, int reason)
{
    return ts_fail(why, TS_EIO, "%s: cannot be %s: %s%s", path, action, strerror(reason),
                   advice(reason));
}

int ts_file_read(const char *path, size_t most, struct ts_buf *out, struct ts_why *why)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return ts_file_fail(why, path, "opened", errno);
    int err = TS_OK;
    while (!err) {
        uint8_t piece[16384];
        const size_t size = fread(piece, 1, sizeof piece, file);
        if (!size)
            break;
        err = ts_buf_append(out, piece, size);
        if (!err && out->size > most)
            err = ts_fail(why, TS_EPROTO, "%s: larger than %zu bytes", path, most);
    }
    if (!err && ferror(file))
        err = ts_file_fail(why, path, "read", errno);
    if (!err)
        err = ts_buf_append(out, "", 1);
    if (err == TS_ENOMEM)
        ts_fail(why, err, "%s: out of memory", path);
    fclose(file);
    if (err)
        ts_buf_free(out);
    return err;
}

static int write_all(int fd, const struct ts_buf *bytes)
{
    size_t done = 0;
    while (done < bytes->size) {
        const ssize_t written = write(fd, bytes->data + done, bytes->size - done);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return errno;
        done += (size_t)written;
    }
    return fsync(fd) ? errno : 0;
}

static int sync_folder_of(const char *path, struct ts_why *why)
{
    struct ts_path folder;
    const char *slash = strrchr(path, '/');
    const int length = slash ? (int)(slash - path) : 1;
    const int err = ts_path_format(&folder, why, "%.*s", length, slash ? path : ".");
    return err ? err : ts_file_sync(length ? folder.text : "/", why);
}

int ts_file_write(const char *path, const struct ts_buf *bytes, struct ts_why *why)
{
    struct ts_path part;
    const int err = ts_path_format(&part, why, "%s.part", path);
    if (err)
        return err;
    const int fd = open(part.text, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0)
        return ts_file_fail(why, part.text, "created", errno);
    int reason = write_all(fd, bytes);
    if (close(fd) && !reason)
        reason = errno;
    if (reason)
        return ts_file_fail(why, part.text, "written", reason);
    const int renamed = ts_file_rename(part.text, path, why);
    if (renamed)
        unlink(part.text);
    return renamed;
}

int ts_file_sync(const char *path, struct ts_why *why)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return ts_file_fail(why, path, "opened", errno);
    const int reason = fsync(fd) ? errno : 0;
    close(fd);
    /* Some file systems know no sync of folders. */
    return reason && reason != EINVAL ? ts_file_fail(why, path, "written to the disk", reason)
                                      : TS_OK;
}

int ts_file_rename(const char *from, const char *to, struct ts_why *why)
{
    if (rename(from, to))
        return ts_file_fail(why, to, "written", errno);
    return sync_folder_of(to, why);
}

bool ts_file_exists(const char *path)
{
    return access(path, F_OK) == 0;
}

int ts_folder_make(const char *path, struct ts_why *why)
{
    if (mkdir(path, 0777) && errno != EEXIST)
        return ts_file_fail(why, path, "created", errno);
    return TS_OK;
}

int ts_folder_make_two(const char *path, struct ts_why *why)
{
    struct ts_path parent;
    size_t size = strlen(path);
    while (size > 1 && path[size - 1] == '/')
        size--;
    while (size > 0 && path[size - 1] != '/')
        size--;
    if (size > 1 && !ts_path_format(&parent, NULL, "%.*s", (int)size, path))
        (void)!mkdir(parent.text, 0777); /* the next line tells what is wrong */
    return ts_folder_make(path, why);
}

/* The next name in a folder, "." and ".." left out; NULL at its end. A DIR is read by the thread
 * that opened it, for which readdir() is safe; readdir_r() is obsolescent. */
static const char *next_name(DIR *folder)
{
    struct dirent *entry;
    do {
        entry = readdir(folder); /* cppcheck-suppress readdirCalled */
    } while (entry && (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0));
    return entry ? entry->d_name : NULL;
}

bool ts_folder_is_empty(const char *path)
{
    DIR *folder = opendir(path);
    if (!folder)
        return errno == ENOENT;
    const bool empty = next_name(folder) == NULL;
    closedir(folder);
    return empty;
}

void ts_folder_remove(const char *path)
{
    DIR *folder = opendir(path);
    if (!folder)
        return;
    for (const char *name; (name = next_name(folder));)
        (void)unlinkat(dirfd(folder), name, 0);
    closedir(folder);
    (void)rmdir(path);
}

void ts_folder_remove_parts(const char *path)
{
    DIR *folder = opendir(path);
    if (!folder)
        return;
    for (const char *name; (name = next_name(folder));) {
        const char *end = strrchr(name, '.');
        if (end && strcmp(end, ".part") == 0)
            (void)unlinkat(dirfd(folder), name, 0); /* folders stay */
    }
    closedir(folder);
}
