/* SPDX-License-Identifier: GPL-3.0-or-later */
/* make_lab FOLDER FIRST COUNT LAUNCHES: that many folders of sessions that never were. */
#include "lab.h"
#include "store/files.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    struct ts_why why = {""};
    if (argc != 5)
        return 2;
    const int first = atoi(argv[2]), count = atoi(argv[3]), launches = atoi(argv[4]);
    int err = ts_folder_make(argv[1], &why);
    for (int number = first; number < first + count && !err; number++) {
        struct ts_path dir;
        err = ts_path_format(&dir, &why, "%s/session%d", argv[1], number);
        /* One build: count is more than there are. */
        if (!err)
            err = lab_write(dir.text, number, 4 * count + first, launches, &why);
    }
    if (err)
        fprintf(stderr, "%s\n", why.text);
    return err ? 1 : 0;
}
