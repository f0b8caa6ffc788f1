/* SPDX-License-Identifier: GPL-3.0-or-later */
/* touchstone phone: the settings that a campaign needs. */
#include "cli/phone.h"

#include "cli/cli.h"
#include "bench/live/bench/live.h"
#include "cli/job.h"
#include "control/phone.h"
#include "store/plan_file.h"

#include <argp.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HELPER_FILE "touchstone-helper.apk"

struct arguments {
    const char *plan, *bench, *options, *helper;
    bool known, json;
    bool installed; /* the helper app, by this call */
    enum ts_phone_task task;
};

static const char *const task_names[] = {"check", "setup", "restore"};

static const struct argp_option options[] = {
    {"plan", 'p', "PLAN.yaml", 0, "What the phone is to be set to is this plan's", 0},
    {"bench", 'b', "sim|live", 0, "Which bench the phone is on (default: live)", 0},
    {"options", 'O', "KEY=VALUE,...", 0, "Options of that bench", 0},
    {"helper", 'H', "FILE", 0,
     "The helper app that setup installs where it is absent or too old (default: " HELPER_FILE
     " beside the program)",
     0},
    {"json", 'j', 0, 0, "Print the findings as JSON", 0},
    {0},
};

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case 'p':
        arguments->plan = value;
        break;
    case 'b':
        ts_job_check_bench(value, state);
        arguments->bench = value;
        break;
    case 'O':
        arguments->options = value;
        break;
    case 'H':
        arguments->helper = value;
        break;
    case 'j':
        arguments->json = true;
        break;
    case ARGP_KEY_ARG:
        for (int task = 0; task < 3 && !arguments->known; task++) {
            arguments->known = strcmp(task_names[task], value) == 0;
            arguments->task = (enum ts_phone_task)task;
        }
        if (!arguments->known || state->arg_num)
            argp_error(state, "one of setup, check, restore");
        break;
    case ARGP_KEY_END:
        if (!arguments->known)
            argp_error(state, "say what to do: setup, check or restore");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp parser = {
    options,
    parse_option,
    "setup|check|restore",
    "Set the phone up for launches, look whether it is, or give it back as it was.\v"
    "setup installs the helper app, if it is not there or too old, writes down on the phone itself "
    "how everything "
    "was, then sets what a campaign needs: it stays awake, in one rotation and brightness, without "
    "notifications, error dialogs, updates, hints and the dark theme's schedule. What it cannot "
    "set it names, with what to do by hand. restore puts back what was written down, and leaves "
    "the helper app where it is. A campaign does both by itself, unless its plan says "
    "`setup: false`; after a crash or a power cut, the next campaign or `restore` puts it "
    "right.\n\n"
    "Examples:\n"
    "  touchstone phone check\n"
    "  touchstone phone setup --plan plan.yaml\n"
    "  touchstone phone restore --json\n\n"
    "Exit codes: 0 all is as it shall be, 1 something is not, or the phone does not answer, "
    "2 wrong usage.",
    0,
    0,
    0};

/* Runs one command to its end; *item is borrowed until the next one. */
static int talk(struct ts_bench *bench, uint32_t id, const char *shell, struct ts_item *item,
                struct ts_why *why)
{
    const struct ts_command command = {.id = id, .kind = TS_COMMAND_PHONE_SHELL, .u.shell = shell};
    int err = ts_bench_submit(bench, &command);
    do {
        if (!err)
            err = ts_bench_next(bench, item);
        if (err)
            return ts_fail(why, err, "the bench gives no answer: %s", ts_err_text(err));
    } while (item->kind != TS_ITEM_DONE || item->u.done.command != id);
    return TS_OK;
}

/* Beside this program, wherever that is. */
static int find_helper(char *path, size_t size, struct ts_why *why)
{
    char program[4096];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    char *slash = NULL;
    if (length > 0) {
        program[length] = '\0';
        slash = strrchr(program, '/');
    }
    if (!slash ||
        (size_t)snprintf(path, size, "%.*s/" HELPER_FILE, (int)(slash - program), program) >= size)
        return ts_fail(why, TS_EIO, "where this program lies is not known; give --helper FILE");
    if (access(path, R_OK))
        return ts_fail(why, TS_EIO,
                       "the helper app is not on the phone, or too old, and there is no %s to "
                       "install; give --helper FILE",
                       path);
    return TS_OK;
}

/* A bench that cannot install says so in what is found. */
static int see_to_helper(struct arguments *arguments, struct ts_bench *bench, uint32_t *id,
                         const struct ts_bench_config *config, struct ts_why *why)
{
    struct ts_item item;
    char path[4200];
    int err = talk(bench, ++*id, TS_HELPER_ASK, &item, why);
    if (err || item.u.done.status || strcmp(arguments->bench, "live") != 0 ||
        ts_phone_helper_version(item.u.done.text) >= TS_HELPER_VERSION)
        return err;
    if (!arguments->helper)
        err = find_helper(path, sizeof path, why);
    if (!err)
        err = ts_bench_live_install(config->options, config->phone,
                                    arguments->helper ? arguments->helper : path, why);
    arguments->installed = !err;
    return err;
}

static int settle(struct ts_bench *bench, uint32_t *id, struct ts_phone *phone, struct ts_why *why)
{
    struct ts_item item;
    char shell[1000];
    int err = TS_OK;
    while (!err && ts_phone_next(phone, shell, sizeof shell)) {
        err = talk(bench, ++*id, shell, &item, why);
        if (!err)
            ts_phone_answer(phone, item.u.done.status, item.u.done.exit_code, item.u.done.text);
    }
    return err;
}

static int work(struct arguments *arguments, struct ts_phone *phone, struct ts_why *why)
{
    struct ts_plan plan;
    struct ts_bench *bench = NULL;
    uint32_t id = 0;
    ts_plan_defaults(&plan);
    int err = arguments->plan ? ts_plan_load(arguments->plan, &plan, NULL, why) : TS_OK;
    if (err)
        return err;
    const struct ts_bench_config config = {.seed = 1,
                                           .options = arguments->options ? arguments->options
                                                                         : plan.bench_options,
                                           .phone = plan.phone};
    err = ts_job_open_bench(arguments->bench, &config, &bench, why);
    ts_phone_begin(phone, arguments->task, &plan.care);
    if (!err && arguments->task == TS_PHONE_SETUP)
        err = see_to_helper(arguments, bench, &id, &config, why);
    if (!err)
        err = settle(bench, &id, phone, why);
    if (!err && phone->lost)
        err = ts_fail(why, TS_EIO,
                      "the phone does not answer; check its cable, and that `adb "
                      "devices` lists it as \"device\"");
    ts_bench_close(bench);
    ts_plan_free(&plan);
    return err;
}

static void print_text(const struct ts_phone *phone, bool installed)
{
    if (installed)
        printf("The helper app was installed.\n");
    for (size_t i = 0; i < phone->finding_count; i++) {
        const struct ts_phone_finding *finding = &phone->findings[i];
        printf("%s: is %s, should be %s\n    %s\n", finding->what, finding->is, finding->wanted,
               finding->advice);
    }
    if (phone->task == TS_PHONE_CHECK && phone->was_saved)
        printf("The phone holds the settings from before a campaign; `touchstone phone restore` "
               "puts them back.\n");
    if (phone->task == TS_PHONE_RESTORE && !phone->was_saved)
        printf("Nothing was written down: the phone is as its owner left it.\n");
    else if (phone->task != TS_PHONE_CHECK)
        printf("%d settings %s.\n", phone->changed,
               phone->task == TS_PHONE_SETUP ? "set" : "restored");
    if (!phone->finding_count)
        printf("All is as it shall be.\n");
}

static int print_json(const struct ts_phone *phone, bool installed)
{
    json_t *findings = json_array();
    for (size_t i = 0; i < phone->finding_count; i++) {
        const struct ts_phone_finding *finding = &phone->findings[i];
        json_array_append_new(findings,
                              json_pack("{ss ss ss ss}", "what", finding->what, "is", finding->is,
                                        "wanted", finding->wanted, "advice", finding->advice));
    }
    json_t *root = json_pack("{ss sb si sb so}", "task", task_names[phone->task],
                             "helper_installed", installed, "changed", phone->changed, "saved",
                             phone->was_saved, "findings", findings);
    const int err = root ? json_dumpf(root, stdout, 0) : -1;
    putchar('\n');
    json_decref(root);
    return err;
}

int ts_cli_phone(int argc, char **argv)
{
    struct arguments arguments = {.bench = "live"};
    struct ts_why why = {"out of memory"};
    struct ts_phone phone;
    argp_err_exit_status = TS_EXIT_USAGE;
    argv[0] = "touchstone phone";
    argp_parse(&parser, argc, argv, 0, NULL, &arguments);
    if (work(&arguments, &phone, &why)) {
        fprintf(stderr, "touchstone: %s\n", why.text);
        return TS_EXIT_FAILED;
    }
    if (!arguments.json)
        print_text(&phone, arguments.installed);
    else if (print_json(&phone, arguments.installed)) {
        fprintf(stderr, "touchstone: the findings cannot be printed\n");
        return TS_EXIT_FAILED;
    }
    return phone.finding_count ? TS_EXIT_FAILED : TS_EXIT_OK;
}
