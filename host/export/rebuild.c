/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/rebuild.h"

#include "export/tables.h"
#include "export/trace.h"
#include "report/html.h"
#include "store/ingest.h"

#include <stdio.h>

static void put_report(const struct ts_report_data *data, struct ts_out *out)
{
    const int err = ts_report_page(data, NULL, true, out);
    if (!out->err)
        out->err = err;
}

static const struct {
    const char *name;
    void (*put)(const struct ts_report_data *data, struct ts_out *out);
} tables[] = {
    {"launches.csv", ts_export_csv}, {"launches.jsonl", ts_export_jsonl},
    {"junit.xml", ts_export_junit},  {"benchmarkData.json", ts_export_benchmark_data},
    {"report.html", put_report},
};

static int rebuild_trace(const struct ts_session *session, int launch, ts_rebuild_taker *take,
                         void *context, struct ts_why *why)
{
    struct ts_story story;
    struct ts_buf bytes = {0};
    char name[60];
    int err = ts_story_load(session, launch, true, &story, why);
    if (err)
        return err;
    snprintf(name, sizeof name, "traces/launch-%04d.perfetto-trace", launch);
    err = ts_trace_print(&story, &bytes);
    if (!err)
        err = take(context, name, &bytes, why);
    ts_story_free(&story);
    ts_buf_free(&bytes);
    return err;
}

int ts_rebuild(const char *session_dir, ts_rebuild_taker *take, void *context, struct ts_why *why)
{
    struct ts_report_data data;
    struct ts_ingest_identity identity;
    int err = ts_report_data_load(session_dir, &data, why);
    if (err)
        return err;
    if (data.count)
        err = ts_ingest_identify(data.session, &identity, why);
    data.identity = data.count ? &identity : NULL;
    for (size_t i = 0; i < sizeof tables / sizeof *tables && !err; i++) {
        struct ts_out out = {0};
        tables[i].put(&data, &out);
        err = out.err ? out.err : take(context, tables[i].name, &out.text, why);
        ts_buf_free(&out.text);
    }
    for (size_t i = 0; i < data.count && !err; i++)
        err = rebuild_trace(data.session, (int)i + 1, take, context, why);
    ts_report_data_free(&data);
    return err;
}
