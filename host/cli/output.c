/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/output.h"

#include "cli/cli.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

int ts_cli_end(struct ts_out *out, int err, const struct ts_why *why)
{
    int code = TS_EXIT_OK;
    if (err || out->err) {
        fprintf(stderr, "touchstone: %s\n",
                err && *why->text ? why->text : ts_err_text(err ? err : out->err));
        code = TS_EXIT_FAILED;
    } else if ((out->text.size &&
                fwrite(out->text.data, 1, out->text.size, stdout) != out->text.size) ||
               fflush(stdout)) {
        perror("touchstone: standard output");
        code = TS_EXIT_FAILED;
    }
    ts_buf_free(&out->text);
    return code;
}

int ts_cli_launch_number(const char *text)
{
    char *end;
    errno = 0;
    const long number = strtol(text, &end, 10);
    return errno || !*text || *end || number < 1 || number > INT_MAX ? -1 : (int)number;
}
