/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/ready_file.h"

#include "store/files.h"
#include "store/json_in.h"
#include "store/json_out.h"

#include <math.h>

#define SIZE_MOST ((size_t)1 << 16)

static const char *const sides[] = {"x0", "y0", "x1", "y1"};

int ts_ready_print(const struct ts_ready_file *file, struct ts_buf *buf)
{
    struct ts_json_out out = {.buf = buf, .broken_depth = 1};
    const struct ts_ready_rule *rule = &file->rule;
    const struct ts_ready_region *region = &rule->region;
    const double corners[] = {region->x0, region->y0, region->x1, region->y1};
    char words[TS_READY_WORDS];
    ts_ready_describe(rule, words);
    ts_json_open(&out, NULL, '{');
    ts_json_text(&out, "app", file->app);
    ts_json_text(&out, "ready", words);
    ts_json_open(&out, "rule", '{');
    ts_json_text(&out, "kind", ts_ready_kind_names[rule->kind]);
    if (rule->kind == TS_READY_FROM_FIRST || rule->kind == TS_READY_FROM_LAST)
        ts_json_integer(&out, "nth", rule->nth);
    if (rule->kind == TS_READY_PROGRESS || rule->kind == TS_READY_COVER)
        ts_json_number(&out, "share", rule->share);
    for (int i = 0; i < 4 && rule->kind == TS_READY_REGION; i++)
        ts_json_number(&out, sides[i], corners[i]);
    ts_json_close(&out, '}');
    ts_json_integer(&out, "learned_from", rule->launches);
    ts_json_number(&out, "leave_one_out_ms", round(rule->error_ms * 1000) / 1000);
    ts_json_text(&out, "detector_version", file->detector);
    ts_json_close(&out, '}');
    if (!out.err)
        out.err = ts_buf_append(buf, "\n", 1);
    return out.err;
}

/* "ready", the words, is for people: what counts is the rule. */
int ts_ready_parse(const char *text, size_t size, struct ts_ready_file *out, struct ts_why *why)
{
    json_t *root;
    *out = (struct ts_ready_file){.app = ""};
    const int err = ts_json_in_parse(text, size, "ready rule", &root, why);
    if (err)
        return err;
    struct ts_json_in in = {root, "ready rule", why, TS_OK};
    struct ts_ready_rule *rule = &out->rule;
    ts_json_in_text(&in, "app", out->app, sizeof out->app);
    ts_json_in_text(&in, "detector_version", out->detector, sizeof out->detector);
    rule->launches = (int)ts_json_in_integer(&in, "learned_from", 0, INT32_MAX);
    rule->error_ms = ts_json_in_number(&in, "leave_one_out_ms");
    struct ts_json_in inner = ts_json_in_enter(&in, "rule");
    rule->kind = (enum ts_ready_kind)ts_json_in_name(&inner, "kind", ts_ready_kind_names);
    rule->nth = ts_json_in_integer_or(&inner, "nth", 1, TS_EPISODES_MOST, 0);
    rule->share = ts_json_in_number(&inner, "share");
    rule->region = (struct ts_ready_region){
        ts_json_in_number(&inner, sides[0]), ts_json_in_number(&inner, sides[1]),
        ts_json_in_number(&inner, sides[2]), ts_json_in_number(&inner, sides[3])};
    ts_json_in_leave(&in, &inner);
    json_decref(root);
    if (!in.err && ts_ready_check(rule))
        return ts_fail(why, TS_EPROTO,
                       "ready rule: a rule of kind \"%s\" lacks a number or has a "
                       "wrong one",
                       ts_ready_kind_names[rule->kind]);
    return in.err;
}

int ts_ready_load(const char *path, struct ts_ready_file *out, struct ts_why *why)
{
    struct ts_buf bytes = {0};
    struct ts_why what = {""};
    int err = ts_file_read(path, SIZE_MOST, &bytes, why);
    if (err)
        return err;
    err = ts_ready_parse((const char *)bytes.data, bytes.size - 1, out, &what);
    if (err)
        ts_fail(why, err, "%s: %s", path, what.text);
    ts_buf_free(&bytes);
    return err;
}

int ts_ready_save(const char *path, const struct ts_ready_file *file, struct ts_why *why)
{
    struct ts_buf bytes = {0};
    int err = ts_ready_print(file, &bytes);
    if (err)
        ts_fail(why, err, "%s: %s", path, ts_err_text(err));
    else
        err = ts_file_write(path, &bytes, why);
    ts_buf_free(&bytes);
    return err;
}
