/* SPDX-License-Identifier: GPL-3.0-or-later */
/* restamp RIG KIND MEMBER VALUE: changes with whom a calibration file was made, or how long ago
 * (MEMBER days), and gives it the checksum that belongs to that. */
#include "store/rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int change(struct ts_record *record, const char *member, const char *value)
{
    struct ts_identity *who = &record->identity;
    const struct {
        const char *name;
        char *text;
        size_t size;
    } texts[] = {{"rig", who->rig, sizeof who->rig},
                 {"board", who->board, sizeof who->board},
                 {"firmware", who->firmware, sizeof who->firmware},
                 {"camera", who->camera, sizeof who->camera},
                 {"phone", who->phone, sizeof who->phone},
                 {"host", who->host, sizeof who->host}};
    if (strcmp(member, "days") == 0) {
        record->date_s -= 86400 * atoll(value);
        return TS_OK;
    }
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (strcmp(texts[i].name, member) != 0)
            continue;
        snprintf(texts[i].text, texts[i].size, "%s", value);
        return TS_OK;
    }
    return TS_EINVAL;
}

int main(int argc, char **argv)
{
    struct ts_rig rig;
    struct ts_why why = {"wrong usage"};
    int err = argc == 5 ? ts_rig_open(argv[1], 0, &rig, &why) : TS_EINVAL;
    for (int kind = 0; kind < TS_RECORD_COUNT && !err; kind++) {
        if (strcmp(ts_record_names[kind], argv[2]) != 0)
            continue;
        struct ts_record record = rig.records[kind];
        err = rig.known[kind] ? change(&record, argv[3], argv[4]) : TS_EINVAL;
        if (!err)
            err = ts_rig_put(&rig, &record, &why);
    }
    if (err)
        fprintf(stderr, "restamp: %s\n", why.text);
    else
        ts_rig_free(&rig);
    return err != TS_OK;
}
