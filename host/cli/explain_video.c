/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/explain_parts.h"

#include "footage/pair.h"
#include "report/summary.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct side {
    struct ts_report_data data;
    struct ts_footage *footage;
    char name[160];
};

/* Of the launches that count and whose video was kept the one nearest to the app's median; 0: there
 * is none. An app that started in several ways: the first of them. */
static int typical(const struct side *side, const struct ts_summary *summary, const char *app)
{
    int best = 0;
    double nearest = INFINITY;
    for (size_t i = 0; i < side->data.count; i++) {
        const struct ts_launch *launch = &side->data.launches[i];
        const struct ts_app_summary *row = &summary->apps[summary->row_of[i]];
        const double off = fabs(launch->result.settled.value - row->settled.median);
        if (strcmp(row->app, app) == 0 && ts_launch_counts(launch) && off < nearest &&
            ts_footage_kept(side->data.session, launch->result.launch)) {
            nearest = off;
            best = launch->result.launch;
        }
    }
    return best;
}

/* The numbers of a launch of each side; TS_EINVAL: no app has one on both. */
static int choose(const struct side sides[2], const char *app, int launches[2], struct ts_why *why)
{
    struct ts_summary summaries[2];
    int err = ts_summarize(&sides[0].data, &summaries[0]);
    if (err)
        return err;
    err = ts_summarize(&sides[1].data, &summaries[1]);
    if (err) {
        ts_summary_free(&summaries[0]);
        return err;
    }
    bool found = false;
    const struct ts_plan *plan = sides[0].data.plan;
    for (size_t i = 0; i < plan->app_count && !found; i++) {
        const char *name = plan->apps[i].name;
        if (app && strcmp(app, name) != 0)
            continue;
        int chosen[2];
        for (int side = 0; side < 2; side++)
            chosen[side] =
                launches[side] ? launches[side] : typical(&sides[side], &summaries[side], name);
        found = chosen[0] && chosen[1];
        if (found)
            memcpy(launches, chosen, sizeof chosen);
    }
    ts_summary_free(&summaries[0]);
    ts_summary_free(&summaries[1]);
    if (found)
        return TS_OK;
    return ts_fail(why, TS_EINVAL,
                   "no launch that counts of %s%.100s%s has a video on both sides; the plan's "
                   "keep_video says which are kept",
                   app ? "\"" : "any app", app ? app : "", app ? "\"" : "");
}

static int open_side(struct side *side, const char *dir, int launch, struct ts_why *why)
{
    const size_t count = side->data.count;
    if ((size_t)launch > count)
        return ts_fail(why, TS_EINVAL, "%.200s has launches 1 to %zu, there is no launch %d", dir,
                       count, launch);
    const char *last = strrchr(dir, '/');
    snprintf(side->name, sizeof side->name, "%.60s, %.40s %d",
             side->data.launches[launch - 1].result.app, last && last[1] ? last + 1 : dir, launch);
    const int err = ts_footage_open(side->data.session, launch, &side->footage, why);
    return err == TS_EOF ? TS_EINVAL : err; /* *why tells */
}

int ts_explain_video(const char *const dirs[2], const int launches[2], const char *app,
                     const char *file, int slow, struct ts_out *out, struct ts_why *why)
{
    static struct side sides[2];
    int chosen[2] = {launches[0], launches[1]}, err = TS_OK;
    for (int i = 0; i < 2 && !err; i++)
        err = ts_report_data_load(dirs[i], &sides[i].data, why);
    if (!err && (!chosen[0] || !chosen[1]))
        err = choose(sides, app, chosen, why);
    for (int i = 0; i < 2 && !err; i++)
        err = open_side(&sides[i], dirs[i], chosen[i], why);
    if (!err) {
        const struct ts_pair pair = {
            {sides[0].footage, sides[1].footage}, {sides[0].name, sides[1].name}, slow};
        err = ts_pair_write(&pair, file, why);
    }
    if (!err) {
        ts_out_put(out, file);
        ts_out_printf(out, ": launch %d beside launch %d, %d times slower\n", chosen[0], chosen[1],
                      slow);
    }
    for (int i = 0; i < 2; i++) {
        ts_footage_close(sides[i].footage);
        ts_report_data_free(&sides[i].data);
    }
    return err;
}
