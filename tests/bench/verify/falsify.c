/* SPDX-License-Identifier: GPL-3.0-or-later */
/* falsify RIG KIND NAME BY: adds BY to a value of a calibration file, and gives the file the
 * checksum that belongs to it, so that nothing but a verification can tell. */
#include "store/rig.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int falsify(struct ts_rig *rig, const char *kind, const char *name, double by,
                   struct ts_why *why)
{
    for (int k = 0; k < TS_RECORD_COUNT; k++) {
        if (strcmp(ts_record_names[k], kind) != 0 || !rig->known[k])
            continue;
        struct ts_record record = rig->records[k];
        for (size_t i = 0; i < record.count; i++) {
            if (strcmp(record.values[i].name, name) != 0)
                continue;
            /* As the writer rounds: what is read again must be the same number. */
            record.values[i].value = round((record.values[i].value + by) * 1e6) / 1e6;
            return ts_rig_put(rig, &record, why);
        }
    }
    return ts_fail(why, TS_EINVAL, "there is no %s in a %s calibration of it", name, kind);
}

int main(int argc, char **argv)
{
    struct ts_rig rig;
    struct ts_why why = {""};
    if (argc != 5) {
        fprintf(stderr, "usage: falsify RIG KIND NAME BY\n");
        return 2;
    }
    int err = ts_rig_open(argv[1], 0, &rig, &why);
    if (!err) {
        err = falsify(&rig, argv[2], argv[3], strtod(argv[4], NULL), &why);
        ts_rig_free(&rig);
    }
    if (err)
        fprintf(stderr, "%s\n", why.text);
    return err != TS_OK;
}
