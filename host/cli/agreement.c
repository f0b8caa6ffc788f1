/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/agreement.h"

#include "cli/agreement_android.h"
#include "cli/cli.h"
#include "cli/output.h"

#include <argp.h>
#include <stdio.h>
#include <string.h>

enum { KEY_ANNOTATIONS = 256, KEY_SVG, KEY_OF };

struct arguments {
    char **paths; /* borrowed */
    int path_count;
    const char *first_path; /* the one that stood with --annotations, if any */
    const char *svg;
    enum ts_end of;
    bool annotations, json;
};

static const struct argp_option options[] = {
    {"annotations", KEY_ANNOTATIONS, "PATH", OPTION_ARG_OPTIONAL,
     "Compare with what people marked (touchstone annotate) in PATH and the other PATHs", 0},
    {"json", 'j', 0, 0, "Print one JSON object instead of text", 0},
    {"svg", KEY_SVG, "FILE", 0,
     "Draw one against the other into FILE, and their differences (with --annotations by launch, "
     "else by app)",
     0},
    {"of", KEY_OF, "first_change|settled", 0, "What --svg shows (settled)", 0},
    {0},
};

static const char description[] =
    "Print how well the rig's times agree with Android's own (SESSION...), or automatic ones with "
    "what people marked, and people with each other (--annotations).\v"
    "Without --annotations each PATH is a session folder, or a CSV with the columns app, "
    "settled_ms, settled_u_ms and time_to_initial_display_ms. For every app: both medians, how "
    "much longer the rig's time is, Pearson's r, and in how many launches Android's time, which "
    "should be a lower bound, is longer by more than twice the uncertainty. Over all launches: "
    "concordance, Spearman, and the lines of Deming and of Passing and Bablok. Apps that go on "
    "loading after Android counts them as displayed are named.\n\n"
    "With --annotations: "
    "PATH is a session folder, a video with its annotations beside it, or a CSV of lines "
    "name,automatic_ms,manual_ms,by (settled). A session's kept results are compared; videos are "
    "measured now. Where several people marked a launch, their mean is the manual value; what "
    "compares single markings stands below it. Launches that the detector reports as not usable "
    "are counted, not compared. Nothing is trimmed.\n\n"
    "Limits of agreement: Bland and Altman 1986; they hold 95 % of the differences. "
    "The mean |difference| of the paper whose rig this follows was 90 ms (160 launches).\n\n"
    "Examples:\n"
    "  touchstone agreement out/first\n"
    "  touchstone agreement out/first out/second --svg android.svg\n"
    "  touchstone agreement --annotations out/first\n"
    "  touchstone agreement --annotations out/first out/second --svg agreement.svg\n"
    "  touchstone agreement --annotations pairs.csv --json\n\n"
    "Exit codes: 0 printed, 1 nothing to compare, or a file cannot be used, 2 wrong usage.";

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case KEY_ANNOTATIONS:
        arguments->annotations = true;
        arguments->first_path = value;
        break;
    case 'j':
        arguments->json = true;
        break;
    case KEY_SVG:
        arguments->svg = value;
        break;
    case KEY_OF:
        if (strcmp(value, ts_end_names[TS_END_FIRST_CHANGE]) != 0 &&
            strcmp(value, ts_end_names[TS_END_SETTLED]) != 0)
            argp_error(state, "--of: '%s' is neither first_change nor settled", value);
        arguments->of =
            strcmp(value, ts_end_names[TS_END_SETTLED]) == 0 ? TS_END_SETTLED : TS_END_FIRST_CHANGE;
        break;
    case ARGP_KEY_ARGS:
        arguments->paths = state->argv + state->next;
        arguments->path_count = state->argc - state->next;
        break;
    case ARGP_KEY_END:
        if (!arguments->path_count && !arguments->first_path)
            argp_error(state, "name a session, videos or a CSV: [--annotations] PATH...");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp parser = {
    options, parse_option, "PATH...\n--annotations PATH...", description, 0, 0, 0};

static int load(const struct arguments *arguments, struct ts_judged *judged, struct ts_why *why)
{
    int err = arguments->first_path ? ts_judged_add(judged, arguments->first_path, why) : TS_OK;
    for (int i = 0; i < arguments->path_count && !err; i++)
        err = ts_judged_add(judged, arguments->paths[i], why);
    if (!err && !judged->count)
        err = ts_fail(why, TS_EINVAL,
                      "nobody has marked any of these films; touchstone annotate opens them");
    return err;
}

/* err: what came of drawing. */
static int write_figure(const char *path, int err, const struct ts_out *figure, struct ts_why *why)
{
    if (err == TS_ENOTSUP)
        ts_fail(why, err, "--svg needs gnuplot, which is not installed");
    else if (err == TS_EOF)
        ts_fail(why, err, "--svg: there is nothing to draw");
    else if (err)
        ts_fail(why, err, "--svg: gnuplot failed to draw it: %s", ts_err_text(err));
    return err ? err : ts_file_write(path, &figure->text, why);
}

/* Against Android's own times. */
static int print_android(const struct arguments *arguments, struct ts_out *out, struct ts_why *why)
{
    struct ts_out figure = {0};
    int err = ts_agreement_android(arguments->paths, arguments->path_count, arguments->json,
                                   arguments->svg ? &figure : NULL, out, why);
    if (arguments->svg && (!err || !*why->text))
        err = write_figure(arguments->svg, err, &figure, why);
    ts_buf_free(&figure.text);
    return err;
}

int ts_cli_agreement(int argc, char **argv)
{
    struct arguments arguments = {.of = TS_END_SETTLED};
    struct ts_judged judged = {0};
    struct ts_end_summary summaries[TS_END_COUNT] = {{.person_count = 0}};
    struct ts_out out = {0};
    struct ts_why why = {""};
    argp_err_exit_status = TS_EXIT_USAGE;
    argv[0] = "touchstone agreement";
    argp_parse(&parser, argc, argv, 0, NULL, &arguments);
    if (!arguments.annotations)
        return ts_cli_end(&out, print_android(&arguments, &out, &why), &why);
    int err = load(&arguments, &judged, &why);
    for (int end = 0; end < TS_END_COUNT && !err; end++)
        err = ts_end_summarize(&judged, (enum ts_end)end, &summaries[end]);
    if (!err && arguments.svg) {
        struct ts_out figure = {0};
        err = ts_agreement_draw(&summaries[arguments.of], &figure);
        err = write_figure(arguments.svg, err, &figure, &why);
        ts_buf_free(&figure.text);
    }
    if (!err && arguments.json)
        err = ts_agreement_put_json(&judged, summaries, &out);
    else if (!err)
        ts_agreement_put_text(&judged, summaries, &out);
    for (int end = 0; end < TS_END_COUNT; end++)
        ts_end_summary_free(&summaries[end]);
    ts_judged_free(&judged);
    return ts_cli_end(&out, err, &why);
}
