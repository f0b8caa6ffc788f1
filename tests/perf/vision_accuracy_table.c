/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Errors of all launches, never trimmed. */
#include "model/result.h"
#include "stats/order.h"
#include "vision_accuracy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GROSS_MS 50

static const char *const rule_names[ACCURACY_RULES] = {
    "literal: last frame with a block that differs by a tenth of full scale",
    "ffmpeg freezedetect, noise -60 dB, 1 s",
    "ffmpeg freezedetect, noise -40 dB, 1 s",
    "last visual change: earliest frame without a pixel 10 % off the last one",
    "touchstone",
};

/* Of the usable launches of one row. */
struct score {
    size_t launches, usable, within, first_count, first_within, first_covered, first_gross, gross,
        covered, uncertain;
    double *error_ms, *u_periods; /* [usable] */
    double sum_ms, sum_periods, sum_limit_ms, first_sum_ms;
};

enum nature { CUT, REST, ANY };

static bool belongs(const struct accuracy_launch *launch, const struct sim_condition *condition,
                    enum nature nature)
{
    return (!condition || launch->condition == condition) &&
           (nature == ANY || (nature == CUT) == launch->reference.hard_cut);
}

static void count_first(struct score *score, const struct accuracy_launch *launch,
                        const struct accuracy_answer *answer)
{
    const double error = fabs(answer->first_ms - launch->reference.first_ms);
    if (isnan(error))
        return;
    score->first_count++;
    score->first_sum_ms += error;
    score->first_gross += error > GROSS_MS;
    score->first_within += error <= launch->period_ms;
    score->first_covered += error <= 1.96 * answer->first_u_ms;
}

static void count_launch(struct score *score, const struct accuracy_launch *launch,
                         const struct accuracy_answer *answer)
{
    const double T = launch->period_ms;
    const double error = fabs(answer->settled_ms - launch->reference.settled_ms);
    score->launches++;
    if (!answer->usable || isnan(error))
        return;
    score->error_ms[score->usable] = error;
    score->sum_ms += error;
    score->sum_periods += error / T;
    score->sum_limit_ms += T;
    score->within += error <= T;
    score->gross += error > GROSS_MS;
    score->u_periods[score->usable] = answer->settled_u_ms / T;
    score->uncertain += answer->settled_u_ms > 0;
    score->covered += error <= 1.96 * answer->settled_u_ms;
    score->usable++;
    count_first(score, launch, answer);
}

static double percent(size_t part, size_t whole)
{
    return whole ? 100.0 * (double)part / (double)whole : NAN;
}

static double mean(double sum, size_t count)
{
    return count ? sum / (double)count : NAN;
}

static struct score score_of(const struct accuracy_launch *launches, size_t count,
                             enum accuracy_rule rule, const struct sim_condition *condition,
                             enum nature nature)
{
    struct score score = {.error_ms = malloc((count + 1) * sizeof(double)),
                          .u_periods = malloc((count + 1) * sizeof(double))};
    if (!score.error_ms || !score.u_periods) {
        fprintf(stderr, "perf: no memory\n");
        exit(1);
    }
    for (size_t i = 0; i < count; i++) {
        if (belongs(&launches[i], condition, nature) && !isnan(launches[i].reference.settled_ms))
            count_launch(&score, &launches[i], &launches[i].answers[rule]);
    }
    ts_sort(score.error_ms, score.usable);
    ts_sort(score.u_periods, score.usable);
    return score;
}

static void score_free(struct score *score)
{
    free(score->error_ms);
    free(score->u_periods);
}

static void print_row(FILE *out, const char *name, struct score *s, bool ours)
{
    if (s->launches == 0)
        return;
    fprintf(out, "%-14s %5zu %6.1f%% %8.2f %7.2f %8.1f %8.1f %6.1f%% %6.1f%%", name, s->launches,
            percent(s->launches - s->usable, s->launches), mean(s->sum_ms, s->usable),
            mean(s->sum_periods, s->usable), ts_quantile(s->error_ms, s->usable, 0.95),
            ts_quantile(s->error_ms, s->usable, 1), percent(s->gross, s->usable),
            percent(s->within, s->usable));
    if (ours)
        fprintf(out, " %6.2f %6.1f%% %8.2f %6.1f%% %6.1f%%",
                ts_quantile(s->u_periods, s->usable, 0.5), percent(s->covered, s->usable),
                mean(s->first_sum_ms, s->first_count), percent(s->first_within, s->first_count),
                percent(s->first_covered, s->first_count));
    fputc('\n', out);
}

static void print_rule(FILE *out, const struct accuracy_launch *launches, size_t count,
                       enum accuracy_rule rule)
{
    const bool ours = rule == ACCURACY_OURS;
    fprintf(out, "\n%s\n%-14s %5s %7s %8s %7s %8s %8s %7s %7s", rule_names[rule], "", "films",
            "unus.", "mean ms", "/T", "P95 ms", "max ms", ">50 ms", "<=T");
    fprintf(out, "%s\n", ours ? "    u/T   cover first ms     <=T   cover" : "");
    for (size_t c = 0; c < sim_condition_count; c++) {
        struct score s = score_of(launches, count, rule, &sim_conditions[c], ANY);
        print_row(out, sim_conditions[c].name, &s, ours);
        score_free(&s);
    }
    static const char *const names[] = {"HARD CUTS", "THE REST", "ALL"};
    for (enum nature nature = CUT; nature <= ANY; nature++) {
        struct score s = score_of(launches, count, rule, NULL, nature);
        print_row(out, names[nature], &s, ours);
        score_free(&s);
    }
}

static void say(FILE *out, const char *what, double value, double limit, bool least)
{
    if (isnan(value))
        return;
    const bool holds = least ? value >= limit : value <= limit;
    fprintf(out, "  %-52s %8.2f  (%s %.2f)  %s\n", what, value, least ? "at least" : "at most",
            limit, holds ? "holds" : "DOES NOT HOLD");
}

static void say_settled(FILE *out, const struct accuracy_launch *launches, size_t count)
{
    struct score cut = score_of(launches, count, ACCURACY_OURS, NULL, CUT);
    struct score rest = score_of(launches, count, ACCURACY_OURS, NULL, REST);
    struct score all = score_of(launches, count, ACCURACY_OURS, NULL, ANY);
    say(out, "hard cuts: mean |error| of settled, ms; T/4 + 0.5", mean(cut.sum_ms, cut.usable),
        mean(cut.sum_limit_ms, cut.usable) / 4 + 0.5, false);
    say(out, "the rest: mean |error| of settled, ms; T/2", mean(rest.sum_ms, rest.usable),
        mean(rest.sum_limit_ms, rest.usable) / 2, false);
    say(out, "settled within one frame, %", percent(all.within, all.usable), 95, true);
    say(out, "settled off by more than 50 ms, launches", (double)all.gross, 0, false);
    say(out, "not usable, %", percent(all.launches - all.usable, all.launches), 3, false);
    say(out, "median u of settled, T", ts_quantile(all.u_periods, all.usable, 0.5), 0.35, false);
    say(out, "within 1.96 u, %", percent(all.covered, all.usable), 93, true);
    score_free(&cut);
    score_free(&rest);
    score_free(&all);
}

static void say_first(FILE *out, const struct accuracy_launch *launches, size_t count)
{
    struct score all = score_of(launches, count, ACCURACY_OURS, NULL, ANY);
    say(out, "first change: mean |error|, ms; T/4 + 0.5", mean(all.first_sum_ms, all.first_count),
        mean(all.sum_limit_ms, all.usable) / 4 + 0.5, false);
    say(out, "first change off by more than 50 ms, launches", (double)all.first_gross, 0, false);
    say(out, "first change: within one frame, %", percent(all.first_within, all.first_count), 95,
        true);
    say(out, "first change: within 1.96 u, %", percent(all.first_covered, all.first_count), 93,
        true);
    score_free(&all);
}

/* Whether a hair decides which change is the last, or the first, that counts. */
static bool hangs_on_limit(const struct accuracy_launch *launch, double if_small_ms,
                           double if_large_ms)
{
    return !(fabs(if_small_ms - if_large_ms) <= launch->period_ms);
}

/* By so much from whatever is said to be the last change that counts. */
static bool is_far(const struct accuracy_launch *launch)
{
    const struct accuracy_answer *answer = &launch->answers[ACCURACY_OURS];
    const double at_ms = answer->settled_ms;
    const double small_ms = launch->reference.settled_small_ms;
    const double large_ms = launch->reference.settled_large_ms;
    return answer->usable && (at_ms < fmin(small_ms, large_ms) - GROSS_MS ||
                              at_ms > fmax(small_ms, large_ms) + GROSS_MS);
}

static bool settled_hangs(const struct accuracy_launch *launch)
{
    return hangs_on_limit(launch, launch->reference.settled_small_ms,
                          launch->reference.settled_large_ms);
}

/* Those whose settled time is the same, to a frame, whatever the limit. */
static void print_firm(FILE *out, const struct accuracy_launch *launches, size_t count)
{
    struct accuracy_launch *firm = malloc(count * sizeof *firm);
    size_t kept = 0;
    if (!firm)
        return;
    for (size_t i = 0; i < count; i++) {
        if (!settled_hangs(&launches[i]))
            firm[kept++] = launches[i];
    }
    fprintf(out, "\nthe same of the %zu films whose reference value would not move so\n", kept);
    say_settled(out, firm, kept);
    free(firm);
}

void accuracy_print(FILE *out, const struct accuracy_launch *launches, size_t count, bool rivals)
{
    size_t without = 0, hanging = 0, first_hanging = 0, far = 0;
    for (size_t i = 0; i < count; i++) {
        const struct sim_film_reference *r = &launches[i].reference;
        without += isnan(r->settled_ms) ? 1 : 0;
        hanging += settled_hangs(&launches[i]);
        first_hanging += hangs_on_limit(&launches[i], r->first_small_ms, r->first_large_ms);
        far += is_far(&launches[i]);
    }
    for (int rule = 0; rule < ACCURACY_RULES; rule++) {
        if (rivals || rule == ACCURACY_LITERAL || rule == ACCURACY_OURS)
            print_rule(out, launches, count, (enum accuracy_rule)rule);
    }
    fprintf(
        out,
        "\n%zu films, %zu of them left out: they settle nowhere but where something goes on. "
        "Of %zu the\nreference value would move by more than T if changes 20 %% smaller or "
        "larger were the limit;\nof %zu the first change's. touchstone is off by more than 50 ms "
        "from all of these in %zu.\n",
        count, without, hanging, first_hanging, far);
    fprintf(out, "\ntouchstone against its limits (T: each launch's frame period)\n");
    say_settled(out, launches, count);
    say_first(out, launches, count);
    if (hanging > 0 && hanging < count)
        print_firm(out, launches, count);
}

static void print_flags(FILE *out, uint32_t flags)
{
    bool any = false;
    for (int flag = 0; flag < TS_FLAG_COUNT; flag++) {
        if (!(flags >> flag & 1u))
            continue;
        fprintf(out, "%s%s", any ? "+" : "", ts_flag_name((enum ts_flag)flag));
        any = true;
    }
}

void accuracy_print_csv(FILE *out, const struct accuracy_launch *launches, size_t count)
{
    fputs(
        "recording,condition,seed,frames,T_ms,hard_cut,endless,refresh_hz,response_ms,"
        "first_ref,first_ref_small,first_ref_large,settled_ref,settled_ref_small,settled_ref_large,"
        "first,first_u,first_error,settled,settled_u,settled_error,usable,flags,"
        "literal,freeze_60,freeze_40,last_change\n",
        out);
    for (size_t i = 0; i < count; i++) {
        const struct accuracy_launch *l = &launches[i];
        const struct sim_film_reference *r = &l->reference;
        const struct accuracy_answer *a = &l->answers[ACCURACY_OURS];
        fprintf(out, "%s,%s,%llu,%d,%.4f,%d,%d,%g,%.2f,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f,",
                l->recording, l->condition->name, (unsigned long long)l->seed, l->frames,
                l->period_ms, r->hard_cut, r->endless, r->refresh_hz, r->response_ms, r->first_ms,
                r->first_small_ms, r->first_large_ms, r->settled_ms, r->settled_small_ms,
                r->settled_large_ms);
        fprintf(out, "%.3f,%.3f,%.3f,%.3f,%.3f,%.3f,%d,", a->first_ms, a->first_u_ms,
                a->first_ms - r->first_ms, a->settled_ms, a->settled_u_ms,
                a->settled_ms - r->settled_ms, a->usable);
        print_flags(out, a->flags);
        for (int rule = 0; rule < ACCURACY_OURS; rule++)
            fprintf(out, ",%.3f", l->answers[rule].settled_ms);
        fputc('\n', out);
    }
}
