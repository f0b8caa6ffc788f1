/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "vision/ready.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define NTH_MOST     8
#define GRID         3 /* regions are made of GRID x GRID fields of the screen */
#define EXAMPLE_MOST 512
#define SIGMA_OF_ABS 1.2533 /* sqrt(pi / 2) */
#define EPSILON      1e-9

const char *const ts_ready_kind_names[] = {"settled", "from_first", "from_last", "progress",
                                           "cover",   "region",     NULL};

static const double progress_row[] = {0.85, 0.5, 0.6, 0.7, 0.75, 0.8, 0.9, 0.95, 0.98};
static const double cover_row[] = {0.5, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8};
#define ROW(row) (sizeof(row) / sizeof *(row))

/* The regions, larger ones first; the whole screen is the last change and has a rule already. */
static bool region_of(size_t index, struct ts_ready_region *region)
{
    for (int size = GRID * GRID - 1; size > 0; size--) {
        for (int field = 0; field < GRID * GRID * GRID * GRID; field++) {
            const int x0 = field % GRID, y0 = field / GRID % GRID;
            const int x1 = field / (GRID * GRID) % GRID + 1;
            const int y1 = field / (GRID * GRID * GRID) + 1;
            if (x1 <= x0 || y1 <= y0 || (x1 - x0) * (y1 - y0) != size || index--)
                continue;
            *region = (struct ts_ready_region){(double)x0 / GRID, (double)y0 / GRID,
                                               (double)x1 / GRID, (double)y1 / GRID};
            return true;
        }
    }
    return false;
}

/* The index-th rule of a kind; false: there are no more. */
static bool rule_of(enum ts_ready_kind kind, size_t index, struct ts_ready_rule *rule)
{
    *rule = (struct ts_ready_rule){.kind = kind};
    switch (kind) {
    case TS_READY_FROM_FIRST:
    case TS_READY_FROM_LAST:
        rule->nth = (int)index + 1;
        return index < NTH_MOST;
    case TS_READY_PROGRESS:
        rule->share = index < ROW(progress_row) ? progress_row[index] : 0;
        return index < ROW(progress_row);
    case TS_READY_COVER:
        rule->share = index < ROW(cover_row) ? cover_row[index] : 0;
        return index < ROW(cover_row);
    case TS_READY_REGION:
        return region_of(index, &rule->region);
    default:
        return index == 0;
    }
}

static bool is_share(double value)
{
    return value >= 0 && value <= 1;
}

int ts_ready_check(const struct ts_ready_rule *rule)
{
    const struct ts_ready_region *region = &rule->region;
    bool good = false;
    switch (rule->kind) {
    case TS_READY_SETTLED:
        good = true;
        break;
    case TS_READY_FROM_FIRST:
    case TS_READY_FROM_LAST:
        good = rule->nth >= 1 && rule->nth <= TS_EPISODES_MOST;
        break;
    case TS_READY_PROGRESS:
    case TS_READY_COVER:
        good = is_share(rule->share);
        break;
    case TS_READY_REGION:
        good = is_share(region->x0) && is_share(region->y0) && is_share(region->x1) &&
               is_share(region->y1) && region->x0 < region->x1 && region->y0 < region->y1;
        break;
    default:
        break;
    }
    return good && rule->launches >= 0 && rule->error_ms >= 0 ? TS_OK : TS_EINVAL;
}

static const char *ordinal(int nth)
{
    return nth == 1 ? "st" : nth == 2 ? "nd" : nth == 3 ? "rd" : "th";
}

void ts_ready_describe(const struct ts_ready_rule *rule, char words[TS_READY_WORDS])
{
    const struct ts_ready_region *region = &rule->region;
    switch (rule->kind) {
    case TS_READY_FROM_FIRST:
        snprintf(words, TS_READY_WORDS, "the %d%s change", rule->nth, ordinal(rule->nth));
        break;
    case TS_READY_FROM_LAST:
        if (rule->nth == 1)
            snprintf(words, TS_READY_WORDS, "the last change");
        else
            snprintf(words, TS_READY_WORDS, "the %d%s change from the last", rule->nth,
                     ordinal(rule->nth));
        break;
    case TS_READY_PROGRESS:
        snprintf(words, TS_READY_WORDS,
                 "the first change after which visual progress stays at %g %% or more",
                 100 * rule->share);
        break;
    case TS_READY_COVER:
        snprintf(words, TS_READY_WORDS, "the last change that covers at least %g %% of the screen",
                 100 * rule->share);
        break;
    case TS_READY_REGION:
        snprintf(words, TS_READY_WORDS,
                 "the last change in %.0f to %.0f %% of the screen's width and %.0f to %.0f %% of "
                 "its height",
                 100 * region->x0, 100 * region->x1, 100 * region->y0, 100 * region->y1);
        break;
    default:
        snprintf(words, TS_READY_WORDS, "settled");
    }
}

/* The changes of a launch that are not endless, in order. */
struct list {
    const struct ts_vision_episode *change[TS_EPISODES_MOST];
    size_t count;
};

static struct list list_of(const struct ts_vision_changes *changes)
{
    struct list list = {.count = 0};
    for (size_t i = 0; i < changes->episode_count; i++) {
        if (!changes->episodes[i].endless)
            list.change[list.count++] = &changes->episodes[i];
    }
    return list;
}

static size_t find_progress(const struct list *list, double share)
{
    double after[TS_EPISODES_MOST], progress = 0;
    for (size_t i = 0; i < list->count; i++)
        after[i] = progress += list->change[i]->gain;
    size_t first = list->count;
    while (first > 0 && after[first - 1] >= share - EPSILON) /* false for NAN */
        first--;
    return first;
}

static size_t find_cover(const struct list *list, double share)
{
    for (size_t i = list->count; i > 0; i--) {
        if (list->change[i - 1]->share >= share)
            return i - 1;
    }
    return list->count;
}

static size_t find_in_region(const struct list *list, const struct ts_ready_launch *launch,
                             const struct ts_ready_region *region)
{
    const double width = launch->screen.x1 - launch->screen.x0 + 1;
    const double height = launch->screen.y1 - launch->screen.y0 + 1;
    for (size_t i = list->count; i > 0; i--) {
        const struct ts_vision_episode *e = list->change[i - 1];
        const double x = (0.5 * (e->x0 + e->x1 + 1) - launch->screen.x0) / width;
        const double y = (0.5 * (e->y0 + e->y1 + 1) - launch->screen.y0) / height;
        if (x >= region->x0 && x <= region->x1 && y >= region->y0 && y <= region->y1)
            return i - 1;
    }
    return list->count;
}

/* NAN: the rule finds nothing. */
static double instant_of(const struct ts_ready_rule *rule, const struct ts_ready_launch *launch)
{
    const struct list list = list_of(launch->changes);
    const size_t nth = (size_t)rule->nth;
    size_t found;
    switch (rule->kind) {
    case TS_READY_FROM_FIRST:
        found = nth - 1;
        break;
    case TS_READY_FROM_LAST:
        found = nth <= list.count ? list.count - nth : list.count;
        break;
    case TS_READY_PROGRESS:
        found = find_progress(&list, rule->share);
        break;
    case TS_READY_COVER:
        found = find_cover(&list, rule->share);
        break;
    case TS_READY_REGION:
        found = find_in_region(&list, launch, &rule->region);
        break;
    default:
        return launch->changes->settled.value;
    }
    return found < list.count ? list.change[found]->end_ms : NAN;
}

struct ts_metric ts_ready_apply(const struct ts_ready_rule *rule,
                                const struct ts_ready_launch *launch)
{
    struct ts_metric ready = {instant_of(rule, launch), NAN, NAN};
    if (isnan(ready.value))
        return ready;
    const struct ts_vision_changes *changes = launch->changes;
    const double u = fmax(0, fmax(changes->settled.u, changes->first.u));
    ready.u = rule->kind == TS_READY_SETTLED ? u : hypot(u, SIGMA_OF_ABS * rule->error_ms);
    ready.u_common = changes->settled.u_common;
    return ready;
}

static double error_of(const struct ts_ready_rule *rule, const struct ts_ready_example *example)
{
    const double ms = instant_of(rule, &example->launch);
    return fabs((isnan(ms) ? 0 : ms) - example->annotated_ms);
}

/* The rule of the kind with the least sum of errors, leaving out one launch (count: none). */
static struct ts_ready_rule fit(enum ts_ready_kind kind, const struct ts_ready_example *examples,
                                size_t count, size_t without)
{
    struct ts_ready_rule rule, best = {.kind = kind};
    double least = INFINITY;
    for (size_t index = 0; rule_of(kind, index, &rule); index++) {
        double sum = 0;
        for (size_t i = 0; i < count; i++)
            sum += i == without ? 0 : error_of(&rule, &examples[i]);
        if (sum < least - EPSILON) {
            least = sum;
            best = rule;
        }
    }
    return best;
}

static int check(const struct ts_ready_example *examples, size_t count, struct ts_why *why)
{
    if (count < TS_READY_LEAST)
        return ts_fail(why, TS_EINVAL,
                       "%zu annotated launches are too few to learn from: annotate %d or more",
                       count, TS_READY_LEAST);
    if (count > EXAMPLE_MOST)
        return ts_fail(why, TS_EINVAL, "%zu annotated launches; at most %d", count, EXAMPLE_MOST);
    const char *app = NULL;
    for (size_t i = 0; i < count; i++) {
        const struct ts_ready_launch *launch = &examples[i].launch;
        if (app && launch->app && strcmp(app, launch->app) != 0)
            return ts_fail(why, TS_EINVAL,
                           "launches of \"%.100s\" and \"%.100s\" are mixed: a rule is of one app",
                           app, launch->app);
        app = launch->app ? launch->app : app;
        if (!isfinite(examples[i].annotated_ms))
            return ts_fail(why, TS_EINVAL, "launch %zu of %zu has no annotated time", i + 1, count);
    }
    return TS_OK;
}

int ts_ready_learn(const struct ts_ready_example *examples, size_t count,
                   struct ts_ready_rule *rule, struct ts_ready_report *report, struct ts_why *why)
{
    const int err = check(examples, count, why);
    if (err)
        return err;
    *report = (struct ts_ready_report){.noise_ms = 0};
    size_t best = 0;
    for (size_t kind = 0; kind < TS_READY_KINDS; kind++) {
        double sum = 0, squares = 0;
        for (size_t i = 0; i < count; i++) {
            const struct ts_ready_rule learned = fit((enum ts_ready_kind)kind, examples, count, i);
            const double error = error_of(&learned, &examples[i]);
            sum += error;
            squares += error * error;
        }
        const double n = (double)count, mean = sum / n;
        report->kind_ms[kind] = mean;
        if (kind && !(mean < report->kind_ms[best] - EPSILON))
            continue;
        best = kind;
        const double variance = fmax(0, squares / n - mean * mean) * n / (n - 1);
        report->noise_ms = fmax(TS_READY_GRAIN_MS, sqrt(variance)) / sqrt(n);
    }
    size_t simplest = 0;
    while (report->kind_ms[simplest] > report->kind_ms[best] + report->noise_ms)
        simplest++;
    *rule = fit((enum ts_ready_kind)simplest, examples, count, count);
    rule->launches = (int)count;
    rule->error_ms = report->kind_ms[simplest];
    report->beats_settled = simplest != TS_READY_SETTLED;
    return TS_OK;
}
