/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/plan.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ts_plan_defaults(struct ts_plan *plan)
{
    *plan = (struct ts_plan){
        .launches = 10,
        .start = TS_START_COLD,
        .order = TS_ORDER_INTERLEAVED,
        .keep_video = TS_VIDEO_FLAGGED_AND_SAMPLE,
        .plate_taps = 12,
        .camera_edges = 110,
        .shunt_mohm = 10,
        .shunt_percent = 1,
        .quiet_ms = 1200,
        .timeout_ms = 10000,
    };
    ts_care_defaults(&plan->care);
}

/* Android's grammar of names: letters, digits, '_' and '.', each part beginning with a letter;
 * '$' for inner classes. */
static size_t dotted_name(const char *text, int *parts)
{
    size_t at = 0;
    *parts = 0;
    while (isalpha((unsigned char)text[at]) || text[at] == '_') {
        while (isalnum((unsigned char)text[at]) || text[at] == '_' || text[at] == '$')
            at++;
        ++*parts;
        if (text[at] != '.')
            break;
        at++;
    }
    return at && text[at - 1] == '.' ? 0 : at;
}

static bool is_component(const char *text)
{
    int parts;
    const size_t package = dotted_name(text, &parts);
    if (!package || parts < 2 || text[package] != '/')
        return false;
    const char *class_name = text + package + 1;
    if (*class_name == '.')
        class_name++;
    const size_t size = dotted_name(class_name, &parts);
    return size && class_name[size] == '\0' && strlen(text) < 160;
}

static bool same_package(const struct ts_plan_app *a, const struct ts_plan_app *b)
{
    const size_t size = strcspn(a->component, "/");
    return strncmp(a->component, b->component, size + 1) == 0;
}

/* A phone has one build of a package at a time, so all of them must say where they come from. */
static int check_build(const struct ts_plan *plan, size_t index, struct ts_why *why)
{
    const struct ts_plan_app *app = &plan->apps[index];
    const char *build = app->build ? app->build : "";
    if (strlen(build) >= sizeof((struct ts_conditions *)0)->build || strpbrk(build, "()"))
        return ts_fail(why, TS_EINVAL,
                       "app \"%s\": build: give it a name of 1 to %zu characters, without brackets",
                       app->name, sizeof((struct ts_conditions *)0)->build - 1);
    if (app->apk && !*build)
        return ts_fail(why, TS_EINVAL, "app \"%s\": a build with an apk needs a name: build: B",
                       app->name);
    for (size_t other = 0; other < index; other++) {
        if (same_package(app, &plan->apps[other]) && !app->apk != !plan->apps[other].apk)
            return ts_fail(why, TS_EINVAL,
                           "\"%s\" and \"%s\" are of one package: give each its apk, or none",
                           plan->apps[other].name, app->name);
    }
    return TS_OK;
}

static int check_app(const struct ts_plan *plan, size_t index, struct ts_why *why)
{
    const struct ts_plan_app *app = &plan->apps[index];
    if (!app->name || !*app->name || strlen(app->name) > 100)
        return ts_fail(why, TS_EINVAL, "apps[%zu]: give it a name of 1 to 100 characters", index);
    for (const char *c = app->name; *c; c++) {
        if (iscntrl((unsigned char)*c))
            return ts_fail(why, TS_EINVAL, "apps[%zu]: its name holds a control character", index);
    }
    if (!app->component || !is_component(app->component))
        return ts_fail(why, TS_EINVAL,
                       "app \"%s\": component \"%.80s\" is not of the form package.name/.Activity; "
                       "`adb shell cmd package resolve-activity --brief PACKAGE` prints it",
                       app->name, app->component ? app->component : "");
    for (size_t other = 0; other < index; other++) {
        if (strcmp(plan->apps[other].name, app->name) == 0)
            return ts_fail(why, TS_EINVAL,
                           "two apps are named \"%s\"; names must differ, or their builds",
                           app->name);
    }
    return check_build(plan, index, why);
}

/* A launch by `am start` begins in the phone's log alone. */
static int check_am(const struct ts_plan *plan, struct ts_why *why)
{
    if (plan->phone && strcmp(plan->phone, "none") == 0)
        return ts_fail(why, TS_EINVAL,
                       "launch_from: am tells a phone to start the app, and phone is none; use "
                       "button or icon");
    if (plan->scenes || plan->observers & TS_OBSERVER_LOG)
        return ts_fail(why, TS_EINVAL,
                       "launch_from: am begins in the log, and no stylus taps; a scene is tapped, "
                       "and what the log costs is found without it: use button");
    return TS_OK;
}

int ts_plan_check(const struct ts_plan *plan, struct ts_why *why)
{
    const bool only_rig = !plan->app_count && !plan->launches && !plan->warm_up;
    if ((!plan->app_count && !only_rig) || plan->app_count > TS_PLAN_APPS_MAX)
        return ts_fail(why, TS_EINVAL, "apps: list 1 to %d apps", TS_PLAN_APPS_MAX);
    for (size_t i = 0; i < plan->app_count; i++) {
        const int err = check_app(plan, i, why);
        if (err)
            return err;
    }
    if ((plan->launches < 1 && !only_rig) || plan->warm_up < 0)
        return ts_fail(why, TS_EINVAL, "launches: must be 1 or more, warm_up 0 or more");
    if (plan->block < 0 || plan->block > plan->launches)
        return ts_fail(why, TS_EINVAL, "block: must be 1 to launches: %d", plan->launches);
    if (plan->block && plan->order == TS_ORDER_SEQUENTIAL)
        return ts_fail(why, TS_EINVAL,
                       "block: order: sequential takes all launches of an app in a row; use "
                       "interleaved, counterbalanced or shuffled");
    if (plan->care.repeats && ts_plan_installs(plan))
        return ts_fail(why, TS_EINVAL,
                       "repeats: must be 0 where packages are installed: a launch that follows at "
                       "the end has no block");
    if (plan->warm_up > TS_PLAN_LAUNCHES_MAX)
        return ts_fail(why, TS_EINVAL, "warm_up: must be 0 to %d", TS_PLAN_LAUNCHES_MAX);
    const long long total =
        plan->scenes + (long long)ts_plan_per_app(plan) * (long long)plan->app_count;
    if (total > TS_PLAN_LAUNCHES_MAX)
        return ts_fail(why, TS_EINVAL, "launches: %lld in all; a session holds at most %d", total,
                       TS_PLAN_LAUNCHES_MAX);
    if (plan->start == TS_START_UNKNOWN)
        return ts_fail(why, TS_EINVAL, "start: must be cold, warm or hot");
    if (plan->plate_taps < 0 || plan->plate_taps > 1000)
        return ts_fail(why, TS_EINVAL, "plate_taps: must be 0 to 1000");
    if (plan->camera_edges < 30 || plan->camera_edges > 4000)
        return ts_fail(why, TS_EINVAL, "camera_edges: must be 30 to 4000");
    if (plan->clock_s < 0 || plan->clock_s > 3600 || plan->scenes < 0 ||
        plan->scenes > TS_PLAN_LAUNCHES_MAX)
        return ts_fail(why, TS_EINVAL, "clock_s: must be 0 to 3600, scenes 0 to %d",
                       TS_PLAN_LAUNCHES_MAX);
    if (plan->touches < 0 || plan->touches > 100 || plan->mcu_noise < 0 ||
        plan->mcu_noise > UINT16_MAX || plan->observers >> TS_OBSERVER_COUNT)
        return ts_fail(why, TS_EINVAL, "touches: must be 0 to 100, mcu_noise 0 to %d", UINT16_MAX);
    if (plan->meters >> TS_METER_COUNT || !(plan->shunt_mohm >= 0.1 && plan->shunt_mohm <= 1000) ||
        !(plan->shunt_percent >= 0 && plan->shunt_percent <= 20))
        return ts_fail(why, TS_EINVAL,
                       "shunt_mohm: must be 0.1 to 1000, shunt_percent (its tolerance) 0 to 20");
    if (!(plan->quiet_ms >= 200 && plan->quiet_ms <= 30000))
        return ts_fail(why, TS_EINVAL, "quiet_ms: must be 200 to 30000");
    if (!(plan->timeout_ms >= plan->quiet_ms + 500 && plan->timeout_ms <= 120000))
        return ts_fail(why, TS_EINVAL,
                       "timeout_ms: must be at least quiet_ms + 500 and at most 120000");
    if (plan->care.launch_from == TS_FROM_ICON && plan->app_count > 1)
        return ts_fail(
            why, TS_EINVAL,
            "launch_from: the stylus touches one icon only: list one app, or use button");
    int err = plan->care.launch_from == TS_FROM_AM ? check_am(plan, why) : TS_OK;
    if (!err)
        err = ts_plan_check_stop_ends(plan, why);
    return err ? err : ts_care_check(&plan->care, why);
}

void ts_plan_free(struct ts_plan *plan)
{
    for (size_t i = 0; i < plan->app_count; i++) {
        free(plan->apps[i].name);
        free(plan->apps[i].component);
        free(plan->apps[i].build);
        free(plan->apps[i].apk);
    }
    free(plan->apps);
    free(plan->name);
    ts_care_free(&plan->care);
    free(plan->phone);
    free(plan->stop);
    free(plan->bench_options);
    *plan = (struct ts_plan){0};
}

int ts_plan_total(const struct ts_plan *plan)
{
    return plan->scenes + (int)plan->app_count * ts_plan_per_app(plan);
}

const char *const ts_reinstall_names[] = {"keep", "clean", NULL};

bool ts_plan_installs(const struct ts_plan *plan)
{
    bool installs = false;
    for (size_t i = 0; i < plan->app_count && !installs; i++)
        installs = plan->apps[i].apk != NULL;
    return installs;
}

static int block_of(const struct ts_plan *plan)
{
    return plan->block ? plan->block : plan->order == TS_ORDER_SEQUENTIAL ? plan->launches : 1;
}

int ts_plan_row(const struct ts_plan *plan)
{
    const bool whole = plan->order == TS_ORDER_SEQUENTIAL || ts_plan_installs(plan);
    return block_of(plan) + (whole ? plan->warm_up : 0);
}

int ts_plan_per_app(const struct ts_plan *plan)
{
    if (!ts_plan_installs(plan) || !plan->launches)
        return plan->launches + plan->warm_up;
    const int block = block_of(plan), blocks = (plan->launches + block - 1) / block;
    if (plan->warm_up > TS_PLAN_LAUNCHES_MAX / blocks)
        return TS_PLAN_LAUNCHES_MAX + 1; /* refused, whatever it is */
    return plan->launches + blocks * plan->warm_up;
}

bool ts_plan_warms_up(const struct ts_plan *plan, int nth)
{
    return (ts_plan_installs(plan) ? nth % ts_plan_row(plan) : nth) < plan->warm_up;
}

void ts_plan_plain_app(const char *name, const char *build, char *text, size_t size)
{
    const size_t all = strlen(name), end = strlen(build) + 3; /* " (B)" */
    const bool has = *build && all > end && name[all - 1] == ')' &&
                     strncmp(name + all - end, " (", 2) == 0 &&
                     strncmp(name + all - end + 2, build, end - 3) == 0;
    snprintf(text, size, "%.*s", (int)(has ? all - end : all), name);
}

const char *const ts_observer_names[] = {"logcat", "accessibility", "polling", NULL};

void ts_observers_print(unsigned observers, char *text, size_t size)
{
    size_t used = 0;
    snprintf(text, size, "none");
    for (int i = 0; i < TS_OBSERVER_COUNT && used < size; i++) {
        if (observers >> i & 1)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? " " : "",
                                     ts_observer_names[i]);
    }
}

struct ts_observing ts_plan_observing(const struct ts_plan *plan, int nth)
{
    struct ts_observing observing = {
        .all = TS_OBSERVER_LOG | (plan->events ? (unsigned)TS_OBSERVER_ACCESSIBILITY : 0) |
               (plan->polling ? (unsigned)TS_OBSERVER_POLLING : 0)};
    unsigned tested[TS_OBSERVER_COUNT];
    int count = 0;
    for (int i = 0; i < TS_OBSERVER_COUNT; i++) {
        if (plan->observers >> i & 1)
            tested[count++] = 1u << i;
    }
    if (!count)
        return observing;
    const unsigned tests = tested[nth / 4 % count];
    observing.under_test = (enum ts_observer)tests;
    observing.pair = nth / 2;
    observing.on = nth % 4 == 1 || nth % 4 == 2;
    observing.all = observing.on ? observing.all | tests : observing.all & ~tests;
    return observing;
}
