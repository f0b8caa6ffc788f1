/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "logs.h"

#include <stdarg.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

char *logs_read(const char *name, size_t *size)
{
    char path[512];
    snprintf(path, sizeof path, "%s/fixtures/logs/%s", TS_SOURCE_DIR, name);
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("cannot open %s", path);
    const size_t room = 1 << 20;
    char *text = malloc(room);
    assert_non_null(text);
    *size = fread(text, 1, room - 1, file);
    text[*size] = '\0';
    fclose(file);
    return text;
}
