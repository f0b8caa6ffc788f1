/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/plan.h"

#include "cli/cli.h"
#include "cli/output.h"
#include "store/plan_file.h"

#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Every key that a plan knows, with its default. */
static const char template[] =
    "# A plan for Touchstone. `touchstone plan check FILE` says whether it can run.\n"
    "# Only `apps` is required; every other key but `name` stands here with its default.\n"
    "\n"
    "# Shown at the top of the report.\n"
    "name: my first campaign\n"
    "\n"
    "# One entry an app. `adb shell cmd package resolve-activity --brief PACKAGE` prints the\n"
    "# component.\n"
    "apps:\n"
    "  - name: Clock\n"
    "    component: com.android.deskclock/.DeskClock\n"
    "  - name: Settings\n"
    "    component: com.android.settings/.Settings\n"
    "# Builds of one app, each installed before each of its blocks (paths as seen from here); "
    "then\n"
    "# `touchstone compare DIR --by build` compares them.\n"
    "#  - {name: Mail, build: A, component: org.example.mail/.InboxActivity, apk: mail-a.apk}\n"
    "#  - {name: Mail, build: B, component: org.example.mail/.InboxActivity, apk: mail-b.apk}\n"
    "# reinstall: keep        (the app's data; or clean: the app is removed first)\n"
    "\n"
    "# Launches of each app. From 6 on there is a 95 % interval of the median.\n"
    "launches: 10\n"
    "\n"
    "# With a stop rule that is the most: an app has enough once the rule is met. Tests:\n"
    "# launches(N), minutes(X), variation < 5%, width(median) < 5%, stable(N, 2%), last(N, rule);\n"
    "# and, or, not, brackets.\n"
    "# stop: launches(6) and width(median) < 5%\n"
    "\n"
    "# Launches of each app before those; kept, but not counted. With builds: of each block.\n"
    "warm_up: 0\n"
    "\n"
    "# Launches of one app in a row before the next app's turn: blocks.\n"
    "# block: 1\n"
    "\n"
    "# cold: the app is stopped before each launch; warm: its process lives; hot: so does its\n"
    "# window. Of an app that does not run, the first launch is cold in any case: with warm and\n"
    "# hot say `warm_up: 1`.\n"
    "start: cold\n"
    "\n"
    "# interleaved: all apps take turns; sequential: one app after the other; shuffled: by the\n"
    "# seed; counterbalanced: the same, each second round backwards (ABBA), against drift.\n"
    "order: interleaved\n"
    "\n"
    "# Which videos to keep: flagged+sample, all or none. Results never need them.\n"
    "keep_video: flagged+sample\n"
    "\n"
    "# Taps on the contact plate at the start; they teach when the stylus leaves the glass.\n"
    "# 0: the lift stays nominal, within 6 ms.\n"
    "plate_taps: 12\n"
    "\n"
    "# The screen must rest this many milliseconds before it counts as settled.\n"
    "quiet_ms: 1200\n"
    "\n"
    "# How many milliseconds after the lift, or Android's start, to wait for that.\n"
    "timeout_ms: 10000\n"
    "\n"
    "# auto: the phone that adb finds, or a serial number; none: film the screen only.\n"
    "phone: auto\n"
    "\n"
    "# true: accessibility events of every launch, for `touchstone estimate`, and its touches as\n"
    "# the kernel stamps them; they cost time.\n"
    "events: false\n"
    "# true: memory and processor load during every launch; that costs more time than it tells.\n"
    "polling: false\n"
    "\n"
    "# What is measured beside time, `costs` in the results: energy (an INA226 in the phone's\n"
    "# supply line, hardware/README.md), memory, network, cpu (asked of the phone around the\n"
    "# launch).\n"
    "# meters: [energy, memory, network, cpu]\n"
    "# shunt_mohm: 10         (milliohm that the INA226 stands at, unless `calibrate power` "
    "knows)\n"
    "# shunt_percent: 1       (its tolerance)\n"
    "\n"
    "# Settings that would disturb are saved, set, and restored after the campaign.\n"
    "setup: true\n"
    "\n"
    "# as-used, or controlled: the phone is held still by the keys below. Results say which.\n"
    "conditions: as-used\n"
    "# launch_from: button    (or icon: the app's own on the home screen, under the stylus; or "
    "am:\n"
    "#                         nobody taps, `am start` starts the app, and times count from the\n"
    "#                         START line in Android's log: no touch is in them, and they do not\n"
    "#                         compare with those of a tap; plate_taps plays no part)\n"
    "# cold_by: force-stop    (or kill, or reboot: a minute for each launch)\n"
    "# brightness: 128\n"
    "# network: off\n"
    "# too_hot_c: 40\n"
    "# repeats: 2             (launches that the phone spoilt are done again at the end)\n"
    "# before_campaign:       (print, sleep, warm_up, cool_down, file_write, kill_background, if)\n"
    "#   - kill_background\n"
    "# before_launch:\n"
    "#   - cool_down 38 34 300\n";

enum action { NOTHING, NEW, CHECK };

struct arguments {
    enum action action;
    const char *file;
};

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case ARGP_KEY_ARG:
        if (state->arg_num == 1)
            arguments->file = value;
        else if (state->arg_num > 1)
            argp_error(state, "one plan at a time");
        else if (strcmp(value, "new") == 0)
            arguments->action = NEW;
        else if (strcmp(value, "check") == 0)
            arguments->action = CHECK;
        else
            argp_error(state, "\"%s\" is neither new nor check", value);
        break;
    case ARGP_KEY_END:
        if (!arguments->action)
            argp_error(state, "say new or check");
        if (arguments->action == CHECK && !arguments->file)
            argp_error(state, "name the plan to check");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp parser = {
    NULL,
    parse_option,
    "new [FILE]\ncheck FILE",
    "Write a plan to begin with, or check one.\v"
    "`plan new` writes every key with its default and what it means to FILE (plan.yaml), and never "
    "over a file that exists; FILE - is standard output. `plan check` says what is wrong with a "
    "plan and in which line, or how many launches it has.\n\n"
    "Examples:\n"
    "  touchstone plan new nightly.yaml\n"
    "  touchstone plan check nightly.yaml\n\n"
    "Exit codes: 0 written or sound, 1 file exists or plan is wrong, 2 wrong usage.",
    0,
    0,
    0};

static int write_new(const char *path, struct ts_out *out, struct ts_why *why)
{
    if (strcmp(path, "-") == 0) {
        ts_out_put(out, template);
        return TS_OK;
    }
    FILE *file = fopen(path, "wx"); /* x: it must not exist */
    if (!file && errno == EEXIST)
        return ts_fail(why, TS_EIO, "%.200s exists already; name another file", path);
    if (!file)
        return ts_fail(why, TS_EIO, "cannot write %.200s: %s", path, strerror(errno));
    const bool whole = fputs(template, file) >= 0;
    if (fclose(file) || !whole)
        return ts_fail(why, TS_EIO, "cannot write %.200s: %s", path, strerror(errno));
    ts_out_put(out, path);
    ts_out_put(out, ": name your apps in it, then try `touchstone plan check ");
    ts_out_put(out, path);
    ts_out_put(out, "`.\n");
    return TS_OK;
}

static int check(const char *path, struct ts_out *out, struct ts_why *why)
{
    struct ts_plan plan = {0};
    const int err = ts_plan_load(path, &plan, NULL, why);
    if (!err) {
        ts_out_printf(out, "%zu app%s, %d launch%s each", plan.app_count,
                      plan.app_count == 1 ? "" : "s", plan.launches,
                      plan.launches == 1 ? "" : "es");
        if (plan.warm_up)
            ts_out_printf(out, " and %d warm-up%s", plan.warm_up,
                          ts_plan_installs(&plan) ? " a block" : "");
        ts_out_printf(out, ", %d in all, %s starts: the plan is sound.\n", ts_plan_total(&plan),
                      ts_start_type_name(plan.start));
        if (plan.stop && *plan.stop)
            ts_out_printf(out, "That is the most; an app has enough when %s.\n", plan.stop);
    }
    ts_plan_free(&plan);
    return err;
}

int ts_cli_plan(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct ts_out out = {0};
    struct ts_why why = {""};
    argp_err_exit_status = TS_EXIT_USAGE;
    argv[0] = "touchstone plan";
    argp_parse(&parser, argc, argv, 0, NULL, &arguments);
    const int err = arguments.action == NEW
                        ? write_new(arguments.file ? arguments.file : "plan.yaml", &out, &why)
                        : check(arguments.file, &out, &why);
    return ts_cli_end(&out, err, &why);
}
