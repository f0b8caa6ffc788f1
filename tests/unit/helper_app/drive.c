/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "drive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define MOST (4u << 20)

char *drive(const char *arguments, size_t *size)
{
    char command[1000];
    const int length = snprintf(command, sizeof command,
                                "'%s' -Xverify:all -Xshare:auto -XX:TieredStopAtLevel=1 "
                                "-cp '%s':'%s' Drive %s",
                                HELPER_JAVA, HELPER_CLASSES, HELPER_JAR, arguments);
    assert_in_range(length, 1, sizeof command - 1);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    char *text = malloc(MOST);
    assert_non_null(text);
    *size = fread(text, 1, MOST - 1, pipe);
    text[*size] = '\0';
    assert_int_equal(pclose(pipe), 0);
    return text;
}
