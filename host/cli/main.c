/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/agreement.h"
#include "cli/analyze.h"
#include "cli/annotate.h"
#include "cli/bundle.h"
#include "cli/calibrate.h"
#include "cli/cli.h"
#include "cli/compare.h"
#include "cli/doctor.h"
#include "cli/estimate.h"
#include "cli/exclude.h"
#include "cli/explain.h"
#include "cli/export.h"
#include "cli/flash.h"
#include "cli/gate.h"
#include "cli/ingest.h"
#include "cli/ls.h"
#include "cli/outliers.h"
#include "cli/parse.h"
#include "cli/phone.h"
#include "cli/plan.h"
#include "cli/ready.h"
#include "cli/report.h"
#include "cli/reproduce.h"
#include "cli/rig.h"
#include "cli/show.h"
#include "cli/status.h"
#include "cli/stop.h"
#include "cli/verify.h"
#include "cli/version.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *what;
} commands[] = {
    {"run", ts_cli_run, "run a measurement campaign"},
    {"flash", ts_cli_flash, "write the firmware to a rig's board"},
    {"rig", ts_cli_rig, "make a rig's folder, or show what it was calibrated to"},
    {"calibrate", ts_cli_calibrate, "find a rig's own values, with their uncertainties"},
    {"verify", ts_cli_verify, "check a calibrated rig against photodiodes and fresh taps"},
    {"doctor", ts_cli_doctor, "look at the whole rig, and say what to do"},
    {"replay", ts_cli_replay, "compute a session's results again from its evidence"},
    {"phone", ts_cli_phone, "set a phone up for launches, check or restore it"},
    {"plan", ts_cli_plan, "write or check a plan"},
    {"show", ts_cli_show, "show a session's results, or one launch"},
    {"ls", ts_cli_ls, "list sessions"},
    {"status", ts_cli_status, "how far a campaign is"},
    {"report", ts_cli_report, "write a session's report.html"},
    {"explain", ts_cli_explain, "where the time of a launch went"},
    {"export", ts_cli_export, "give results to other programs: CSV, Perfetto, ..."},
    {"bundle", ts_cli_bundle, "pack a session to give it away, without what is private"},
    {"reproduce", ts_cli_reproduce, "make everything again from a bundle"},
    {"exclude", ts_cli_exclude, "take a launch out of the statistics, or back in"},
    {"analyze", ts_cli_analyze, "measure a launch in a video file"},
    {"annotate", ts_cli_annotate, "mark first change and settled in films by eye"},
    {"agreement", ts_cli_agreement, "automatic times against what people marked"},
    {"compare", ts_cli_compare, "compare devices, builds or conditions"},
    {"gate", ts_cli_gate, "judge whether a build may pass, as an exit code"},
    {"ingest", ts_cli_ingest, "put sessions into a lab's database"},
    {"ready", ts_cli_ready, "learn which change makes an app ready, and apply it"},
    {"estimate", ts_cli_estimate, "estimate launch times without a rig"},
    {"outliers", ts_cli_outliers, "mark the values of a CSV column that do not belong"},
    {"stop", ts_cli_stop, "say whether so many values are enough"},
    {"parse", ts_cli_parse, "read launch events from a log file"},
    {"version", ts_cli_version, "print versions"},
};
#define COMMAND_COUNT (sizeof commands / sizeof *commands)

static void print_help(FILE *out)
{
    fputs("Usage: touchstone COMMAND [ARGUMENT...]\n\n"
          "Touchstone measures how long app launches take as a person sees them: from the\n"
          "stylus leaving the glass until the screen has settled, as a camera saw it.\n\n"
          "Commands:\n",
          out);
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        fprintf(out, "  %-10s %s\n", commands[i].name, commands[i].what);
    fputs("\n`touchstone COMMAND --help` explains a command. A first campaign on the simulated\n"
          "bench:\n\n"
          "  touchstone plan new plan.yaml\n"
          "  touchstone run plan.yaml --bench sim --seed 1 --out first\n"
          "  touchstone show first\n\n"
          "Exit codes: 0 done, 1 failed (the message says what to do), 2 wrong usage,\n"
          "130 stopped by Ctrl-C.\n",
          out);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stderr);
        return TS_EXIT_USAGE;
    }
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
        print_help(stdout);
        return TS_EXIT_OK;
    }
    if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V"))
        return ts_cli_version(1, (char *[]){"touchstone version", NULL});
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(argv[1], commands[i].name) == 0)
            return commands[i].run(argc - 1, argv + 1);
    }
    fprintf(stderr, "touchstone: there is no command \"%s\"; `touchstone --help` lists them\n",
            argv[1]);
    return TS_EXIT_USAGE;
}
