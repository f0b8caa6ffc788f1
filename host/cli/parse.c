/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/parse.h"

#include "android/logcat.h"

#include <argp.h>
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

enum { EXIT_CODE_OK = 0, EXIT_CODE_FAILED = 1, EXIT_CODE_USAGE = 2 };

struct options {
    const char *format; /* "logcat" */
    const char *path;   /* "-": standard input */
    bool json;
};

static const char doc[] =
    "Print what a phone's log says about app launches, one event a line."
    "\v"
    "FILE is the saved text output of `adb logcat` (or `-`, standard input), in any of logcat's "
    "formats: brief, process, tag, thread, time, threadtime, long, raw, with any of the modifiers "
    "usec, nsec, epoch, monotonic, year, zone, UTC, uid and color, of Android 4 to 16. What is no "
    "log line is passed over. Events are printed as they are read, so that a live log can be "
    "piped through. The text of other lines is never printed.\n"
    "\n"
    "With --json each event is one object:\n"
    "  kind         displayed, fully_drawn, launch_time, start, proc_start,\n"
    "               proc_bound, proc_died, kill, create, restart, resume, pause,\n"
    "               crash, anr, focus, lost, timeout\n"
    "  component    activity (or process, window) it is about, as printed\n"
    "  duration_ms  time printed in the line: of displayed and launch_time the time\n"
    "               to initial display, of fully_drawn to full display\n"
    "  total_ms     the same from the first activity of a chain (Android 9 and\n"
    "               older)\n"
    "  user         Android user (0 is the owner)\n"
    "  stamp        the line's time, as printed\n"
    "These six are always there, null where the line does not say. Where it does, there are also:\n"
    "  tag, pid, uid               of the writer of the line\n"
    "  process, process_pid, process_uid   the process it is about\n"
    "  caller, caller_uid, result  who asked for a start, and the result code\n"
    "  reason, lost                why; lines that the log daemon dropped\n"
    "\n"
    "Whether an event was really written by the system, and belongs to a certain tap, is not "
    "judged here: any app can write these words.\n"
    "\n"
    "Examples:\n"
    "  adb logcat -d -b all -v threadtime | touchstone parse logcat -\n"
    "  touchstone parse logcat phone.log --json | jq 'select(.kind == \"displayed\")'\n"
    "\n"
    "Exit codes: 0 the file was read to its end, 1 it could not be read or the output could not "
    "be written, 2 wrong usage.";

static const struct argp_option option_list[] = {
    {"json", 'j', NULL, 0, "Print JSON lines instead of a table", 0},
    {0},
};

static error_t take_option(int key, char *arg, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
    case 'j':
        options->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num == 0) {
            if (strcmp(arg, "logcat") != 0)
                argp_error(state, "unknown format '%s': only 'logcat' can be parsed", arg);
            options->format = arg;
        } else if (state->arg_num == 1) {
            options->path = arg;
        } else {
            argp_error(state, "too many arguments: one file at a time");
        }
        return 0;
    case ARGP_KEY_END:
        if (!options->path)
            argp_error(state, "say what to parse and from where: logcat FILE");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Logs are no UTF-8 for certain: what is not becomes '?'. NULL for "". */
static json_t *text_or_null(const char *text)
{
    if (*text == '\0')
        return json_null();
    json_t *value = json_string(text);
    if (value)
        return value;
    char ascii[200];
    size_t n = 0;
    for (; text[n] && n + 1 < sizeof ascii; n++)
        ascii[n] = (unsigned char)text[n] < 0x80 ? text[n] : '?';
    ascii[n] = '\0';
    return json_string(ascii);
}

static json_t *duration_or_null(double ms)
{
    if (isnan(ms))
        return json_null();
    return ms == rint(ms) && fabs(ms) < 1e15 ? json_integer((json_int_t)ms) : json_real(ms);
}

static json_t *integer_or_null(int value)
{
    return value < 0 ? json_null() : json_integer(value);
}

/* Takes `value`, and drops it when it says nothing. */
static void set_known(json_t *object, const char *key, json_t *value)
{
    if (json_is_null(value))
        json_decref(value);
    else
        json_object_set_new(object, key, value);
}

static bool print_json(const struct ts_log_event *event)
{
    json_t *object = json_object();
    const bool is_start = event->kind == TS_LOG_START;
    json_object_set_new(object, "kind", json_string(ts_log_event_name(event->kind)));
    json_object_set_new(object, "component", text_or_null(event->component));
    json_object_set_new(object, "duration_ms", duration_or_null(event->duration_ms));
    json_object_set_new(object, "total_ms", duration_or_null(event->total_ms));
    json_object_set_new(object, "user", integer_or_null(event->user));
    json_object_set_new(object, "stamp", text_or_null(event->line.stamp));
    set_known(object, "tag", text_or_null(event->line.tag));
    set_known(object, "pid", integer_or_null(event->line.pid));
    set_known(object, "uid", integer_or_null(event->line.uid));
    set_known(object, "process", text_or_null(event->process));
    set_known(object, "process_pid", integer_or_null(event->pid));
    set_known(object, is_start ? "caller_uid" : "process_uid", integer_or_null(event->uid));
    set_known(object, "caller", text_or_null(event->caller));
    set_known(object, "reason", text_or_null(event->reason));
    if (event->result != -1)
        json_object_set_new(object, "result", json_integer(event->result));
    if (event->kind == TS_LOG_LOST)
        json_object_set_new(object, "lost", json_integer(event->lost));
    char *text = json_dumps(object, JSON_COMPACT);
    const bool printed = text && puts(text) >= 0;
    free(text);
    json_decref(object);
    return printed;
}

static const char *print_ms(double ms, char *text, size_t size)
{
    if (isnan(ms))
        return "-";
    snprintf(text, size, "%.0f", ms);
    return text;
}

static bool print_row(const struct ts_log_event *event)
{
    char duration[24], total[24], user[12] = "-";
    if (event->user >= 0)
        snprintf(user, sizeof user, "%d", event->user);
    return printf("%-26s  %-11s  %8s  %8s  %4s  %s\n",
                  event->line.stamp[0] ? event->line.stamp : "-", ts_log_event_name(event->kind),
                  print_ms(event->duration_ms, duration, sizeof duration),
                  print_ms(event->total_ms, total, sizeof total), user,
                  event->component[0] ? event->component : "-") >= 0;
}

static bool print_event(const struct options *options, const struct ts_log_event *event)
{
    if (event->kind == TS_LOG_NOTHING)
        return true;
    return options->json ? print_json(event) : print_row(event);
}

/* `header` is the latest of the long format, whose message the lines below it are, up to an empty
 * one. */
static bool read_line(const struct options *options, const char *text, size_t size,
                      struct ts_log_line *header)
{
    struct ts_log_event event;
    const int err = ts_logcat_parse_event(text, size, &event);
    if (err) {
        header->message_follows = false;
        return true;
    }
    if (event.line.message_follows) {
        *header = event.line;
        return true;
    }
    if (header->message_follows) {
        event.line = *header;
        ts_logcat_set_message(&event.line, text, size);
        ts_log_event_read(&event);
    }
    return print_event(options, &event);
}

static int read_file(const struct options *options, FILE *file)
{
    struct ts_log_line header = {0};
    char *text = NULL;
    size_t capacity = 0;
    bool printed = true;
    if (!options->json)
        printed = printf("%-26s  %-11s  %8s  %8s  %4s  %s\n", "STAMP", "KIND", "MS", "TOTAL",
                         "USER", "COMPONENT") >= 0;
    ssize_t size;
    while (printed && (size = getline(&text, &capacity, file)) >= 0)
        printed = read_line(options, text, (size_t)size, &header);
    free(text);
    if (ferror(file)) {
        fprintf(stderr, "touchstone parse: %s: %s\n", options->path, strerror(errno));
        return EXIT_CODE_FAILED;
    }
    if (!printed || fflush(stdout) != 0) {
        fprintf(stderr, "touchstone parse: cannot write: %s\n", strerror(errno));
        return EXIT_CODE_FAILED;
    }
    return EXIT_CODE_OK;
}

int ts_cli_parse(int argc, char **argv)
{
    static const struct argp argp = {option_list, take_option, "logcat FILE", doc,
                                     NULL,        NULL,        NULL};
    struct options options = {0};
    argp_err_exit_status = EXIT_CODE_USAGE;
    argv[0] = "touchstone parse";
    if (argp_parse(&argp, argc, argv, 0, NULL, &options))
        return EXIT_CODE_USAGE;
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    if (strcmp(options.path, "-") == 0)
        return read_file(&options, stdin);
    FILE *file = fopen(options.path, "rb");
    if (!file) {
        fprintf(stderr, "touchstone parse: %s: %s\n", options.path, strerror(errno));
        return EXIT_CODE_FAILED;
    }
    const int code = read_file(&options, file);
    fclose(file);
    return code;
}
