/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/archive.h"

#include "store/files.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BYTES_MOST ((int64_t)64 << 30)
#define BLOCK      ((size_t)1 << 16)

struct ts_archive_writer {
    struct archive *archive;
};

static int say(struct archive *archive, struct ts_why *why, int err, const char *what)
{
    const char *text = archive_error_string(archive);
    return ts_fail(why, err, "%.200s: %.150s", what, text ? text : "unknown error");
}

int ts_archive_create(const char *path, struct ts_archive_writer **out, struct ts_why *why)
{
    *out = calloc(1, sizeof **out);
    struct archive *archive = *out ? archive_write_new() : NULL;
    if (!archive) {
        free(*out);
        *out = NULL;
        return TS_ENOMEM;
    }
    (*out)->archive = archive;
    if (!archive_write_add_filter_zstd(archive) &&
        !archive_write_set_format_pax_restricted(archive) &&
        !archive_write_open_filename(archive, path))
        return TS_OK;
    const int err = say(archive, why, TS_EIO, path);
    archive_write_free(archive);
    free(*out);
    *out = NULL;
    return err;
}

int ts_archive_put(struct ts_archive_writer *writer, const char *name, const struct ts_buf *bytes,
                   struct ts_why *why)
{
    struct archive_entry *entry = archive_entry_new();
    if (!entry)
        return TS_ENOMEM;
    archive_entry_set_pathname(entry, name);
    archive_entry_set_size(entry, (int64_t)bytes->size);
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    int err = TS_OK;
    if (archive_write_header(writer->archive, entry) ||
        (bytes->size &&
         archive_write_data(writer->archive, bytes->data, bytes->size) != (la_ssize_t)bytes->size))
        err = say(writer->archive, why, TS_EIO, name);
    archive_entry_free(entry);
    return err;
}

int ts_archive_close(struct ts_archive_writer *writer, struct ts_why *why)
{
    if (!writer)
        return TS_OK;
    int err = TS_OK;
    if (archive_write_close(writer->archive))
        err = say(writer->archive, why, TS_EIO, "the archive cannot be finished");
    archive_write_free(writer->archive);
    free(writer);
    return err;
}

static bool is_safe(const char *name)
{
    static const char allowed[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-/";
    const size_t size = strlen(name);
    if (!size || size > 200 || strspn(name, allowed) != size || name[size - 1] == '/')
        return false;
    for (const char *at = name; at; at = strchr(at, '/')) {
        at += *at == '/' && at != name;
        if (*at == '/' || *at == '.')
            return false;
    }
    return true;
}

static int make_folders(const char *folder, const char *name, struct ts_why *why)
{
    struct ts_path path;
    for (const char *slash = strchr(name, '/'); slash; slash = strchr(slash + 1, '/')) {
        int err = ts_path_format(&path, why, "%s/%.*s", folder, (int)(slash - name), name);
        if (!err)
            err = ts_folder_make(path.text, why);
        if (err)
            return err;
    }
    return TS_OK;
}

/* O_EXCL: a name that is there already, or a link in its place, is refused. */
static int unpack_file(struct archive *archive, const char *folder, const char *name, int64_t *left,
                       struct ts_why *why)
{
    struct ts_path path;
    char *block = malloc(BLOCK);
    la_ssize_t size = 0;
    int err = block ? make_folders(folder, name, why) : TS_ENOMEM;
    if (!err)
        err = ts_path_format(&path, why, "%s/%s", folder, name);
    const int file = err ? -1 : open(path.text, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (!err && file < 0)
        err = errno == EEXIST ? ts_fail(why, TS_EPROTO, "the archive holds %s twice", name)
                              : ts_file_fail(why, path.text, "made", errno);
    while (!err && (size = archive_read_data(archive, block, BLOCK)) > 0) {
        *left -= size;
        if (*left < 0)
            err = ts_fail(why, TS_EPROTO, "the archive unpacks to more than 64 GB");
        else if (write(file, block, (size_t)size) != size)
            err = ts_file_fail(why, path.text, "written", errno);
    }
    if (!err && size < 0)
        err = say(archive, why, TS_EPROTO, name);
    if (file >= 0 && close(file) && !err)
        err = ts_file_fail(why, path.text, "written", errno);
    free(block);
    return err;
}

static int unpack_entries(struct archive *archive, const char *folder,
                          bool (*accept)(const char *name), size_t files_most, struct ts_why *why)
{
    struct archive_entry *entry;
    int64_t left = BYTES_MOST;
    int status;
    for (size_t files = 0; (status = archive_read_next_header(archive, &entry)) == ARCHIVE_OK;
         files++) {
        const char *name = archive_entry_pathname(entry);
        if (!name || archive_entry_filetype(entry) != AE_IFREG || archive_entry_hardlink(entry) ||
            archive_entry_symlink(entry) || !is_safe(name) || !accept(name) || files >= files_most)
            return ts_fail(why, TS_EPROTO, "it holds what no bundle does; nothing of it is used");
        const int err = unpack_file(archive, folder, name, &left, why);
        if (err)
            return err;
    }
    return status == ARCHIVE_EOF ? TS_OK : say(archive, why, TS_EPROTO, "damaged");
}

int ts_archive_unpack(const char *path, const char *folder, bool (*accept)(const char *name),
                      size_t files_most, struct ts_why *why)
{
    struct ts_why what = {""};
    struct archive *archive = archive_read_new();
    if (!archive)
        return TS_ENOMEM;
    int err = TS_OK;
    if (archive_read_support_filter_zstd(archive) || archive_read_support_format_tar(archive) ||
        archive_read_open_filename(archive, path, BLOCK))
        err = say(archive, &what, access(path, R_OK) ? TS_EIO : TS_EPROTO, "no bundle");
    if (!err)
        err = unpack_entries(archive, folder, accept, files_most, &what);
    archive_read_free(archive);
    return err ? ts_fail(why, err, "%.150s: %.240s", path, what.text) : TS_OK;
}
