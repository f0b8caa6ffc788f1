/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/agreement.h"
#include "report/text.h"
#include "store/json_out.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define WORST_SHOWN  5
#define NAME_WIDTH   40
#define PERSON_WIDTH 31
#define PAPER_MS     90.0 /* mean |difference| of settled, 160 launches of 16 apps */

const char *const ts_end_names[TS_END_COUNT] = {"first_change", "settled"};
static const char *const end_words[TS_END_COUNT] = {"First change", "Settled"};

/* Names are other people's words. */
static void put_name(struct ts_out *out, const char *name, int columns)
{
    const int used = ts_out_text(out, name, columns, ts_text_style_for(stdout));
    ts_out_printf(out, "%*s  ", columns - used, "");
}

static void put_ms(struct ts_out *out, const char *what, double ms)
{
    ts_out_printf(out, "  %-32s ", what);
    if (isfinite(ms))
        ts_out_printf(out, "%9.1f ms", ms);
    else
        ts_out_put(out, "        -");
}

static void put_with_range(struct ts_out *out, const char *what, double ms, struct ts_range range)
{
    put_ms(out, what, ms);
    if (isfinite(range.low))
        ts_out_printf(out, "   95 %%: %.1f to %.1f", range.low, range.high);
    ts_out_put(out, "\n");
}

static void put_automatic(const struct ts_end_summary *summary, enum ts_end end, struct ts_out *out)
{
    const struct ts_agreement *agreement = &summary->agreement;
    ts_out_printf(out, "%s: automatic against people, %zu launch%s\n", end_words[end],
                  agreement->count, agreement->count == 1 ? "" : "es");
    if (summary->not_usable)
        ts_out_printf(out, "  (and %d that the detector itself reports as not usable)\n",
                      summary->not_usable);
    if (!agreement->count)
        return;
    put_ms(out, "mean |difference|, untrimmed", agreement->mean_absolute);
    if (end == TS_END_SETTLED)
        ts_out_printf(out, "   (the paper's rig: %.0f ms)", PAPER_MS);
    ts_out_put(out, "\n");
    put_with_range(out, "bias (automatic minus people)", agreement->bias, agreement->bias_interval);
    put_ms(out, "standard deviation", agreement->sd);
    ts_out_put(out, "\n");
    put_with_range(out, "lower 95 % limit of agreement", agreement->limits.low,
                   agreement->low_interval);
    put_with_range(out, "upper 95 % limit of agreement", agreement->limits.high,
                   agreement->high_interval);
    put_ms(out, "P95 of |difference|", agreement->p95_absolute);
    ts_out_put(out, "\n");
    put_ms(out, "largest |difference|", agreement->worst_absolute);
    ts_out_put(out, "\n");
    if (isfinite(agreement->pearson))
        ts_out_printf(out, "  %-32s %9.4f\n", "Pearson r", agreement->pearson);
}

static void put_person(const struct ts_person *person, struct ts_out *out)
{
    const struct ts_agreement *automatic = &person->automatic;
    ts_out_put(out, "  ");
    put_name(out, *person->by ? person->by : "(nobody said who)", PERSON_WIDTH);
    ts_out_printf(out, "%3zu marked", person->marked);
    if (automatic->count)
        ts_out_printf(out, "; automatic %.1f ms off, bias %+.1f", automatic->mean_absolute,
                      automatic->bias);
    ts_out_put(out, "\n");
    if (person->repeat.count)
        ts_out_printf(out, "      marked again %zu times: mean |difference| %.1f ms, sd %.1f ms\n",
                      person->repeat.count, person->repeat.mean_absolute, person->repeat.sd);
}

static void put_people(const struct ts_end_summary *summary, struct ts_out *out)
{
    ts_out_put(out, "\n  People\n");
    for (size_t i = 0; i < summary->person_count; i++)
        put_person(&summary->persons[i], out);
    for (size_t i = 0; i < summary->two_count; i++) {
        const struct ts_two_people *two = &summary->twos[i];
        char names[2 * TS_MARKS_BY_MAX + 8];
        snprintf(names, sizeof names, "%s / %s", summary->persons[two->first].by,
                 summary->persons[two->second].by);
        ts_out_put(out, "  ");
        put_name(out, names, PERSON_WIDTH);
        ts_out_printf(out, "%3zu both; %.1f ms apart, bias %+.1f\n", two->agreement.count,
                      two->agreement.mean_absolute, two->agreement.bias);
    }
    if (!summary->between.count)
        return;
    ts_out_put(out, "\n  Mean |difference| of one marking\n");
    put_ms(out, "automatic against one person", summary->against_one.mean_absolute);
    ts_out_printf(out, "   (%zu)\n", summary->against_one.count);
    put_ms(out, "one person against another", summary->between.mean_absolute);
    ts_out_printf(out, "   (%zu)\n", summary->between.count);
    if (summary->repeat.count) {
        put_ms(out, "one person a second time", summary->repeat.mean_absolute);
        ts_out_printf(out, "   (%zu)\n", summary->repeat.count);
    }
}

/* The launches farthest apart, farthest first, into worst[most]; returns how many. */
static size_t find_worst(const struct ts_pairs *pairs, size_t *worst, size_t most)
{
    size_t count = 0;
    for (size_t i = 0; i < pairs->count; i++) {
        const double difference = fabs(pairs->items[i].a - pairs->items[i].b);
        size_t at = count;
        while (at > 0) {
            const struct ts_pair *other = &pairs->items[worst[at - 1]];
            if (fabs(other->a - other->b) >= difference)
                break;
            at--;
        }
        if (at >= most)
            continue;
        count += count < most;
        memmove(&worst[at + 1], &worst[at], (count - at - 1) * sizeof *worst);
        worst[at] = i;
    }
    return count;
}

/* The end of a long name tells launches apart. */
static const char *short_name(const char *name)
{
    const size_t size = strlen(name);
    const char *from = name + (size > NAME_WIDTH ? size - NAME_WIDTH : 0);
    while ((*from & 0xc0) == 0x80)
        from++;
    return from;
}

static void put_worst(const struct ts_end_summary *summary, struct ts_out *out)
{
    size_t worst[WORST_SHOWN + 1];
    const size_t count = find_worst(&summary->automatic, worst, WORST_SHOWN);
    if (!count)
        return;
    ts_out_printf(out, "\n  %-*s %10s %10s %10s\n", NAME_WIDTH, "Farthest apart (ms)", "automatic",
                  "people", "difference");
    for (size_t i = 0; i < count; i++) {
        const struct ts_pair *pair = &summary->automatic.items[worst[i]];
        ts_out_put(out, "  ");
        put_name(out, short_name(pair->launch), NAME_WIDTH);
        ts_out_printf(out, "%9.1f %10.1f %+10.1f\n", pair->a, pair->b, pair->a - pair->b);
    }
}

static bool says_nothing(const struct ts_end_summary *summary)
{
    size_t marked = 0;
    for (size_t i = 0; i < summary->person_count; i++)
        marked += summary->persons[i].marked;
    return !marked;
}

void ts_agreement_put_text(const struct ts_judged *judged, const struct ts_end_summary *summaries,
                           struct ts_out *out)
{
    for (int end = 0; end < TS_END_COUNT; end++) {
        if (says_nothing(&summaries[end]))
            continue;
        put_automatic(&summaries[end], (enum ts_end)end, out);
        put_people(&summaries[end], out);
        put_worst(&summaries[end], out);
        if (summaries[end].untold)
            ts_out_printf(out, "\n  %d launch%s left out: nobody could tell\n",
                          summaries[end].untold, summaries[end].untold == 1 ? "" : "es");
        ts_out_put(out, "\n");
    }
    if (judged->unmarked)
        ts_out_printf(out, "%d film%s that nobody has marked\n", judged->unmarked,
                      judged->unmarked == 1 ? "" : "s");
}

static void json_range(struct ts_json_out *out, const char *key, struct ts_range range)
{
    ts_json_open(out, key, '[');
    ts_json_number(out, NULL, range.low);
    ts_json_number(out, NULL, range.high);
    ts_json_close(out, ']');
}

static void json_agreement(struct ts_json_out *out, const char *key,
                           const struct ts_agreement *agreement)
{
    ts_json_open(out, key, '{');
    ts_json_integer(out, "launches", (int64_t)agreement->count);
    ts_json_number(out, "mean_absolute_ms", agreement->mean_absolute);
    ts_json_number(out, "bias_ms", agreement->bias);
    json_range(out, "bias_interval_ms", agreement->bias_interval);
    ts_json_number(out, "sd_ms", agreement->sd);
    json_range(out, "limits_ms", agreement->limits);
    json_range(out, "lower_limit_interval_ms", agreement->low_interval);
    json_range(out, "upper_limit_interval_ms", agreement->high_interval);
    ts_json_number(out, "p95_absolute_ms", agreement->p95_absolute);
    ts_json_number(out, "worst_absolute_ms", agreement->worst_absolute);
    ts_json_number(out, "pearson_r", agreement->pearson);
    ts_json_close(out, '}');
}

static void json_apart(struct ts_json_out *out, const char *key,
                       const struct ts_agreement *agreement)
{
    ts_json_open(out, key, '{');
    ts_json_integer(out, "pairs", (int64_t)agreement->count);
    ts_json_number(out, "mean_absolute_ms", agreement->mean_absolute);
    ts_json_number(out, "p95_absolute_ms", agreement->p95_absolute);
    ts_json_close(out, '}');
}

static void json_repeat(struct ts_json_out *out, const struct ts_repeatability *repeat)
{
    ts_json_open(out, "repeatability", '{');
    ts_json_integer(out, "pairs", (int64_t)repeat->count);
    ts_json_number(out, "mean_absolute_ms", repeat->mean_absolute);
    ts_json_number(out, "sd_ms", repeat->sd);
    ts_json_number(out, "coefficient_ms", repeat->coefficient);
    ts_json_close(out, '}');
}

static void json_people(struct ts_json_out *out, const struct ts_end_summary *summary)
{
    ts_json_open(out, "people", '[');
    for (size_t i = 0; i < summary->person_count; i++) {
        const struct ts_person *person = &summary->persons[i];
        ts_json_open(out, NULL, '{');
        ts_json_text(out, "by", person->by);
        ts_json_integer(out, "marked", (int64_t)person->marked);
        json_agreement(out, "automatic_minus_theirs", &person->automatic);
        json_repeat(out, &person->repeat);
        ts_json_close(out, '}');
    }
    ts_json_close(out, ']');
    ts_json_open(out, "two_people", '[');
    for (size_t i = 0; i < summary->two_count; i++) {
        const struct ts_two_people *two = &summary->twos[i];
        ts_json_open(out, NULL, '{');
        ts_json_text(out, "by", summary->persons[two->first].by);
        ts_json_text(out, "and_by", summary->persons[two->second].by);
        json_agreement(out, "first_minus_second", &two->agreement);
        ts_json_close(out, '}');
    }
    ts_json_close(out, ']');
}

static void json_end(struct ts_json_out *out, const char *key, const struct ts_end_summary *summary)
{
    ts_json_open(out, key, '{');
    json_agreement(out, "automatic_minus_people", &summary->agreement);
    json_apart(out, "automatic_against_one_person", &summary->against_one);
    json_apart(out, "one_person_against_another", &summary->between);
    json_repeat(out, &summary->repeat);
    json_people(out, summary);
    ts_json_integer(out, "not_usable", summary->not_usable);
    ts_json_integer(out, "untold", summary->untold);
    ts_json_open(out, "launches", '[');
    for (size_t i = 0; i < summary->automatic.count; i++) {
        const struct ts_pair *pair = &summary->automatic.items[i];
        ts_json_open(out, NULL, '{');
        ts_json_text(out, "name", pair->launch);
        ts_json_number(out, "automatic_ms", pair->a);
        ts_json_number(out, "people_ms", pair->b);
        ts_json_close(out, '}');
    }
    ts_json_close(out, ']');
    ts_json_close(out, '}');
}

int ts_agreement_put_json(const struct ts_judged *judged, const struct ts_end_summary *summaries,
                          struct ts_out *out)
{
    struct ts_json_out json = {.buf = &out->text, .broken_depth = 3};
    ts_json_open(&json, NULL, '{');
    for (int end = 0; end < TS_END_COUNT; end++)
        json_end(&json, ts_end_names[end], &summaries[end]);
    ts_json_integer(&json, "unmarked", judged->unmarked);
    ts_json_close(&json, '}');
    ts_out_put(out, "\n");
    return json.err;
}
