/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "android/polling.h"
#include "estimators/dictionary.h"
#include "estimators/emit_parts.h"

#include <stdlib.h>
#include <string.h>

enum { TYPE_CLICKED = 0x1, TYPE_WINDOW = 0x20, TYPE_CONTENT = 0x800 }; /* AccessibilityEvent */

static bool is_of_probe(const char *name, enum ts_probe probe)
{
    const struct ts_feature *feature = ts_feature_find(name);
    return feature && feature->probe == probe;
}

static bool needs(const struct ts_emit_columns *columns, const bool *used, enum ts_probe probe)
{
    for (size_t i = 0; i < columns->count; i++) {
        if (used[i] && is_of_probe(columns->names[i], probe))
            return true;
    }
    return false;
}

uint32_t ts_emit_event_mask(const struct ts_emit_columns *columns, const bool *used)
{
    uint32_t mask = 0;
    for (size_t i = 0; i < columns->count; i++) {
        if (!used[i] || !is_of_probe(columns->names[i], TS_PROBE_ACCESSIBILITY))
            continue;
        /* Click and window cut the launch out; what speaks of all events needs content too. */
        mask |= TYPE_CLICKED | TYPE_WINDOW;
        if (strncmp(columns->names[i], "window_", 7) != 0)
            mask |= TYPE_CONTENT;
    }
    return mask;
}

int ts_emit_script(const struct ts_emit_columns *columns, const bool *used, struct ts_buf *out)
{
    static const struct {
        const char *feature, *command;
    } probes[] = {
        {"running_before", "pidof \"$1\""},
        {"battery_percent", "dumpsys battery"},
        {"temperature_c", "dumpsys battery"},
        {"thermal_status", "dumpsys thermalservice"},
        {"refresh_hz", "dumpsys display"},
        {"brightness", "settings get system screen_brightness"},
    };
    int err = ts_buf_printf(out, "#!/bin/sh\n# What the estimator needs, and no more: %s PACKAGE\n",
                            "probes.sh");
    const char *last = "";
    for (size_t p = 0; p < sizeof probes / sizeof *probes && !err; p++) {
        for (size_t i = 0; i < columns->count && !err; i++) {
            if (!used[i] || strcmp(columns->names[i], probes[p].feature) != 0 ||
                strcmp(last, probes[p].command) == 0)
                continue;
            last = probes[p].command;
            err = ts_buf_printf(out, "adb shell %s\n", last);
        }
    }
    if (!err && needs(columns, used, TS_PROBE_APK))
        err = ts_buf_printf(out, "# pull it; `touchstone estimate apk` tells what is asked of it\n"
                                 "adb shell pm path \"$1\"\n");
    if (!err && needs(columns, used, TS_PROBE_POLLING))
        err = ts_buf_printf(out,
                            "# from before the tap until a second after it\n"
                            "adb shell 'while :; do %s; sleep 0.04; done'\n",
                            TS_POLLING_COMMAND);
    if (!err && ts_emit_event_mask(columns, used))
        err = ts_buf_printf(out, "# from before the tap until a second without events\n"
                                 "adb shell uiautomator events\n");
    return err;
}

/* A comment cannot end early by what people called their apps and phones. */
static int put_comment(struct ts_buf *out, const char *text)
{
    int err = TS_OK;
    for (; *text && !err; text++)
        err = ts_buf_append(out, *text == '*' || (unsigned char)*text < ' ' ? "_" : text, 1);
    return err;
}

int ts_emit_head(const struct ts_emit_columns *columns, const bool *used, struct ts_buf *out)
{
    int err = ts_buf_printf(out, "/* Estimates a launch time in ms. ");
    if (!err)
        err = put_comment(out, columns->about);
    if (!err)
        err = ts_buf_printf(out, "\n *\n * features:\n");
    for (size_t i = 0; i < columns->count && !err; i++) {
        const struct ts_feature *known = ts_feature_find(columns->names[i]);
        err = ts_buf_printf(out, " *   [%zu] ", i);
        if (!err)
            err = put_comment(out, columns->names[i]);
        if (!err)
            err = ts_buf_printf(out, "%s%s%s\n", known ? ": " : "", known ? known->what : "",
                                used[i] ? "" : " (not used)");
    }
    if (err)
        return err;
    return ts_buf_printf(out,
                         " */\n#define TOUCHSTONE_FEATURES %zu\n"
                         "/* accessibility event types that have to be watched */\n"
                         "#define TOUCHSTONE_EVENT_TYPES 0x%x\n\n"
                         "double touchstone_estimate(const double *features);\n\n",
                         columns->count, (unsigned)ts_emit_event_mask(columns, used));
}

static int put_polynomial(const struct ts_spore_model *model, struct ts_buf *out)
{
    int err = ts_buf_printf(out, "double touchstone_estimate(const double *features)\n{\n"
                                 "    double sum = 0, product;\n");
    for (size_t i = 0; i < model->count && !err; i++) {
        err = ts_buf_printf(out, "    product = %a;\n", model->coefficients[i]);
        for (int k = 0; k < TS_SPORE_DEGREE_MAX && model->terms[i].factor[k] >= 0 && !err; k++) {
            const size_t at = (size_t)model->terms[i].factor[k];
            err = ts_buf_printf(out, "    product *= (features[%zu] - %a) / %a;\n", at,
                                model->low[at], model->high[at] - model->low[at]);
        }
        if (!err)
            err = ts_buf_printf(out, "    sum += product;\n");
    }
    return err ? err
               : ts_buf_printf(out, "%s    return sum;\n}\n",
                               model->count > 1 ? "" : "    (void)features;\n");
}

int ts_emit_spore(const struct ts_spore_model *model, const struct ts_emit_columns *columns,
                  struct ts_buf *out, struct ts_why *why)
{
    if (columns->count != model->width)
        return ts_fail(why, TS_EINVAL, "%zu columns for a formula of %zu", columns->count,
                       model->width);
    bool *used = calloc(columns->count + 1, sizeof *used);
    if (!used)
        return ts_fail(why, TS_ENOMEM, "out of memory");
    for (size_t i = 0; i < columns->count; i++)
        used[i] = ts_spore_uses(model, i);
    int err = ts_emit_head(columns, used, out);
    if (!err)
        err = put_polynomial(model, out);
    free(used);
    return err ? ts_fail(why, TS_ENOMEM, "out of memory") : TS_OK;
}
