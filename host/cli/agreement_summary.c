/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/agreement_summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int add_pair(struct ts_pairs *pairs, double a, double b, const char *launch)
{
    void *items = pairs->items;
    struct ts_pair *pair = ts_grow(&items, &pairs->count, &pairs->capacity, sizeof *pair);
    pairs->items = items;
    if (!pair)
        return TS_ENOMEM;
    *pair = (struct ts_pair){a, b, launch};
    return TS_OK;
}

static int agreement_of(const struct ts_pairs *pairs, struct ts_agreement *out)
{
    double *a = calloc(pairs->count + 1, sizeof *a), *b = calloc(pairs->count + 1, sizeof *b);
    int err = TS_ENOMEM;
    if (a && b) {
        for (size_t i = 0; i < pairs->count; i++) {
            a[i] = pairs->items[i].a;
            b[i] = pairs->items[i].b;
        }
        err = ts_agreement_of(a, b, pairs->count, out);
    }
    free(a);
    free(b);
    return err;
}

static struct ts_repeatability repeatability_of(const struct ts_pairs *pairs)
{
    double *difference = calloc(pairs->count + 1, sizeof *difference);
    struct ts_repeatability repeat = {0, NAN, NAN, NAN};
    if (!difference)
        return repeat;
    for (size_t i = 0; i < pairs->count; i++)
        difference[i] = pairs->items[i].a - pairs->items[i].b;
    repeat = ts_repeatability_of(difference, pairs->count);
    free(difference);
    return repeat;
}

static const char *automatic_of(const struct ts_judged_launch *launch, enum ts_end end,
                                double *value)
{
    *value = launch->usable ? launch->automatic[end] : (double)NAN;
    return launch->name;
}

/* The mark of this person that counts, NAN when they did not mark this end. */
static double mark_by(const struct ts_judged_launch *launch, enum ts_end end, const char *by)
{
    for (size_t i = 0; i < launch->count; i++) {
        if (!launch->marks[i].superseded && strcmp(launch->marks[i].by, by) == 0)
            return launch->marks[i].ms[end];
    }
    return (double)NAN;
}

static int find_persons(const struct ts_judged *judged, struct ts_end_summary *out)
{
    for (size_t n = 0; n < judged->count; n++) {
        for (size_t i = 0; i < judged->items[n].count; i++) {
            const char *by = judged->items[n].marks[i].by;
            size_t known = 0;
            while (known < out->person_count && strcmp(out->persons[known].by, by) != 0)
                known++;
            if (known < out->person_count)
                continue;
            void *persons = out->persons;
            struct ts_person *person =
                ts_grow(&persons, &out->person_count, &out->person_capacity, sizeof *person);
            out->persons = persons;
            if (!person)
                return TS_ENOMEM;
            person->by = by;
        }
    }
    return TS_OK;
}

/* One launch: automatic against the mean of those who marked it. */
static int take_launch(const struct ts_judged_launch *launch, enum ts_end end,
                       struct ts_end_summary *out)
{
    double automatic, sum = 0;
    size_t told = 0;
    const char *name = automatic_of(launch, end, &automatic);
    for (size_t i = 0; i < launch->count; i++) {
        if (!launch->marks[i].superseded && isfinite(launch->marks[i].ms[end])) {
            sum += launch->marks[i].ms[end];
            told++;
        }
    }
    out->untold += told == 0;
    out->not_usable += told > 0 && !isfinite(automatic);
    return told && isfinite(automatic)
               ? add_pair(&out->automatic, automatic, sum / (double)told, name)
               : TS_OK;
}

/* What one person marked: against the program and against their own earlier marks. */
static int take_person(const struct ts_judged *judged, enum ts_end end, struct ts_person *person,
                       struct ts_pairs *against_one, struct ts_pairs *repeats)
{
    struct ts_pairs own = {0}, again = {0};
    int err = TS_OK;
    for (size_t n = 0; n < judged->count && !err; n++) {
        const struct ts_judged_launch *launch = &judged->items[n];
        double automatic, before = (double)NAN;
        const char *name = automatic_of(launch, end, &automatic);
        const double mark = mark_by(launch, end, person->by);
        person->marked += isfinite(mark) ? 1 : 0;
        if (isfinite(mark) && isfinite(automatic)) {
            err = add_pair(&own, automatic, mark, name);
            if (!err)
                err = add_pair(against_one, automatic, mark, name);
        }
        for (size_t i = 0; i < launch->count && !err; i++) {
            const double ms = launch->marks[i].ms[end];
            if (strcmp(launch->marks[i].by, person->by) != 0 || !isfinite(ms))
                continue;
            if (isfinite(before))
                err = add_pair(&again, ms, before, name);
            if (!err && isfinite(before))
                err = add_pair(repeats, ms, before, name);
            before = ms;
        }
    }
    if (!err)
        err = agreement_of(&own, &person->automatic);
    person->repeat = repeatability_of(&again);
    free(own.items);
    free(again.items);
    return err;
}

static int take_two(const struct ts_judged *judged, enum ts_end end, size_t first, size_t second,
                    struct ts_pairs *between, struct ts_end_summary *out)
{
    struct ts_pairs pairs = {0};
    int err = TS_OK;
    for (size_t n = 0; n < judged->count && !err; n++) {
        const struct ts_judged_launch *launch = &judged->items[n];
        const double a = mark_by(launch, end, out->persons[first].by);
        const double b = mark_by(launch, end, out->persons[second].by);
        if (!isfinite(a) || !isfinite(b))
            continue;
        err = add_pair(&pairs, a, b, launch->name);
        if (!err)
            err = add_pair(between, a, b, launch->name);
    }
    void *twos = out->twos;
    struct ts_two_people *two =
        !err && pairs.count ? ts_grow(&twos, &out->two_count, &out->two_capacity, sizeof *two)
                            : NULL;
    if (!err && pairs.count) {
        out->twos = twos;
        err = two ? agreement_of(&pairs, &two->agreement) : TS_ENOMEM;
    }
    if (two) {
        two->first = first;
        two->second = second;
    }
    free(pairs.items);
    return err;
}

int ts_end_summarize(const struct ts_judged *judged, enum ts_end end, struct ts_end_summary *out)
{
    struct ts_pairs against_one = {0}, between = {0}, repeats = {0};
    *out = (struct ts_end_summary){0};
    int err = find_persons(judged, out);
    for (size_t n = 0; n < judged->count && !err; n++)
        err = take_launch(&judged->items[n], end, out);
    for (size_t i = 0; i < out->person_count && !err; i++)
        err = take_person(judged, end, &out->persons[i], &against_one, &repeats);
    for (size_t i = 0; i < out->person_count && !err; i++) {
        for (size_t j = i + 1; j < out->person_count && !err; j++)
            err = take_two(judged, end, i, j, &between, out);
    }
    if (!err)
        err = agreement_of(&out->automatic, &out->agreement);
    if (!err)
        err = agreement_of(&against_one, &out->against_one);
    if (!err)
        err = agreement_of(&between, &out->between);
    out->repeat = repeatability_of(&repeats);
    free(against_one.items);
    free(between.items);
    free(repeats.items);
    if (err)
        ts_end_summary_free(out);
    return err;
}

void ts_end_summary_free(struct ts_end_summary *summary)
{
    free(summary->automatic.items);
    free(summary->persons);
    free(summary->twos);
    *summary = (struct ts_end_summary){0};
}
