/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/verify.h"

#include "cli/cli.h"
#include "cli/numbers.h"
#include "cli/output.h"
#include "cli/rig.h"
#include "cli/verify_session.h"
#include "instrument/certificate.h"
#include "report/certificate.h"
#include "report/text.h"
#include "store/files.h"
#include "store/verify_file.h"
#include "vision/detector.h"

#include <argp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SCENES       60
#define SCENES_LEAST 12
#define PLATE_TAPS   24 /* 20 good ones, when some fail */
#define CAMERA_EDGES 300

enum { CHART = 256, REPEATABILITY, REFRESH, RESPONSE, WHO };

struct arguments {
    const char *rig, *who;
    char **dirs; /* of --repeatability; argv's own */
    int dir_count, scenes;
    uint64_t seed;
    double refresh_hz, response_ms;
    bool chart, repeatability, json;
};

static const struct argp_option options[] = {
    {"rig", 'r', "DIR", 0, "The rig's folder", 0},
    {"scenes", 'n', "N", 0, "How many scenes are played (default 60, 12 to 600)", 0},
    {"seed", 's', "N", 0, "Seed of everything drawn (default 1)", 0},
    {"refresh", REFRESH, "HZ", 0, "The display's refresh rate; narrows what cannot be told", 0},
    {"response", RESPONSE, "MS", 0,
     "Time constant of the display's light, known to a fifth; narrows what cannot be told "
     "(default: 0 to 3 ms)",
     0},
    {"operator", WHO, "NAME", 0, "Who verifies; stands on the certificate", 0},
    {"chart", CHART, 0, 0, "Print the rig's control chart instead", 1},
    {"repeatability", REPEATABILITY, 0, 0,
     "Compare the certificates of two or more rigs (or operators, or phone units) instead", 1},
    {"json", 'j', 0, 0, "Print JSON", 2},
    {0},
};

static void check_usage(const struct arguments *arguments, struct argp_state *state)
{
    if (arguments->chart && arguments->repeatability)
        argp_error(state, "--chart or --repeatability, not both");
    if (arguments->repeatability && arguments->dir_count < 2)
        argp_error(state, "--repeatability: name the folders of two rigs or more");
    if (!arguments->repeatability && arguments->dir_count)
        argp_error(state, "folders follow --repeatability; one rig is named with --rig DIR");
    if (!arguments->repeatability && !arguments->rig)
        argp_error(state, "name the rig: --rig DIR; `touchstone rig new DIR` makes one");
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case 'r':
        arguments->rig = value;
        break;
    case 'n':
        arguments->scenes = (int)ts_cli_whole_number(state, "--scenes", value, SCENES_LEAST,
                                                     TS_CERTIFICATE_SCENES_MOST);
        break;
    case 's':
        if (!ts_job_read_seed(value, &arguments->seed))
            argp_error(state, "--seed: \"%s\" is not a number of 0 or more", value);
        break;
    case REFRESH:
        arguments->refresh_hz = ts_cli_number(state, "--refresh", value, 20, 500);
        break;
    case RESPONSE:
        arguments->response_ms = ts_cli_number(state, "--response", value, 0, 50);
        break;
    case WHO:
        arguments->who = value;
        break;
    case CHART:
        arguments->chart = true;
        break;
    case REPEATABILITY:
        arguments->repeatability = true;
        break;
    case 'j':
        arguments->json = true;
        break;
    case ARGP_KEY_ARGS:
        arguments->dirs = state->argv + state->next;
        arguments->dir_count = state->argc - state->next;
        break;
    case ARGP_KEY_END:
        check_usage(arguments, state);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp parser = {
    options,
    parse_option,
    "--rig DIR\n--chart --rig DIR\n--repeatability DIR DIR...",
    "Check a calibrated rig against what its calibration does not know of.\v"
    "The helper app plays seeded scenes like launches: cut, fade, spinner, caret, carousel, splash "
    "in turn. It lights one spot of the display when the scene first changes and another when it "
    "has settled. Two photodiodes over the spots, on the clock of the board that taps, tell when; "
    "the camera, with the spots masked, measures the same scenes as it measures launches. Camera "
    "less photodiode is what is judged: bias, spread, coverage of the stated 95 % intervals, gross "
    "errors (more than 50 ms), share of usable scenes.\n\n"
    "The moment of lift is in both and cancels, so it is checked by itself: 24 taps on the contact "
    "plate before the scenes, and the calibration files' lift delay and contact offset held "
    "against them; the camera's exposure, row time, frame period and latency against 300 fresh "
    "edges of the sync LEDs. A live rig needs the plate laid at the start and the photodiodes "
    "in place.\n\n"
    "Writes DIR/verify/certificate.json and certificate.html, one printable page; the session is "
    "kept in DIR/verify/sessions. From then on every campaign with --rig DIR plays a few scenes "
    "before and after as its check standard; --chart prints how they went: `*` a check, `X` one "
    "beyond its limit, `|` the certificate's own value.\n\n"
    "What the display itself does between the spot and the rest of it (scan-out, response) is "
    "allowed for; --refresh and --response make the allowance smaller, and the check sharper.\n\n"
    "--repeatability: s_r within and s_R between certificates, after ISO 5725-2, with Cochran's "
    "and Grubbs' tests for a group that lies apart.\n\n"
    "Examples:\n"
    "  touchstone verify --rig rigs/bench2 --operator \"B. Example\" --refresh 90\n"
    "  touchstone verify --chart --rig rigs/bench2\n"
    "  touchstone verify --repeatability rigs/bench1 rigs/bench2 rigs/bench3\n\n"
    "Exit codes: 0 passed, 1 failed (each line that failed is named, with what to do), 2 wrong "
    "usage, 130 stopped by Ctrl-C.",
    0,
    0,
    0};

static int name_session(const struct ts_rig *rig, int64_t now_s, struct ts_path *path,
                        struct ts_why *why)
{
    struct ts_path folder;
    int err = ts_path_format(&folder, why, "%s/verify", rig->dir);
    if (!err)
        err = ts_folder_make(folder.text, why);
    if (!err)
        err = ts_path_format(&folder, why, "%s/verify/sessions", rig->dir);
    return err ? err : ts_job_name_session(folder.text, now_s, path, why);
}

static int check_calibrated(const struct ts_rig *rig, struct ts_why *why)
{
    if (rig->known[TS_RECORD_STYLUS] && rig->known[TS_RECORD_CAMERA])
        return TS_OK;
    return ts_fail(why, TS_EPROTO,
                   "%s: has no %s calibration, so there is nothing to verify; run `touchstone "
                   "calibrate all --rig %s`",
                   rig->dir, rig->known[TS_RECORD_STYLUS] ? "camera" : "stylus", rig->dir);
}

static void fill(const struct arguments *arguments, const struct ts_rig *rig, int64_t now_s,
                 const struct ts_calibration *given, const struct ts_scene_findings *findings,
                 struct ts_certificate *certificate)
{
    *certificate = (struct ts_certificate){.identity = findings->identity,
                                           .date_s = now_s,
                                           .seed = arguments->seed,
                                           .refresh_hz = arguments->refresh_hz,
                                           .response_ms = arguments->response_ms,
                                           .scene_count = findings->pair_count};
    struct ts_identity *identity = &certificate->identity;
    snprintf(identity->rig, sizeof identity->rig, "%s", rig->name);
    snprintf(certificate->who, sizeof certificate->who, "%s", arguments->who);
    snprintf(certificate->touchstone, sizeof certificate->touchstone, "%s", TS_VERSION);
    snprintf(certificate->detector, sizeof certificate->detector, "%s", TS_DETECTOR_VERSION);
    if (isnan(certificate->refresh_hz))
        certificate->refresh_hz = findings->refresh_hz;
    memcpy(certificate->scenes, findings->pairs, sizeof findings->pairs);
    for (int i = 0; i < certificate->scene_count; i++) {
        if (isnan(certificate->scenes[i].refresh_ms))
            certificate->scenes[i].refresh_ms = 1000 / certificate->refresh_hz;
    }
    ts_certificate_compare(certificate, given, &findings->found);
    ts_certificate_judge(certificate);
}

static int write_page(const struct ts_rig *rig, const struct ts_certificate *certificate,
                      struct ts_why *why)
{
    struct ts_path path;
    struct ts_out page = {0};
    ts_certificate_page(certificate, &page);
    int err = page.err ? ts_fail(why, page.err, "out of memory") : TS_OK;
    if (!err)
        err = ts_path_format(&path, why, "%s/verify/certificate.html", rig->dir);
    if (!err)
        err = ts_file_write(path.text, &page.text, why);
    ts_buf_free(&page.text);
    return err;
}

/* TS_EPROTO with *advice filled: verified, and failed. */
static int conclude(const struct arguments *arguments, const struct ts_rig *rig,
                    const struct ts_certificate *certificate, struct ts_out *out,
                    struct ts_why *why)
{
    int err = ts_certificate_save(rig->dir, certificate, why);
    if (!err)
        err = write_page(rig, certificate, why);
    if (err)
        return err;
    if (arguments->json) {
        if (ts_certificate_print(certificate, &out->text))
            return ts_fail(why, TS_ENOMEM, "out of memory");
        return TS_OK;
    }
    ts_certificate_text(certificate, ts_text_style_for(stdout), out);
    ts_out_printf(out, "\nCertificate: %s/verify/certificate.html\n", rig->dir);
    return TS_OK;
}

struct verification {
    struct ts_rig rig;
    struct ts_calibration given;
    struct ts_scene_findings findings;
    struct ts_certificate certificate;
};

static int verify(const struct arguments *arguments, struct verification *work, struct ts_out *out,
                  struct ts_why *why)
{
    struct ts_path session;
    const int64_t now_s = ts_job_now_s();
    int err = ts_rig_open(arguments->rig, 0, &work->rig, why);
    if (!err)
        err = check_calibrated(&work->rig, why);
    if (!err)
        err = ts_rig_give(&work->rig, now_s, NULL, &work->given, why);
    if (!err)
        err = name_session(&work->rig, now_s, &session, why);
    if (!err && isatty(STDERR_FILENO) == 1)
        fprintf(stderr, "Verifying %s: plate taps, then %d scenes ...\n", work->rig.name,
                arguments->scenes);
    const struct ts_scene_session play = {.rig = &work->rig,
                                          .options = "",
                                          .out = session.text,
                                          .seed = arguments->seed,
                                          .scenes = arguments->scenes,
                                          .plate_taps = PLATE_TAPS,
                                          .camera_edges = CAMERA_EDGES};
    if (!err)
        err = ts_scene_session_run(&play, &work->given, &work->findings, why);
    if (!err)
        err = ts_rig_meets(&work->rig, &work->findings.identity, now_s, NULL, why);
    if (err)
        return err;
    fill(arguments, &work->rig, now_s, &work->given, &work->findings, &work->certificate);
    return conclude(arguments, &work->rig, &work->certificate, out, why);
}

static void put_advice(const struct ts_certificate *certificate)
{
    struct ts_out advice = {0};
    ts_certificate_advice(certificate, &advice);
    fputs("touchstone: the rig failed its verification:\n", stderr);
    if (!advice.err && advice.text.size)
        fwrite(advice.text.data, 1, advice.text.size, stderr);
    ts_buf_free(&advice.text);
}

static int run_verification(const struct arguments *arguments)
{
    struct ts_why why = {""};
    struct ts_out out = {0};
    struct verification *work = calloc(1, sizeof *work);
    int err =
        work ? verify(arguments, work, &out, &why) : ts_fail(&why, TS_ENOMEM, "out of memory");
    int code = TS_EXIT_STOPPED;
    if (err == TS_EOF && ts_job_is_stopped()) {
        fputs("touchstone: stopped; the certificate is as it was\n", stderr);
        ts_buf_free(&out.text);
    } else {
        code = ts_cli_end(&out, err, &why);
    }
    if (work && code == TS_EXIT_OK && !work->certificate.passed) {
        put_advice(&work->certificate);
        code = TS_EXIT_FAILED;
    }
    if (work)
        ts_rig_free(&work->rig);
    free(work);
    return code;
}

int ts_cli_verify(int argc, char **argv)
{
    struct arguments arguments = {
        .scenes = SCENES, .seed = 1, .refresh_hz = NAN, .response_ms = NAN, .who = ""};
    struct ts_out out = {0};
    struct ts_why why = {""};
    argp_err_exit_status = TS_EXIT_USAGE;
    argv[0] = "touchstone verify";
    argp_parse(&parser, argc, argv, 0, NULL, &arguments);
    if (arguments.chart)
        return ts_cli_end(&out, ts_verify_chart(arguments.rig, arguments.json, &out, &why), &why);
    if (arguments.repeatability)
        return ts_cli_end(&out,
                          ts_verify_repeatability(arguments.dirs, arguments.dir_count,
                                                  arguments.json, &out, &why),
                          &why);
    ts_job_catch_signals();
    return run_verification(&arguments);
}
