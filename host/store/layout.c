/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/layout.h"

int ts_layout_part(const char *dir, int launch, struct ts_path *out, struct ts_why *why)
{
    return launch ? ts_path_format(out, why, "%s/launches/%04d", dir, launch)
                  : ts_path_format(out, why, "%s/calibration", dir);
}

int ts_layout_file(const char *dir, int launch, const char *name, struct ts_path *out,
                   struct ts_why *why)
{
    struct ts_path part;
    const int err = ts_layout_part(dir, launch, &part, why);
    return err ? err : ts_path_format(out, why, "%s/%s", part.text, name);
}
