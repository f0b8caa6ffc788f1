/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The commands of the program and what they share. */
#ifndef TS_CLI_CLI_H
#define TS_CLI_CLI_H

/* Exit codes, in every --help. */
enum ts_exit {
    TS_EXIT_OK = 0,
    TS_EXIT_FAILED = 1,    /* data, device or file: the message says which and what to do */
    TS_EXIT_USAGE = 2,     /* the command line */
    TS_EXIT_STOPPED = 130, /* by Ctrl-C; what was finished is kept */
};

int ts_cli_run(int argc, char **argv);
int ts_cli_replay(int argc, char **argv);

#endif
