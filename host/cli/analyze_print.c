/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/analyze_print.h"

#include <stdio.h>

/* All metrics, in the order in which they are told. */
static const struct {
    const char *key, *text;
    size_t at;
    bool always; /* said even when there is none */
} metrics[] = {
#define METRIC(key, text, member, always)                                                          \
    {                                                                                              \
        key, text, offsetof(struct ts_vision_changes, member), always                              \
    }
    METRIC("first_visual_change", "first visual change", first, true),
    METRIC("splash", "splash", splash, false),
    METRIC("first_app_frame", "first app frame", first_app_frame, false),
    METRIC("main_content", "main content", main_content, false),
    METRIC("visually_complete_85", "visually complete 85", visually_complete_85, false),
    METRIC("speed_index", "speed index", speed_index, false),
    METRIC("last_visual_change", "last visual change", last, true),
    METRIC("settled", "settled", settled, true),
#undef METRIC
};
#define METRIC_COUNT (sizeof metrics / sizeof *metrics)

static const struct ts_metric *metric(const struct ts_analyze_result *result, size_t i)
{
    return (const void *)((const char *)&result->changes + metrics[i].at);
}

static const char *detector(enum ts_rule rule)
{
    return rule == TS_RULE_LITERAL ? TS_LITERAL_VERSION : TS_DETECTOR_VERSION;
}

static json_t *number_or_null(double value)
{
    return isfinite(value) ? json_real(round(value * 1000) / 1000) : json_null();
}

static json_t *episodes_json(const struct ts_vision_changes *changes)
{
    json_t *list = json_array();
    for (size_t i = 0; i < changes->episode_count; i++) {
        const struct ts_vision_episode *e = &changes->episodes[i];
        json_t *episode = json_object();
        json_object_set_new(episode, "begin_ms", number_or_null(e->begin_ms));
        json_object_set_new(episode, "end_ms", number_or_null(e->end_ms));
        json_object_set_new(episode, "share", number_or_null(e->share));
        json_object_set_new(episode, "gain", number_or_null(e->gain));
        json_object_set_new(episode, "endless", json_boolean(e->endless));
        json_object_set_new(episode, "box",
                            json_pack("[iiii]", e->x0 * TS_BLOCK_PX, e->y0 * TS_BLOCK_PX,
                                      (e->x1 + 1) * TS_BLOCK_PX, (e->y1 + 1) * TS_BLOCK_PX));
        json_array_append_new(list, episode);
    }
    return list;
}

static json_t *progress_json(const struct ts_vision_changes *changes)
{
    json_t *list = json_array();
    for (size_t i = 0; i < changes->progress_count; i++) {
        json_t *point = json_array();
        json_array_append_new(point, number_or_null(changes->progress[i].ms));
        json_array_append_new(point, number_or_null(changes->progress[i].share));
        json_array_append_new(list, point);
    }
    return list;
}

static json_t *screen_json(const struct ts_analyze_result *result)
{
    json_t *list = json_array();
    for (int i = 0; i < 4; i++)
        json_array_append_new(list, json_pack("[oo]", number_or_null(result->screen_px[i][0]),
                                              number_or_null(result->screen_px[i][1])));
    return list;
}

json_t *ts_analyze_json(const struct ts_analyze_options *options,
                        const struct ts_analyze_result *result, bool with_progress)
{
    const struct ts_result verdict = {.flags = result->changes.flags};
    json_t *object = json_object(), *flags = json_array();
    for (size_t i = 0; i < METRIC_COUNT; i++) {
        const struct ts_metric *m = metric(result, i);
        char key[64];
        snprintf(key, sizeof key, "%s_ms", metrics[i].key);
        json_object_set_new(object, key, number_or_null(m->value));
        snprintf(key, sizeof key, "%s_u_ms", metrics[i].key);
        json_object_set_new(object, key, number_or_null(isnan(m->value) ? NAN : m->u));
    }
    json_object_set_new(object, "endless_blocks",
                        json_integer((json_int_t)result->changes.endless_blocks));
    json_object_set_new(object, "episodes", episodes_json(&result->changes));
    if (with_progress)
        json_object_set_new(object, "progress", progress_json(&result->changes));
    json_object_set_new(object, "frames", json_integer((json_int_t)result->frames));
    json_object_set_new(object, "dropped", json_integer((json_int_t)result->dropped));
    json_object_set_new(object, "frame_period_ms", json_real(result->frame_period_ms));
    if (result->screen_known)
        json_object_set_new(object, "screen_px", screen_json(result));
    json_object_set_new(object, "rule", json_string(ts_rule_name(options->rule)));
    json_object_set_new(object, "detector_version", json_string(detector(options->rule)));
    json_object_set_new(object, "verdict", json_string(ts_result_verdict(&verdict)));
    for (int flag = 0; flag < TS_FLAG_COUNT; flag++) {
        if (verdict.flags >> flag & 1u)
            json_array_append_new(flags, json_string(ts_flag_name((enum ts_flag)flag)));
    }
    json_object_set_new(object, "flags", flags);
    json_object_set_new(object, "usable", json_boolean(ts_result_usable(&verdict)));
    return object;
}

static void print_metric(const char *name, const struct ts_metric *m)
{
    if (isnan(m->value))
        printf("%-20s none\n", name);
    else
        printf("%-20s %9.1f ms   u %.1f ms\n", name, m->value, m->u);
}

void ts_analyze_print(const struct ts_analyze_options *options,
                      const struct ts_analyze_result *result, bool with_progress)
{
    const struct ts_vision_changes *changes = &result->changes;
    const struct ts_result verdict = {.flags = changes->flags};
    for (size_t i = 0; i < METRIC_COUNT; i++) {
        if (metrics[i].always || !isnan(metric(result, i)->value))
            print_metric(metrics[i].text, metric(result, i));
    }
    for (size_t i = 0; with_progress && i < changes->progress_count; i++)
        printf("%-20s %9.1f ms   %5.1f %%\n", "progress", changes->progress[i].ms,
               100 * changes->progress[i].share);
    printf("%-20s %zu, one every %.3f ms, %zu lost\n", "frames", result->frames,
           result->frame_period_ms, result->dropped);
    const double(*px)[2] = result->screen_px;
    if (result->screen_known)
        printf("%-20s %.0f,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f\n", "screen", px[0][0], px[0][1],
               px[1][0], px[1][1], px[2][0], px[2][1], px[3][0], px[3][1]);
    printf("%-20s %s (%s)\n", "rule", ts_rule_name(options->rule), detector(options->rule));
    printf("%-20s %s\n", "verdict", ts_result_verdict(&verdict));
    for (int flag = 0; flag < TS_FLAG_COUNT; flag++) {
        if (verdict.flags >> flag & 1u)
            printf("%-20s %s\n", "flag", ts_flag_name((enum ts_flag)flag));
    }
}
