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

error_t ts_cli_take_session(int key, char *value, struct argp_state *state, const char **dir)
{
    if (key == ARGP_KEY_ARG) {
        if (*dir)
            argp_error(state, "one session at a time");
        *dir = value;
        return 0;
    }
    if (key != ARGP_KEY_END)
        return ARGP_ERR_UNKNOWN;
    if (!*dir)
        argp_error(state, "name a session folder");
    return 0;
}

/* A whole number of 1 or more, -1 when `text` is something else. */
static int launch_number(const char *text)
{
    char *end;
    errno = 0;
    const long number = strtol(text, &end, 10);
    return errno || !*text || *end || number < 1 || number > INT_MAX ? -1 : (int)number;
}

void ts_cli_take_launch(char *value, struct argp_state *state, const char **dir, int *launch)
{
    if (state->arg_num == 0)
        *dir = value;
    else if (state->arg_num == 1)
        *launch = launch_number(value);
    else
        argp_error(state, "too many arguments");
    if (*launch < 0)
        argp_error(state, "\"%s\" is not the number of a launch", value);
}
