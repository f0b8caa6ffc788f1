/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Error tables of the detector over the hard cases, for whoever works on it. Not a test: it judges
 * nothing. */
#include "picture_score.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct options {
    const struct picture_case *only; /* NULL: all */
    double fps;                      /* 0: all */
    uint64_t seed;
    int count, width, height;
    bool verbose, csv;
};

enum { KEY_SIZE = 256, KEY_CSV, KEY_LIST };

static const struct argp_option argp_options[] = {
    {"case", 'c', "NAME", 0, "Only this one.", 0},
    {"rate", 'r', "R", 0, "Only at R frames per second.", 0},
    {"seed", 's', "S", 0, "Of the first launch; 1 when not given.", 0},
    {"count", 'n', "N", 0, "Launches of each case and rate; 10 when not given.", 0},
    {"size", KEY_SIZE, "WxH", 0, "Of the camera's picture; 320x240 when not given.", 0},
    {"verbose", 'v', NULL, 0, "Show every launch.", 0},
    {"csv", KEY_CSV, NULL, 0, "Print comma separated values.", 0},
    {"list", KEY_LIST, NULL, 0, "Print the names of the cases.", 0},
    {0},
};

static void list_cases(void)
{
    for (size_t i = 0; i < picture_case_count; i++)
        puts(picture_cases[i].name);
    exit(0);
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
    case 'c':
        options->only = picture_case_by_name(text);
        if (!options->only)
            argp_error(state, "no case is named %s", text);
        return 0;
    case 'r':
        options->fps = strtod(text, NULL);
        if (!(options->fps >= 1))
            argp_error(state, "%s is no frame rate", text);
        return 0;
    case 's':
        options->seed = strtoull(text, NULL, 10);
        return 0;
    case 'n':
        options->count = atoi(text);
        return 0;
    case KEY_SIZE:
        if (sscanf(text, "%dx%d", &options->width, &options->height) != 2 || options->width < 100 ||
            options->height < 100)
            argp_error(state, "%s is no size from 100x100 on", text);
        return 0;
    case 'v':
        options->verbose = true;
        return 0;
    case KEY_CSV:
        options->csv = true;
        return 0;
    case KEY_LIST:
        list_cases();
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static double mean(double sum, size_t count)
{
    return count ? sum / (double)count : NAN;
}

static void print_head(bool csv)
{
    if (csv)
        puts("case,fps,launches,flagged,mean_ms,mean_periods,p95_ms,p95_periods,max_ms,bias_ms,"
             "gross,within_period,first_mean_ms,first_mean_periods,first_p95_ms,first_gross,"
             "median_u_periods,coverage,first_coverage");
    else
        puts("case               fps    n flag% |   mean  mean/T    P95 P95/T     max    bias "
             "gross <=T "
             "| first mean/T   P95 gross |  u/T cover% first%");
}

static void print_score(struct picture_score *score, const char *name, double fps, bool csv)
{
    struct picture_errors *s = &score->settled, *f = &score->first;
    printf(
        csv ? "%s,%g,%zu,%zu,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f,%zu,%.3f,%.3f,%.3f,%.3f,%zu,%.3f,"
              "%.3f,%.3f\n"
            : "%-16s %5g %4zu %5zu | %6.2f %7.2f %6.1f %5.2f %7.1f %+7.2f %5zu %4.2f|%6.2f %6.2f "
              "%5.1f %5zu | %4.2f %6.2f %6.2f\n",
        name, fps, score->launches, score->flagged, mean(s->sum, s->values),
        mean(s->sum_periods, s->values), picture_errors_quantile(s, 0.95),
        picture_errors_quantile_periods(s, 0.95), s->worst, mean(s->bias, s->values), s->gross,
        mean((double)s->within, s->count), mean(f->sum, f->values), mean(f->sum_periods, f->values),
        picture_errors_quantile(f, 0.95), f->gross, picture_errors_median_u(s),
        mean((double)s->covered, s->count), mean((double)f->covered, f->count));
    fflush(stdout);
}

static void print_flags(uint32_t flags)
{
    for (int flag = 0; flag < TS_FLAG_COUNT; flag++) {
        if (flags >> flag & 1u)
            printf(" %s", ts_flag_name((enum ts_flag)flag));
    }
}

static void print_camera(const struct picture *p)
{
    printf("  T %.2f exposure %.2f%+.2f readout %.2f%+.2f start %+.2f; refresh %.2f scan %.1f%s "
           "response %.1f; noise %.1f mains %.3f gain %+.2f; screen at %.0f,%.0f%s\n",
           p->period_ms, p->exposure_ms, p->exposure_error_ms, p->readout_ms, p->readout_error_ms,
           p->start_error_ms, p->refresh_ms, p->scan_ms, p->scan_across ? " across" : "",
           p->response_ms, p->noise_codes, p->flicker_depth, p->gain_change, p->screen_x,
           p->screen_y, p->ignore ? " masked" : "");
}

static void print_sample(uint64_t seed, const struct picture_sample *sample)
{
    const struct ts_vision_changes *c = &sample->changes;
    printf("  seed %llu first %.2f %+.2f u %.2f settled %.2f %+.2f u %.2f T %.2f endless %zu/%d:",
           (unsigned long long)seed, sample->reference.first_ms,
           c->first.value - sample->reference.first_ms, c->first.u, sample->reference.settled_ms,
           c->settled.value - sample->reference.settled_ms, c->settled.u, sample->period_ms,
           c->endless_blocks, sample->reference.endless);
    print_flags(c->flags);
    puts("");
    for (size_t i = 0; i < c->episode_count; i++) {
        const struct ts_vision_episode *e = &c->episodes[i];
        printf("    %.1f .. %.1f share %.3f gain %+.3f box %d,%d..%d,%d%s\n", e->begin_ms,
               e->end_ms, e->share, e->gain, e->x0, e->y0, e->x1, e->y1,
               e->endless ? " endless" : "");
    }
}

static void run(const struct options *options, const struct picture_case *which, double fps,
                struct picture_score *all)
{
    struct picture_score score = {0};
    for (uint64_t seed = options->seed; seed < options->seed + (uint64_t)options->count; seed++) {
        const struct picture_sample sample =
            picture_sample_take(which, fps, seed, options->width, options->height);
        if (options->verbose) {
            struct picture picture;
            picture_case_draw(which, fps, seed, options->width, options->height, &picture);
            print_camera(&picture);
            picture_free(&picture);
            print_sample(seed, &sample);
        }
        picture_score_add(&score, &sample);
        picture_score_add(all, &sample);
    }
    print_score(&score, which->name, fps, options->csv);
    picture_score_free(&score);
}

int main(int argc, char **argv)
{
    struct options options = {.seed = 1, .count = 10, .width = 320, .height = 240};
    const struct argp argp = {argp_options, parse, NULL, "Tables of errors over hard cases.",
                              NULL,         NULL,  NULL};
    if (argp_parse(&argp, argc, argv, 0, NULL, &options))
        return 2;
    struct picture_score cuts = {0}, rest = {0};
    print_head(options.csv);
    for (size_t i = 0; i < picture_case_count; i++) {
        const struct picture_case *which = &picture_cases[i];
        if (options.only && which != options.only)
            continue;
        for (size_t k = 0; k < picture_rate_count; k++) {
            if (!(options.fps > 0))
                run(&options, which, picture_rates[k], which->cuts ? &cuts : &rest);
        }
        if (options.fps > 0)
            run(&options, which, options.fps, which->cuts ? &cuts : &rest);
    }
    if (cuts.launches)
        print_score(&cuts, "all cuts", options.fps, options.csv);
    if (rest.launches)
        print_score(&rest, "all the rest", options.fps, options.csv);
    picture_score_free(&cuts);
    picture_score_free(&rest);
    return 0;
}
