/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/analysis.h"

#include "store/files.h"

#define RESULT_MAX (1u << 20)

int ts_analysis_read_kept(const char *dir, int launch, struct ts_buf *out, struct ts_why *why)
{
    struct ts_path path;
    int err = ts_path_format(&path, why, "%s/launches/%04d/result.json", dir, launch);
    if (!err)
        err = ts_file_read(path.text, RESULT_MAX, out, why);
    if (!err)
        out->size--; /* the NUL that reading adds */
    return err;
}

int ts_analysis_write(const char *dir, const char *detector, int launch, const struct ts_buf *text,
                      struct ts_why *why)
{
    struct ts_path path;
    int err = ts_path_format(&path, why, "%s/analysis", dir);
    if (!err)
        err = ts_folder_make(path.text, why);
    if (!err)
        err = ts_path_format(&path, why, "%s/analysis/%s", dir, detector);
    if (!err)
        err = ts_folder_make(path.text, why);
    if (!err)
        err = ts_path_format(&path, why, "%s/analysis/%s/%04d.json", dir, detector, launch);
    return err ? err : ts_file_write(path.text, text, why);
}
