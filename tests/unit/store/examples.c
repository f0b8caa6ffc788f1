/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "examples.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const struct ts_camera_geometry example_camera = {320, 240, 64, 48, 8333333};

static const char *const texts[] = {
    "",
    "I/ActivityTaskManager: Displayed com.x/.Main: +1s23ms",
    "quote \" backslash \\ tab \t return \r bell \a del \x7f",
    "two\nlines",
    "gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80",
    "cut \xe2\x82",
    "latin1 \xfc \xff\xfe",
    "overlong \xc0\x80 surrogate \xed\xa0\x80",
};
#define TEXTS (sizeof texts / sizeof *texts)

static void copy(char *to, size_t size, const char *text)
{
    snprintf(to, size, "%s", text);
}

void example_plan(struct ts_plan *plan)
{
    ts_plan_defaults(plan);
    plan->name = strdup("night \"run\"");
    plan->phone = strdup("auto");
    plan->bench_options = strdup("faults=0.1,phone=slow");
    plan->apps = calloc(2, sizeof *plan->apps);
    plan->app_count = 2;
    plan->apps[0] = (struct ts_plan_app){.name = strdup("Mail (B)"),
                                         .component = strdup("com.mail/.Main"),
                                         .build = strdup("B"),
                                         .apk = strdup("out/mail b.apk")};
    plan->apps[1] = (struct ts_plan_app){.name = strdup("M\xc3\xbcsik"),
                                         .component = strdup("org.music/.ui.Start")};
    plan->block = 2;
    plan->reinstall = TS_REINSTALL_CLEAN;
    plan->launches = 5;
    plan->order = TS_ORDER_SHUFFLED;
    plan->keep_video = TS_VIDEO_NONE;
    plan->quiet_ms = 1000.5;
}

struct ts_session_info example_info(uint64_t seed)
{
    struct ts_session_info info = {.seed = seed, .camera = example_camera};
    copy(info.bench, sizeof info.bench, "sim");
    copy(info.touchstone, sizeof info.touchstone, "0.1.0");
    copy(info.detector, sizeof info.detector, "robust-1");
    return info;
}

/* Every third value is unknown. */
static double value(struct ts_rng *rng)
{
    return ts_rng_below(rng, 3) ? ts_rng_normal(rng) * 1234.5678 : (double)NAN;
}

static int level(struct ts_rng *rng)
{
    return (int)ts_rng_below(rng, 5) - 1;
}

static void conditions(struct ts_rng *rng, struct ts_conditions *out)
{
    copy(out->package_version, sizeof out->package_version, texts[ts_rng_below(rng, 2)]);
    copy(out->apk_hash, sizeof out->apk_hash, "00ff");
    copy(out->compiler_filter, sizeof out->compiler_filter, "speed-profile");
    copy(out->network, sizeof out->network, ts_rng_below(rng, 2) ? "wifi" : "");
    copy(out->observers, sizeof out->observers, "camera \xff");
    out->battery_percent = value(rng);
    out->temperature_c = value(rng);
    out->brightness = value(rng);
    out->refresh_before_hz = value(rng);
    out->refresh_after_hz = value(rng);
    out->cpu_mhz = value(rng);
    out->cpu_most_mhz = value(rng);
    for (int i = 0; i < 3; i++)
        out->animation_scale[i] = value(rng);
    out->thermal_status = level(rng);
    out->night_mode = level(rng);
    out->rotation = level(rng);
}

void example_intent(struct ts_rng *rng, int launch, struct ts_evidence_intent *out)
{
    *out = (struct ts_evidence_intent){.launch = launch};
    copy(out->app, sizeof out->app, texts[ts_rng_below(rng, TEXTS)]);
    copy(out->component, sizeof out->component, "com.mail/.Main");
    out->start = (enum ts_start_type)ts_rng_below(rng, 4);
    out->tap_sent.ns = (int64_t)ts_rng_next(rng);
    out->watch_ended.ns = (int64_t)ts_rng_next(rng);
    out->timed_out = ts_rng_below(rng, 2) != 0;
    out->app_uid = (int)ts_rng_below(rng, 20000);
    out->app_pid = (int)ts_rng_below(rng, 40000);
    conditions(rng, &out->conditions);
    ts_readings_unknown(&out->readings);
    out->metered = launch % 2;
    if (out->metered) {
        out->readings.before = (struct ts_meter_reading){NAN, 0, value(rng), NAN};
        out->readings.after = (struct ts_meter_reading){value(rng), 4660, value(rng), value(rng)};
    }
    copy(out->phone, sizeof out->phone, texts[ts_rng_below(rng, TEXTS)]);
    copy(out->focus_before, sizeof out->focus_before, texts[ts_rng_below(rng, TEXTS)]);
    copy(out->focus_after, sizeof out->focus_after, texts[ts_rng_below(rng, TEXTS)]);
}

static struct ts_instant instant(struct ts_rng *rng)
{
    return (struct ts_instant){(int64_t)(ts_rng_next(rng) >> 2), fabs(value(rng)) * 1000,
                               fabs(value(rng)) * 2000};
}

static struct ts_metric metric(struct ts_rng *rng)
{
    return (struct ts_metric){value(rng), fabs(value(rng)), fabs(value(rng))};
}

void example_result(struct ts_rng *rng, int launch, struct ts_result *out)
{
    *out = (struct ts_result){.launch = launch, .detector_version = "robust-1"};
    copy(out->app, sizeof out->app, texts[1 + ts_rng_below(rng, TEXTS - 1)]);
    out->start_type = (enum ts_start_type)ts_rng_below(rng, 4);
    out->flags = (uint32_t)ts_rng_next(rng) & (uint32_t)ts_rng_next(rng) &
                 (uint32_t)ts_rng_next(rng) & ((1u << TS_FLAG_COUNT) - 1);
    out->rule = (enum ts_rule)ts_rng_below(rng, 2);
    out->contact = instant(rng);
    out->pickup = instant(rng);
    out->lift = instant(rng);
#define DRAW_METRIC(name) out->name = metric(rng);
    TS_METRIC_LIST(DRAW_METRIC)
#undef DRAW_METRIC
    out->time_to_initial_display_ms = value(rng);
    out->time_to_full_display_ms = value(rng);
    copy(out->component, sizeof out->component, ts_rng_below(rng, 2) ? "com.mail/.Main" : "");
    conditions(rng, &out->conditions);
    ts_costs_unknown(&out->costs);
    if (launch % 2) {
        struct ts_costs *costs = &out->costs;
        costs->asked = 1 + ts_rng_below(rng, (1u << TS_METER_COUNT) - 1);
        costs->supply = (enum ts_supply)ts_rng_below(rng, 4);
#define DRAW_ENERGY(name) costs->name = metric(rng);
        TS_ENERGY_LIST(DRAW_ENERGY)
#undef DRAW_ENERGY
        costs->memory_kb = value(rng);
        costs->network_bytes = value(rng);
        costs->cpu_ms = value(rng);
    }
    out->progress_25_ms = value(rng);
    out->progress_50_ms = value(rng);
    out->frame_period_ms = value(rng);
    out->frames = (int)ts_rng_below(rng, 3000);
    out->dropped = (int)ts_rng_below(rng, 9);
}

void example_calibration(struct ts_rng *rng, struct ts_calibration *out)
{
    ts_calibration_nominal(out);
    out->plate_taps = 12;
    out->lift_delay_ms = ts_rng_normal(rng);
    out->camera_known = true;
    out->gamma = 1.0 / 3.0;
    for (int led = 0; led < TS_LED_COUNT; led++) {
        out->led[led] =
            (struct ts_led_view){.seen = true, .block_x = 1.1, .on = ts_rng_normal(rng)};
        for (int i = 0; i < 12; i++)
            out->led[led].blocks[i] = i < 4 + led * 8 ? i * 3 : -1;
    }
    out->screen_known = true;
    for (int i = 0; i < 8; i++)
        out->screen_px[i / 2][i % 2] = ts_rng_uniform(rng) * 320;
}

void example_item(struct ts_rng *rng, uint64_t sequence, struct ts_item *out)
{
    *out = (struct ts_item){.sequence = sequence, .arrival = {(int64_t)sequence * 1000003}};
    out->kind = (enum ts_item_kind)(TS_ITEM_MCU + ts_rng_below(rng, 5));
    switch (out->kind) {
    case TS_ITEM_MCU:
        out->u.mcu.type = (uint8_t)ts_rng_below(rng, 256);
        out->u.mcu.size = (uint8_t)ts_rng_below(rng, TS_MCU_BODY_MAX + 1);
        for (int i = 0; i < out->u.mcu.size; i++)
            out->u.mcu.body[i] = (uint8_t)ts_rng_below(rng, 256);
        out->u.mcu.boot_id = (uint32_t)ts_rng_next(rng);
        break;
    case TS_ITEM_LINE:
        out->u.line.stream = (enum ts_stream)(1 + ts_rng_below(rng, 2));
        out->u.line.text = texts[ts_rng_below(rng, TEXTS)];
        break;
    case TS_ITEM_CLOCK:
        out->u.clock.domain = (enum ts_clock_domain)(1 + ts_rng_below(rng, 3));
        out->u.clock.boot_id = (uint32_t)ts_rng_next(rng);
        out->u.clock.t1.ns = (int64_t)ts_rng_next(rng);
        out->u.clock.t2 = (int64_t)ts_rng_next(rng);
        out->u.clock.t3 = INT64_MIN;
        out->u.clock.t4.ns = INT64_MAX;
        break;
    case TS_ITEM_DONE:
        out->u.done.command = (uint32_t)ts_rng_next(rng);
        out->u.done.status = -(int)ts_rng_below(rng, 10);
        out->u.done.exit_code = (int)ts_rng_below(rng, 256) - 1;
        out->u.done.text = texts[ts_rng_below(rng, TEXTS)];
        break;
    default:
        out->u.fault.fault = (enum ts_device_fault)(1 + ts_rng_below(rng, 7));
        out->u.fault.detail = (int)ts_rng_below(rng, 9) - 4;
    }
}

void example_command(struct ts_rng *rng, uint32_t id, struct ts_command *out)
{
    *out = (struct ts_command){.id = id};
    out->kind = (enum ts_command_kind)(1 + ts_rng_below(rng, 7));
    switch (out->kind) {
    case TS_COMMAND_MCU_SEND:
        out->u.mcu.type = 7;
        out->u.mcu.size = 3;
        memcpy(out->u.mcu.body, "\0\xff\x10", 3);
        break;
    case TS_COMMAND_PHONE_SHELL:
        out->u.shell = texts[ts_rng_below(rng, TEXTS)];
        break;
    case TS_COMMAND_PHONE_STREAM:
    case TS_COMMAND_STREAM_END:
        out->u.stream = (enum ts_stream)(1 + ts_rng_below(rng, 2));
        break;
    case TS_COMMAND_CAMERA_SET:
        out->u.camera_on = ts_rng_below(rng, 2) != 0;
        break;
    case TS_COMMAND_CLOCK_READ:
        out->u.clock = (enum ts_clock_domain)(1 + ts_rng_below(rng, 3));
        break;
    case TS_COMMAND_DEADLINE:
        out->u.at.ns = (int64_t)ts_rng_next(rng);
        break;
    case TS_COMMAND_OPERATOR:
        out->u.operator_task = (enum ts_operator_task)(1 + ts_rng_below(rng, 2));
        break;
    }
}

void example_blocks(struct ts_rng *rng, uint16_t *blocks)
{
    for (int i = 0; i < 64 * 48; i++)
        blocks[i] = (uint16_t)(2000 + i % 64 * 20 + (int)(10 * ts_rng_normal(rng)));
}

void example_folder(char path[64])
{
    snprintf(path, 64, "/tmp/touchstone-store-XXXXXX");
    assert_non_null(mkdtemp(path));
}

void example_remove(const char *path)
{
    DIR *folder = opendir(path);
    if (folder) {
        for (struct dirent *entry; (entry = readdir(folder));) {
            char inner[1024];
            if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
                continue;
            snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
            example_remove(inner);
        }
        closedir(folder);
    }
    remove(path);
}

static void nothing(struct ts_frame *frame)
{
    (void)frame;
}

void example_part(struct ts_session_writer *session, struct ts_rng *rng, int launch, bool video)
{
    static const struct ts_frame_ops ops = {nothing, nothing};
    static uint8_t pixels[320 * 240];
    static uint16_t blocks[64 * 48];
    static struct ts_frame frames[EXAMPLE_ITEMS]; /* a video may hold on to them for a while */
    static uint32_t command_id;
    struct ts_why why;
    command_id = (uint32_t)launch * 1000;
    assert_int_equal(ts_session_begin(session, launch, video, &why), 0);
    for (uint32_t i = 0; i < EXAMPLE_ITEMS; i++) {
        struct ts_frame *frame = &frames[i];
        struct ts_item item;
        if (i % 4 == 0) {
            example_blocks(rng, blocks);
            *frame = (struct ts_frame){&ops, i, {(int64_t)i * 8333}, pixels, blocks};
            item = (struct ts_item){.sequence = i, .kind = TS_ITEM_FRAME, .u.frame = frame};
            item.arrival = frame->arrival;
        } else {
            example_item(rng, i, &item);
        }
        assert_int_equal(ts_session_item(session, &item), 0);
        for (uint32_t n = ts_rng_below(rng, 3); n; n--) {
            struct ts_command command;
            example_command(rng, ++command_id, &command);
            assert_int_equal(ts_session_command(session, &command), 0);
        }
    }
    struct ts_evidence_intent intent;
    example_intent(rng, launch, &intent);
    assert_int_equal(ts_session_intent(session, &intent), 0);
    if (launch == 0) {
        struct ts_calibration calibration;
        example_calibration(rng, &calibration);
        assert_int_equal(ts_session_finish_calibration(session, &calibration, &why), 0);
        return;
    }
    struct ts_result result;
    example_result(rng, launch, &result);
    assert_int_equal(ts_session_finish_launch(session, &result, launch % 2 == 1, &why), 0);
}

void example_session(const char *dir, uint64_t seed, int launches)
{
    struct ts_session_info info = example_info(seed);
    struct ts_session_writer *session;
    struct ts_plan plan;
    struct ts_rng rng;
    struct ts_why why;
    ts_rng_seed(&rng, seed, 1);
    example_plan(&plan);
    assert_int_equal(ts_session_create(dir, &info, &plan, "name: x\n# \xff\n", &session, &why), 0);
    for (int launch = 0; launch <= launches; launch++)
        example_part(session, &rng, launch, true);
    ts_session_close(session);
    ts_plan_free(&plan);
}
