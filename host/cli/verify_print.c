/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is on file of verifications: a rig's control chart, and certificates side by side. */
#include "cli/verify.h"

#include "cli/job.h"
#include "instrument/certificate.h"
#include "instrument/chart.h"
#include "instrument/repeatability.h"
#include "report/table.h"
#include "report/text.h"
#include "store/json_out.h"
#include "store/verify_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PLOT_HALF 20 /* columns on either side of the middle; the limits stand at 2/3 */

static void end_json(struct ts_json_out *json, struct ts_out *out)
{
    out->err = out->err ? out->err : json->err;
    ts_out_put(out, "\n");
}

/* ---- the control chart ---- */

static void put_chart_json(const struct ts_chart_entry *entries, size_t count, const int *runs,
                           struct ts_out *out)
{
    struct ts_json_out json = {.buf = &out->text, .broken_depth = 2};
    ts_json_open(&json, NULL, '{');
    ts_json_open(&json, "checks", '[');
    for (size_t i = 0; i < count; i++) {
        ts_json_open(&json, NULL, '{');
        ts_json_integer(&json, "date_s", entries[i].date_s);
        ts_json_seed(&json, "seed", entries[i].seed);
        ts_json_text(&json, "when", entries[i].when);
        ts_json_text(&json, "session", entries[i].session);
        for (int m = 0; m < TS_MEASURAND_COUNT; m++) {
            ts_json_open(&json, ts_measurand_names[m], '{');
            ts_json_number(&json, "value_ms", entries[i].value_ms[m]);
            ts_json_number(&json, "limit_ms", entries[i].limit_ms[m]);
            ts_json_integer(&json, "run", runs[i * TS_MEASURAND_COUNT + (size_t)m]);
            ts_json_close(&json, '}');
        }
        ts_json_boolean(&json, "in_control", entries[i].in_control);
        ts_json_close(&json, '}');
    }
    ts_json_close(&json, ']');
    ts_json_close(&json, '}');
    end_json(&json, out);
}

static void plot(double value, double limit, char line[2 * PLOT_HALF + 2])
{
    const int at_limit = PLOT_HALF * 2 / 3;
    memset(line, ' ', 2 * PLOT_HALF + 1);
    line[2 * PLOT_HALF + 1] = '\0';
    line[PLOT_HALF] = '|';
    line[PLOT_HALF - at_limit] = line[PLOT_HALF + at_limit] = ':';
    if (!isfinite(value) || !(limit > 0))
        return;
    const double place = fmax(fmin(value / limit * at_limit, PLOT_HALF), -PLOT_HALF);
    line[PLOT_HALF + (int)lround(place)] = fabs(value) > limit ? 'X' : '*';
}

static void put_chart_text(const struct ts_chart_entry *entries, size_t count, const int *runs,
                           struct ts_out *out)
{
    static const char *const heads[] = {"date",  "when",  "difference", "limit",
                                        "chart", "notes", "session"};
    for (int m = 0; m < TS_MEASURAND_COUNT; m++) {
        struct ts_table table;
        ts_out_printf(out, "%s%s, ms from the certificate\n", m ? "\n" : "", ts_measurand_names[m]);
        ts_table_begin(&table, 7, 0xc);
        for (int i = 0; i < 7; i++)
            ts_table_put(&table, heads[i]);
        for (size_t i = 0; i < count; i++) {
            char line[2 * PLOT_HALF + 2], stamp[20];
            const double value = entries[i].value_ms[m], limit = entries[i].limit_ms[m];
            const int run = runs[i * TS_MEASURAND_COUNT + (size_t)m];
            ts_job_stamp(entries[i].date_s, stamp);
            plot(value, limit, line);
            ts_table_put(&table, stamp);
            ts_table_put(&table, entries[i].when);
            ts_table_number(&table, value, 2);
            ts_table_number(&table, limit, 2);
            ts_table_put(&table, line);
            if (!(fabs(value) <= limit))
                ts_table_put(&table, "out of control");
            else if (run >= TS_CHART_RUN)
                ts_table_printf(&table, "%d on one side", run);
            else
                ts_table_put(&table, "");
            ts_table_put(&table, entries[i].session);
        }
        ts_table_end(&table, ts_text_style_for(stdout), out);
    }
}

/* A run ends where a new certificate begins. */
static int run_at(const struct ts_chart_entry *entries, size_t at, int m, double *values)
{
    size_t from = at;
    while (from > 0 && entries[from - 1].certificate_s == entries[at].certificate_s)
        from--;
    for (size_t i = from; i <= at; i++)
        values[i - from] = entries[i].value_ms[m];
    return ts_chart_run(values, (int)(at - from + 1));
}

int ts_verify_chart(const char *rig_dir, bool json, struct ts_out *out, struct ts_why *why)
{
    struct ts_rig rig;
    struct ts_chart_entry *entries = NULL;
    size_t count = 0;
    int err = ts_rig_open(rig_dir, 0, &rig, why);
    if (err)
        return err;
    ts_rig_free(&rig);
    err = ts_chart_load(rig_dir, &entries, &count, why);
    if (err)
        return err;
    int *runs = calloc(count * TS_MEASURAND_COUNT + 1, sizeof *runs);
    double *values = calloc(count + 1, sizeof *values);
    if (!runs || !values)
        err = ts_fail(why, TS_ENOMEM, "out of memory");
    for (size_t i = 0; i < count && !err; i++) {
        for (int m = 0; m < TS_MEASURAND_COUNT; m++)
            runs[i * TS_MEASURAND_COUNT + (size_t)m] = run_at(entries, i, m, values);
    }
    if (!err && json)
        put_chart_json(entries, count, runs, out);
    else if (!err && count)
        put_chart_text(entries, count, runs, out);
    else if (!err)
        ts_out_printf(out, "%s: no checks yet; every `touchstone run --rig %s` adds two\n", rig_dir,
                      rig_dir);
    free(runs);
    free(values);
    free(entries);
    return err;
}

/* ---- certificates side by side ---- */

struct certificates {
    struct ts_certificate *each; /* owned */
    double *values;              /* owned, TS_CERTIFICATE_SCENES_MOST for each */
    struct ts_group *groups;     /* owned */
    int count;
};

static void collect(const struct certificates *all, enum ts_measurand measurand)
{
    for (int i = 0; i < all->count; i++) {
        const struct ts_certificate *certificate = &all->each[i];
        double *values = all->values + (size_t)i * TS_CERTIFICATE_SCENES_MOST;
        size_t n = 0;
        for (int s = 0; s < certificate->scene_count; s++) {
            const struct ts_scene_pair *pair = &certificate->scenes[s];
            const struct ts_display_share share =
                ts_display_share(measurand, pair->kind, pair->refresh_ms, certificate->response_ms);
            const double error = pair->difference_ms[measurand] - share.middle_ms;
            if (TS_CONTROL_KIND(pair->kind) && pair->usable && fabs(error) <= TS_GROSS_MS)
                values[n++] = error;
        }
        all->groups[i] = (struct ts_group){values, n};
    }
}

static void put_test_json(struct ts_json_out *json, const char *name,
                          const struct ts_group_test *test, char **dirs)
{
    ts_json_open(json, name, '{');
    ts_json_text(json, "group", dirs[test->group]);
    ts_json_number(json, "statistic", test->statistic);
    ts_json_number(json, "critical_5_percent", test->critical_5);
    ts_json_number(json, "critical_1_percent", test->critical_1);
    ts_json_text(json, "outlying", ts_outlying_names[test->outlying]);
    ts_json_close(json, '}');
}

static void put_json(struct ts_json_out *json, const char *name,
                     const struct ts_repeatability *found, char **dirs)
{
    ts_json_open(json, name, '{');
    ts_json_integer(json, "groups", (int64_t)found->groups);
    ts_json_integer(json, "values", (int64_t)found->values);
    ts_json_number(json, "mean_ms", found->mean);
    ts_json_number(json, "s_r_ms", found->s_r);
    ts_json_number(json, "s_L_ms", found->s_L);
    ts_json_number(json, "s_R_ms", found->s_R);
    ts_json_number(json, "r_ms", found->r);
    ts_json_number(json, "R_ms", found->R);
    put_test_json(json, "cochran", &found->cochran, dirs);
    put_test_json(json, "grubbs", &found->grubbs, dirs);
    ts_json_close(json, '}');
}

static void put_test(const char *name, const struct ts_group_test *test, char **dirs,
                     struct ts_out *out)
{
    if (!isfinite(test->critical_5)) {
        ts_out_printf(out, "  %s: too few groups to say\n", name);
        return;
    }
    ts_out_printf(out, "  %s: %.3f (5 %%: %.3f, 1 %%: %.3f)%s%s%s%s\n", name, test->statistic,
                  test->critical_5, test->critical_1, test->outlying ? ", " : "",
                  test->outlying ? dirs[test->group] : "", test->outlying ? " is a" : "",
                  test->outlying == TS_OUTLYING_OUTLIER     ? "n outlier"
                  : test->outlying == TS_OUTLYING_STRAGGLER ? " straggler"
                                                            : "");
}

static void put_text(const char *name, const struct ts_repeatability *found, char **dirs,
                     struct ts_out *out)
{
    ts_out_printf(out, "%s, %zu scenes over %zu groups, ms\n", name, found->values, found->groups);
    ts_out_printf(out, "  mean error %+.3f\n", found->mean);
    ts_out_printf(out, "  repeatability   s_r = %.3f, r = %.3f\n", found->s_r, found->r);
    ts_out_printf(out, "  between groups  s_L = %.3f\n", found->s_L);
    ts_out_printf(out, "  reproducibility s_R = %.3f, R = %.3f\n", found->s_R, found->R);
    put_test("Cochran, spread of one group", &found->cochran, dirs, out);
    put_test("Grubbs, mean of one group", &found->grubbs, dirs, out);
}

static int compare(struct certificates *all, char **dirs, bool as_json, struct ts_out *out,
                   struct ts_why *why)
{
    struct ts_json_out json = {.buf = &out->text, .broken_depth = 2};
    if (as_json)
        ts_json_open(&json, NULL, '{');
    for (int m = 0; m < TS_MEASURAND_COUNT; m++) {
        struct ts_repeatability found;
        struct ts_why reason = {""};
        collect(all, (enum ts_measurand)m);
        const int err = ts_repeatability(all->groups, (size_t)all->count, &found, &reason);
        if (err)
            return ts_fail(why, TS_EPROTO, "%s: %s", ts_measurand_names[m], reason.text);
        if (as_json)
            put_json(&json, ts_measurand_names[m], &found, dirs);
        else
            put_text(ts_measurand_names[m], &found, dirs, out);
    }
    if (as_json) {
        ts_json_close(&json, '}');
        end_json(&json, out);
    }
    return TS_OK;
}

int ts_verify_repeatability(char **rig_dirs, int count, bool json, struct ts_out *out,
                            struct ts_why *why)
{
    const size_t n = (size_t)count;
    struct certificates all = {.each = calloc(n, sizeof *all.each),
                               .values = calloc(n * TS_CERTIFICATE_SCENES_MOST, sizeof *all.values),
                               .groups = calloc(n, sizeof *all.groups),
                               .count = count};
    int err =
        all.each && all.values && all.groups ? TS_OK : ts_fail(why, TS_ENOMEM, "out of memory");
    for (int i = 0; i < count && !err; i++) {
        err = ts_certificate_load(rig_dirs[i], &all.each[i], why);
        if (err == TS_EOF)
            err = TS_EPROTO;
    }
    if (!err)
        err = compare(&all, rig_dirs, json, out, why);
    free(all.each);
    free(all.values);
    free(all.groups);
    return err;
}
