/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A session to standard output: as a table for people, as JSON for programs. */
#include "report/text.h"

#include "store/json_out.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static bool locale_is_utf8(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        if (!value || !*value)
            continue;
        const char *charset = strchr(value, '.');
        return charset &&
               (strncasecmp(charset, ".utf-8", 6) == 0 || strncasecmp(charset, ".utf8", 5) == 0);
    }
    return false;
}

struct ts_text_style ts_text_style_for(FILE *stream)
{
    const char *no_colour = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return (struct ts_text_style){
        .utf8 = locale_is_utf8(),
        .colour = isatty(fileno(stream)) && !(no_colour && *no_colour) && terminal &&
                  strcmp(terminal, "dumb") != 0,
        .width = 80,
    };
}

static void put_estimate(struct ts_json_out *json, const char *key,
                         const struct ts_estimate *estimate)
{
    ts_json_open(json, key, '{');
    ts_json_integer(json, "count", (int64_t)estimate->count);
    ts_json_number(json, "median", estimate->median);
    ts_json_number(json, "low", estimate->interval.low);
    ts_json_number(json, "high", estimate->interval.high);
    ts_json_number(json, "coverage", estimate->interval.coverage);
    ts_json_close(json, '}');
}

static void put_app(struct ts_json_out *json, const struct ts_app_summary *app)
{
    ts_json_open(json, NULL, '{');
    ts_json_text(json, "app", app->app);
    ts_json_text_or_null(json, "build", app->build ? app->build : "");
    ts_json_text(json, "start_type", ts_start_type_name(app->start));
    ts_json_text_or_null(json, "stop", app->stop ? app->stop : "");
    ts_json_integer(json, "launches", app->launches);
    ts_json_integer(json, "counted", app->usable);
    ts_json_integer(json, "warm_up", app->warm_up);
    ts_json_integer(json, "excluded", app->excluded);
    put_estimate(json, "settled_ms", &app->settled);
    put_estimate(json, "first_visual_change_ms", &app->first_change);
    put_estimate(json, "time_to_initial_display_ms", &app->initial_display);
    put_estimate(json, "settled_minus_initial_display_ms", &app->difference);
    put_estimate(json, "literal_settled_ms", &app->literal);
    ts_json_number(json, "u_ms", app->u);
    ts_json_number(json, "u_common_ms", app->u_common);
    ts_json_number(json, "correlation", app->correlation);
    ts_json_integer(json, "never_rests", app->never_rests);
    ts_json_integer(json, "beyond_fences", app->beyond_fences);
    ts_json_close(json, '}');
}

static void put_excluded(struct ts_json_out *json, const struct ts_report_data *data)
{
    ts_json_open(json, "excluded", '[');
    for (size_t i = 0; i < data->count; i++) {
        if (!data->launches[i].excluded)
            continue;
        ts_json_open(json, NULL, '{');
        ts_json_integer(json, "launch", data->launches[i].result.launch);
        ts_json_text(json, "why", data->launches[i].excluded);
        ts_json_close(json, '}');
    }
    ts_json_close(json, ']');
}

void ts_json_summary(const struct ts_report_data *data, const struct ts_summary *summary,
                     struct ts_out *out)
{
    struct ts_json_out json = {.buf = &out->text, .broken_depth = 3, .err = out->err};
    ts_json_open(&json, NULL, '{');
    ts_json_text_or_null(&json, "name", data->plan->name ? data->plan->name : "");
    ts_json_text_or_null(&json, "bench", data->info->bench);
    ts_json_seed(&json, "seed", data->info->seed);
    ts_json_text_or_null(&json, "touchstone", data->info->touchstone);
    ts_json_text_or_null(&json, "detector", data->info->detector);
    ts_json_integer(&json, "planned", ts_plan_total(data->plan));
    ts_json_integer(&json, "launches", summary->launches);
    ts_json_integer(&json, "counted", summary->usable);
    ts_json_number(&json, "u_common_ms", summary->u_common);
    ts_standing_json(&data->standing, &json);
    ts_json_open(&json, "apps", '[');
    for (size_t i = 0; i < summary->app_count; i++)
        put_app(&json, &summary->apps[i]);
    ts_json_close(&json, ']');
    put_excluded(&json, data);
    ts_json_close(&json, '}');
    out->err = json.err;
    ts_out_put(out, "\n");
}

int ts_report_print_session(const char *dir, bool json, FILE *stream, struct ts_why *why)
{
    struct ts_report_data data;
    int err = ts_report_data_load(dir, &data, why);
    if (err)
        return err;
    struct ts_out out = {0};
    struct ts_summary summary;
    err = ts_summarize(&data, &summary);
    if (!err) {
        if (json)
            ts_json_summary(&data, &summary, &out);
        else
            ts_text_summary(&data, &summary, ts_text_style_for(stream), &out);
        err = out.err;
        ts_summary_free(&summary);
    }
    if (err)
        ts_fail(why, err, "cannot summarize %.200s: %s", dir, ts_err_text(err));
    else if (fwrite(out.text.data, 1, out.text.size, stream) != out.text.size)
        err = ts_fail(why, TS_EIO, "cannot write the summary: the output takes no more");
    ts_buf_free(&out.text);
    ts_report_data_free(&data);
    return err;
}
