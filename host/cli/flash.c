/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/flash.h"

#include "cli/cli.h"
#include "cli/output.h"
#include "store/files.h"

#include <argp.h>
#include <errno.h>
#include <glob.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* How avrdude speaks to the bootloaders that Arduino puts on its boards. */
static const struct board {
    const char *name, *programmer, *part;
} boards[] = {{"uno", "arduino", "m328p"}, {"mega", "wiring", "m2560"}};
#define BOARDS (sizeof boards / sizeof *boards)

struct arguments {
    const struct board *board;
    const char *port, *image;
    bool dry;
};

static const struct argp_option options[] = {
    {"image", 'i', "FILE.elf", 0,
     "The firmware (default: the one that was built with this program)", 0},
    {"dry-run", 'n', 0, 0, "Only print the command", 0},
    {0},
};

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case 'i':
        arguments->image = value;
        break;
    case 'n':
        arguments->dry = true;
        break;
    case ARGP_KEY_ARG:
        if (state->arg_num == 1)
            arguments->port = value;
        else if (state->arg_num > 1)
            argp_error(state, "one board at a time");
        for (size_t i = 0; i < BOARDS && state->arg_num == 0; i++) {
            if (strcmp(value, boards[i].name) == 0)
                arguments->board = &boards[i];
        }
        if (!arguments->board)
            argp_error(state, "\"%s\" is neither uno nor mega", value);
        break;
    case ARGP_KEY_END:
        if (!arguments->board)
            argp_error(state, "say which board: uno or mega");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp parser = {
    options,
    parse_option,
    "uno|mega [PORT]",
    "Write the firmware to the board, by avrdude.\v"
    "The board's own bootloader takes it: an Arduino Uno (or any ATmega328P board with its "
    "bootloader) or Mega 2560, at its USB cable. PORT is something like /dev/ttyACM0, clones are "
    "often /dev/ttyUSB0; it may be left out when there is only one. The motor's supply may be off. "
    "Afterwards `touchstone doctor --rig DIR` says which firmware answers.\n\n"
    "Examples:\n"
    "  touchstone flash uno\n"
    "  touchstone flash mega /dev/ttyUSB0\n"
    "  touchstone flash uno --dry-run\n\n"
    "Exit codes: 0 written and read back, 1 no board, no firmware or avrdude failed, 2 wrong "
    "usage.",
    0,
    0,
    0};

/* The only serial port that a board could be at. */
static int find_port(struct ts_path *path, struct ts_why *why)
{
    glob_t found = {.gl_pathc = 0};
    glob("/dev/ttyACM*", 0, NULL, &found);
    glob("/dev/ttyUSB*", GLOB_APPEND, NULL, &found);
    int err;
    if (found.gl_pathc == 1)
        err = ts_path_format(path, why, "%s", found.gl_pathv[0]);
    else if (found.gl_pathc == 0)
        err = ts_fail(why, TS_EIO,
                      "there is no board: plug it in, or name its port (ls /dev/ttyACM* "
                      "/dev/ttyUSB*)");
    else
        err = ts_fail(why, TS_EIO, "there are %zu serial ports: name the board's, for example %s",
                      found.gl_pathc, found.gl_pathv[0]);
    globfree(&found);
    return err;
}

/* build/bin/touchstone -> build/firmware/touchstone-uno.elf */
static int find_image(const char *board, struct ts_path *path, struct ts_why *why)
{
    char self[TS_PATH_MAX] = "";
    const ssize_t size = readlink("/proc/self/exe", self, sizeof self - 1);
    for (int i = 0; i < 2 && size > 0; i++) {
        char *slash = strrchr(self, '/');
        if (slash)
            *slash = '\0';
    }
    return ts_path_format(path, why, "%s/firmware/touchstone-%s.elf", self, board);
}

static int complete(const struct arguments *arguments, struct ts_path *port, struct ts_path *image,
                    struct ts_why *why)
{
    int err = arguments->image ? ts_path_format(image, why, "%s", arguments->image)
                               : find_image(arguments->board->name, image, why);
    if (!err && !ts_file_exists(image->text))
        err = ts_fail(why, TS_EIO,
                      "there is no firmware %s: build it (./dev build), or name one "
                      "with --image",
                      image->text);
    if (err)
        return err;
    if (!arguments->port)
        return find_port(port, why);
    err = ts_path_format(port, why, "%s", arguments->port);
    if (!err && !arguments->dry && access(port->text, F_OK))
        err = ts_fail(why, TS_EIO,
                      "there is no %s: is the board plugged in? ls /dev/ttyACM* /dev/ttyUSB*",
                      port->text);
    if (!err && !arguments->dry && access(port->text, R_OK | W_OK))
        err = ts_fail(why, TS_EIO,
                      "%s may not be used: ./dev setup --rig installs the udev rule; or join the "
                      "group dialout and log in again",
                      port->text);
    return err;
}

static int run(char **command, struct ts_why *why)
{
    pid_t child;
    int status = 0;
    const int failed = posix_spawnp(&child, command[0], NULL, NULL, command, environ);
    if (failed)
        return ts_fail(why, TS_EIO, "avrdude cannot be started (%s): apt-get install avrdude",
                       strerror(failed));
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (!WIFEXITED(status) || WEXITSTATUS(status))
        return ts_fail(why, TS_EIO,
                       "avrdude failed: close what else uses the port, press the board's reset "
                       "button, and see that it is the board that you named");
    return TS_OK;
}

int ts_cli_flash(int argc, char **argv)
{
    struct arguments arguments = {.board = NULL};
    struct ts_why why = {""};
    struct ts_out out = {0};
    struct ts_path port, image, flash;
    argp_err_exit_status = TS_EXIT_USAGE;
    argv[0] = "touchstone flash";
    argp_parse(&parser, argc, argv, 0, NULL, &arguments);
    int err = complete(&arguments, &port, &image, &why);
    if (!err)
        err = ts_path_format(&flash, &why, "flash:w:%s:e", image.text);
    if (!err) {
        /* -D: the bootloader cannot erase the chip, and need not. */
        char *command[] = {"avrdude",  "-q",
                           "-c",       (char *)(uintptr_t)arguments.board->programmer,
                           "-p",       (char *)(uintptr_t)arguments.board->part,
                           "-b",       "115200",
                           "-P",       port.text,
                           "-D",       "-U",
                           flash.text, NULL};
        for (size_t i = 0; command[i]; i++)
            ts_out_printf(&out, "%s%s", command[i], command[i + 1] ? " " : "\n");
        if (!arguments.dry) {
            ts_buf_clear(&out.text);
            err = run(command, &why);
            ts_out_printf(&out, "%s is on the board at %s.\n", image.text, port.text);
        }
    }
    return ts_cli_end(&out, err, &why);
}
