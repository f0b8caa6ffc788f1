/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sample.h"

#include "base/rng.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct ts_session_info info = {.seed = 7,
                                      .bench = "sim",
                                      .touchstone = "0.1.0",
                                      .detector = "1",
                                      .camera = {320, 240, 64, 48, 8000000}};
static struct ts_plan plan;
static struct ts_plan_app apps[3];
static char names[3][128], components[3][64], plan_name[128];

struct ts_result sample_result(const char *app, int launch, double settled_ms, double android_ms)
{
    struct ts_result result = {
        .launch = launch,
        .start_type = TS_START_COLD,
        .rule = TS_RULE_ROBUST,
        .detector_version = "1",
        .contact = {1000000000, 2e5, 4e5},
        .pickup = {1112000000, 2e5, 4e5},
        .lift = {SAMPLE_LIFT_NS, 4e5, 8e5},
        .first_visual_change = {settled_ms * 0.3, 2.5, 1.4},
        .last_visual_change = {settled_ms + 80, 2.9, 1.4},
        .settled = {settled_ms, 2.9, 1.4},
        .literal_settled = {settled_ms - 25, 3.1, 1.4},
        .visually_complete_85 = {settled_ms - 31, 3.2, 1.4},
        .speed_index = {settled_ms * 0.6, 3.3, 1.4},
        .splash = {launch % 3 ? settled_ms * 0.35 : NAN, launch % 3 ? 2.9 : NAN, 1.4},
        .first_app_frame = {settled_ms * 0.7, 2.9, 1.4},
        .main_content = {settled_ms * 0.8, 2.9, 1.4},
        .progress_25_ms = settled_ms * 0.72,
        .progress_50_ms = settled_ms * 0.74,
        .time_to_initial_display_ms = android_ms,
        .time_to_full_display_ms = NAN,
        .frame_period_ms = 8.003,
        .frames = 240,
    };
    snprintf(result.app, sizeof result.app, "%s", app);
    result.conditions = (struct ts_conditions){
        .battery_percent = 80 - launch * 0.1,
        .temperature_c = 31 + launch * 0.05,
        .brightness = 128,
        .refresh_before_hz = 60,
        .refresh_after_hz = 60,
        .cpu_mhz = launch % 2 ? 1804.8 : 2419.2,
        .cpu_most_mhz = 2841.6,
    };
    snprintf(result.conditions.package_version, sizeof result.conditions.package_version, "4.2.%d",
             (int)strlen(app));
    snprintf(result.conditions.network, sizeof result.conditions.network, "airplane");
    return result;
}

static void make_plan(bool hostile)
{
    static const char *const plain[] = {"Maps", "Mail", "Pocket Calculator for Engineers"};
    static const char *const bad[] = {"<script>alert(1)</script>", "`touch x`' \"$(id)\" & Co",
                                      "\xff\033[31m\xe2\x80\xae\xd7\x90\xe5\x9c\xb0\xe5\x9b\xbe"};
    for (int i = 0; i < 3; i++) {
        snprintf(names[i], sizeof names[i], "%s", hostile ? bad[i] : plain[i]);
        snprintf(components[i], sizeof components[i], "com.example.app%d/.Main", i);
        apps[i] = (struct ts_plan_app){.name = names[i], .component = components[i]};
    }
    snprintf(plan_name, sizeof plan_name, "%s", hostile ? "</title><b>" : "Nightly, build 412");
    static char phone[] = "auto";
    ts_plan_defaults(&plan);
    plan.name = plan_name;
    plan.phone = phone;
    plan.apps = apps;
    plan.app_count = 3;
    plan.warm_up = 2;
}

void sample_make(struct ts_report_data *data, int launches, bool hostile)
{
    static const enum ts_flag fates[] = {TS_FLAG_FRAMES_DROPPED, TS_FLAG_DOUBLE_CONTACT,
                                         TS_FLAG_NEVER_SETTLED};
    struct ts_rng rng;
    ts_rng_seed(&rng, 11, 1);
    make_plan(hostile);
    plan.launches = launches - 2;
    *data = (struct ts_report_data){.info = &info, .plan = &plan, .calibrated = true};
    ts_calibration_nominal(&data->calibration);
    data->calibration.plate_taps = 12;
    data->launches = calloc((size_t)launches * 3, sizeof *data->launches);
    for (int number = 1; number <= launches; number++) {
        for (int app = 0; app < 3; app++) {
            struct ts_launch *launch = &data->launches[data->count++];
            const double settled =
                700 + 300 * app + 15 * ts_rng_normal(&rng) + (number == 7 ? 150 : 0);
            const double android = settled * (app == 2 ? 0.97 : 0.7) + 8 * ts_rng_normal(&rng);
            launch->result = sample_result(names[app], (int)data->count, settled, android);
            if (number == 4)
                ts_result_flag(&launch->result, fates[app]);
            if (number == 5)
                ts_result_flag(&launch->result, TS_FLAG_LOG_LOST);
            if (number == 6)
                launch->excluded = hostile ? "<img src=x>\033]0;" : "the phone rang";
        }
    }
    ts_report_data_mark_warm_up(data);
}

void sample_free(struct ts_report_data *data)
{
    free(data->launches);
    *data = (struct ts_report_data){0};
}
