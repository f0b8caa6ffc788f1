/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/session_json.h"

#include "store/json_in.h"
#include "store/json_out.h"
#include "store/names.h"

#include <stdlib.h>

/* One row a member of struct ts_care: member, of `enum ts_MEMBER`, and its names. */
#define CARE_NAMES(X)                                                                              \
    X(profile, ts_profile_names)                                                                   \
    X(launch_from, ts_launch_from_names)                                                           \
    X(cold_by, ts_cold_by_names)                                                                   \
    X(warm_by, ts_warm_by_names)                                                                   \
    X(compile, ts_compile_names)                                                                   \
    X(animations, ts_animations_names)                                                             \
    X(network, ts_network_names)
#define CARE_INTEGERS(X) X(brightness) X(charge_low) X(charge_high) X(guard_tries) X(repeats)
#define CARE_TEXTS(X)    X(before_campaign) X(before_launch)

static void put_care(struct ts_json_out *out, const struct ts_care *care)
{
    ts_json_open(out, "care", '{');
    ts_json_boolean(out, "setup", care->setup);
#define PUT_NAME(member, names) ts_json_text(out, #member, (names)[care->member]);
#define PUT_INTEGER(member)     ts_json_integer(out, #member, care->member);
#define PUT_TEXT(member)        ts_json_text_or_null(out, #member, care->member ? care->member : "");
    CARE_NAMES(PUT_NAME)
    CARE_INTEGERS(PUT_INTEGER)
    ts_json_number(out, "too_hot_c", care->too_hot_c);
    CARE_TEXTS(PUT_TEXT)
    ts_json_close(out, '}');
}

static void put_plan(struct ts_json_out *out, const struct ts_plan *plan)
{
    ts_json_open(out, "plan", '{');
    ts_json_text(out, "name", plan->name ? plan->name : "");
    ts_json_open(out, "apps", '[');
    for (size_t i = 0; i < plan->app_count; i++) {
        ts_json_open(out, NULL, '{');
        ts_json_text(out, "name", plan->apps[i].name);
        ts_json_text(out, "component", plan->apps[i].component);
        if (plan->apps[i].build)
            ts_json_text(out, "build", plan->apps[i].build);
        if (plan->apps[i].apk)
            ts_json_text(out, "apk", plan->apps[i].apk);
        ts_json_close(out, '}');
    }
    ts_json_close(out, ']');
    ts_json_integer(out, "launches", plan->launches);
    ts_json_integer(out, "warm_up", plan->warm_up);
    ts_json_integer(out, "block", plan->block);
    ts_json_text(out, "reinstall", ts_reinstall_names[plan->reinstall]);
    if (plan->stop && *plan->stop)
        ts_json_text(out, "stop", plan->stop);
    ts_json_text(out, "start", ts_start_type_name(plan->start));
    ts_json_text(out, "order", ts_order_names[plan->order]);
    ts_json_text(out, "keep_video", ts_keep_video_names[plan->keep_video]);
    ts_json_integer(out, "plate_taps", plan->plate_taps);
    ts_json_integer(out, "camera_edges", plan->camera_edges);
    ts_json_integer(out, "clock_s", plan->clock_s);
    ts_json_integer(out, "scenes", plan->scenes);
    ts_json_integer(out, "touches", plan->touches);
    ts_json_integer(out, "mcu_noise", plan->mcu_noise);
    if (plan->meter_load)
        ts_json_integer(out, "meter_load", 1);
    ts_json_integer(out, "observers", plan->observers);
    ts_json_integer(out, "events", plan->events);
    if (plan->meters) {
        ts_json_integer(out, "meters", plan->meters);
        ts_json_number(out, "shunt_mohm", plan->shunt_mohm);
        ts_json_number(out, "shunt_percent", plan->shunt_percent);
    }
    if (plan->polling)
        ts_json_integer(out, "polling", plan->polling);
    ts_json_number(out, "quiet_ms", plan->quiet_ms);
    ts_json_number(out, "timeout_ms", plan->timeout_ms);
    put_care(out, &plan->care);
    ts_json_text(out, "phone", plan->phone ? plan->phone : "");
    ts_json_text(out, "bench_options", plan->bench_options ? plan->bench_options : "");
    ts_json_close(out, '}');
}

#define CAMERA(X) X(width_px) X(height_px) X(blocks_x) X(blocks_y)

int ts_session_print(const struct ts_session_info *info, const struct ts_plan *plan,
                     const char *plan_text, struct ts_buf *buf)
{
    struct ts_json_out out = {.buf = buf, .broken_depth = 3};
    ts_json_open(&out, NULL, '{');
    ts_json_integer(&out, "format", TS_SESSION_FORMAT);
    ts_json_text(&out, "touchstone", info->touchstone);
    ts_json_text(&out, "detector", info->detector);
    ts_json_text(&out, "bench", info->bench);
    ts_json_seed(&out, "seed", info->seed);
    ts_json_open(&out, "camera", '{');
#define PUT(member) ts_json_integer(&out, #member, info->camera.member);
    CAMERA(PUT)
#undef PUT
    ts_json_integer(&out, "nominal_period_ns", info->camera.nominal_period_ns);
    ts_json_close(&out, '}');
    put_plan(&out, plan);
    ts_json_text_or_null(&out, "plan_text", plan_text ? plan_text : "");
    ts_json_close(&out, '}');
    if (!out.err)
        out.err = ts_buf_append(buf, "\n", 1);
    return out.err;
}

static void read_apps(struct ts_json_in *in, struct ts_plan *plan)
{
    const json_t *apps = ts_json_in_array(in, "apps", 0, TS_PLAN_APPS_MAX);
    if (!apps)
        return;
    const size_t count = json_array_size(apps);
    if (!count)
        return; /* a plan for the instrument alone */
    plan->apps = calloc(count, sizeof *plan->apps);
    if (!plan->apps) {
        in->err = ts_fail(in->why, TS_ENOMEM, "out of memory");
        return;
    }
    plan->app_count = count;
    for (size_t i = 0; i < count; i++) {
        struct ts_json_in app = {json_array_get(apps, i), "apps", in->why, in->err};
        plan->apps[i].name = ts_json_in_text_new(&app, "name");
        plan->apps[i].component = ts_json_in_text_new(&app, "component");
        if (ts_json_in_has(&app, "build"))
            plan->apps[i].build = ts_json_in_text_new(&app, "build");
        if (ts_json_in_has(&app, "apk"))
            plan->apps[i].apk = ts_json_in_text_new(&app, "apk");
        ts_json_in_leave(in, &app);
    }
}

/* Sessions of before there was care had none. */
static void read_care(struct ts_json_in *outer, struct ts_care *care)
{
    ts_care_defaults(care);
    if (!ts_json_in_has(outer, "care"))
        return;
    struct ts_json_in in = ts_json_in_enter(outer, "care");
    care->setup = ts_json_in_boolean(&in, "setup");
#define READ_NAME(member, names)                                                                   \
    care->member = (enum ts_##member)ts_json_in_name(&in, #member, names);
#define READ_INTEGER(member)                                                                       \
    care->member = (int)ts_json_in_integer(&in, #member, INT32_MIN, INT32_MAX);
#define READ_TEXT(member) care->member = ts_json_in_text_new(&in, #member);
    CARE_NAMES(READ_NAME)
    CARE_INTEGERS(READ_INTEGER)
    care->too_hot_c = ts_json_in_number(&in, "too_hot_c");
    CARE_TEXTS(READ_TEXT)
    ts_json_in_leave(outer, &in);
}

/* Only sessions that measure more than time have them. */
static void read_meters(struct ts_json_in *in, struct ts_plan *plan)
{
    struct ts_plan defaults;
    ts_plan_defaults(&defaults);
    plan->meters = (unsigned)ts_json_in_integer_or(in, "meters", 0, INT32_MAX, 0);
    plan->shunt_mohm = defaults.shunt_mohm;
    plan->shunt_percent = defaults.shunt_percent;
    if (!plan->meters)
        return;
    plan->shunt_mohm = ts_json_in_number(in, "shunt_mohm");
    plan->shunt_percent = ts_json_in_number(in, "shunt_percent");
}

static void read_plan(struct ts_json_in *outer, struct ts_plan *plan)
{
    struct ts_json_in in = ts_json_in_enter(outer, "plan");
    plan->name = ts_json_in_text_new(&in, "name");
    read_apps(&in, plan);
    plan->launches = (int)ts_json_in_integer(&in, "launches", 0, INT32_MAX);
    plan->warm_up = (int)ts_json_in_integer(&in, "warm_up", 0, INT32_MAX);
    plan->block = ts_json_in_integer_or(&in, "block", 0, INT32_MAX, 0);
    if (ts_json_in_has(&in, "reinstall"))
        plan->reinstall = (enum ts_reinstall)ts_json_in_name(&in, "reinstall", ts_reinstall_names);
    if (ts_json_in_has(&in, "stop"))
        plan->stop = ts_json_in_text_new(&in, "stop");
    plan->start = (enum ts_start_type)ts_json_in_name(&in, "start", ts_start_type_names);
    plan->order = (enum ts_order)ts_json_in_name(&in, "order", ts_order_names);
    plan->keep_video = (enum ts_keep_video)ts_json_in_name(&in, "keep_video", ts_keep_video_names);
    plan->plate_taps = (int)ts_json_in_integer(&in, "plate_taps", 0, INT32_MAX);
    plan->camera_edges = ts_json_in_integer_or(&in, "camera_edges", 0, INT32_MAX, 110);
    plan->clock_s = ts_json_in_integer_or(&in, "clock_s", 0, INT32_MAX, 0);
    plan->scenes = ts_json_in_integer_or(&in, "scenes", 0, INT32_MAX, 0);
    plan->touches = ts_json_in_integer_or(&in, "touches", 0, INT32_MAX, 0);
    plan->mcu_noise = ts_json_in_integer_or(&in, "mcu_noise", 0, INT32_MAX, 0);
    plan->meter_load = ts_json_in_integer_or(&in, "meter_load", 0, 1, 0);
    plan->observers = (unsigned)ts_json_in_integer_or(&in, "observers", 0, INT32_MAX, 0);
    plan->events = ts_json_in_integer_or(&in, "events", 0, 1, 0);
    read_meters(&in, plan);
    plan->polling = ts_json_in_integer_or(&in, "polling", 0, 1, 0);
    plan->quiet_ms = ts_json_in_number(&in, "quiet_ms");
    plan->timeout_ms = ts_json_in_number(&in, "timeout_ms");
    read_care(&in, &plan->care);
    plan->phone = ts_json_in_text_new(&in, "phone");
    plan->bench_options = ts_json_in_text_new(&in, "bench_options");
    ts_json_in_leave(outer, &in);
}

static void read_camera(struct ts_json_in *outer, struct ts_camera_geometry *camera)
{
    struct ts_json_in in = ts_json_in_enter(outer, "camera");
#define READ(member) camera->member = (int)ts_json_in_integer(&in, #member, 1, 1 << 16);
    CAMERA(READ)
#undef READ
    camera->nominal_period_ns = ts_json_in_integer(&in, "nominal_period_ns", 0, INT64_MAX);
    ts_json_in_leave(outer, &in);
}

int ts_session_parse(const char *text, size_t size, struct ts_session_info *info,
                     struct ts_plan *plan, struct ts_why *why)
{
    json_t *root;
    *info = (struct ts_session_info){0};
    *plan = (struct ts_plan){0};
    const int err = ts_json_in_parse(text, size, "session.json", &root, why);
    if (err)
        return err;
    struct ts_json_in in = {root, "session.json", why, TS_OK};
    const int64_t format = ts_json_in_integer(&in, "format", 1, INT32_MAX);
    if (!in.err && format > TS_SESSION_FORMAT)
        in.err = ts_fail(why, TS_ENOTSUP,
                         "session.json: format %d is of a later version of this program; update it",
                         (int)format);
    ts_json_in_text(&in, "touchstone", info->touchstone, sizeof info->touchstone);
    ts_json_in_text(&in, "detector", info->detector, sizeof info->detector);
    ts_json_in_text(&in, "bench", info->bench, sizeof info->bench);
    info->seed = ts_json_in_seed(&in, "seed");
    read_camera(&in, &info->camera);
    read_plan(&in, plan);
    json_decref(root);
    if (!in.err && ts_plan_check(plan, why))
        in.err = TS_EPROTO;
    if (in.err)
        ts_plan_free(plan);
    return in.err;
}
