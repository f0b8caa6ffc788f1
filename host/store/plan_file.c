/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/plan_file.h"

#include "store/files.h"
#include "store/plan_yaml.h"

#include <cyaml/cyaml.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PLAN_SIZE_MAX ((size_t)1 << 20)

/* The plan as YAML has it: a NULL is a key left out, which a plain number could not tell. */
struct plan_yaml {
    char *name;
    struct ts_plan_app *apps;
    unsigned apps_count;
    int *launches, *warm_up, *block, *plate_taps;
    int *start, *order, *reinstall, *keep_video;
    uint32_t *meters;
    double *shunt_mohm, *shunt_percent;
    double *quiet_ms, *timeout_ms;
    char *phone, *stop;
    bool *setup, *events, *polling;
    int *profile, *launch_from, *cold_by, *warm_by, *compile, *animations, *network;
    int *brightness, *charge_low, *charge_high, *guard_tries, *repeats;
    double *too_hot_c;
    char **before_campaign, **before_launch;
    unsigned before_campaign_count, before_launch_count;
};

static const cyaml_strval_t starts[] = {
    {"cold", TS_START_COLD}, {"warm", TS_START_WARM}, {"hot", TS_START_HOT}};
static const cyaml_strval_t orders[] = {{"interleaved", TS_ORDER_INTERLEAVED},
                                        {"sequential", TS_ORDER_SEQUENTIAL},
                                        {"shuffled", TS_ORDER_SHUFFLED},
                                        {"counterbalanced", TS_ORDER_COUNTERBALANCED}};
static const cyaml_strval_t reinstalls[] = {{"keep", TS_REINSTALL_KEEP},
                                            {"clean", TS_REINSTALL_CLEAN}};
static const cyaml_strval_t keeps[] = {{"flagged+sample", TS_VIDEO_FLAGGED_AND_SAMPLE},
                                       {"all", TS_VIDEO_ALL},
                                       {"none", TS_VIDEO_NONE}};
static const cyaml_strval_t profiles[] = {{"as-used", TS_PROFILE_AS_USED},
                                          {"controlled", TS_PROFILE_CONTROLLED}};
static const cyaml_strval_t launch_froms[] = {
    {"button", TS_FROM_BUTTON}, {"icon", TS_FROM_ICON}, {"am", TS_FROM_AM}};
static const cyaml_strval_t cold_bys[] = {
    {"force-stop", TS_COLD_FORCE_STOP}, {"kill", TS_COLD_KILL}, {"reboot", TS_COLD_REBOOT}};
static const cyaml_strval_t warm_bys[] = {{"finish", TS_WARM_FINISH}, {"back", TS_WARM_BACK}};
static const cyaml_strval_t compiles[] = {{"as-is", TS_COMPILE_AS_IS},
                                          {"reset", TS_COMPILE_RESET},
                                          {"speed-profile", TS_COMPILE_PROFILE},
                                          {"speed", TS_COMPILE_SPEED}};
static const cyaml_strval_t animation_kinds[] = {
    {"as-is", TS_ANIMATIONS_AS_IS}, {"on", TS_ANIMATIONS_ON}, {"off", TS_ANIMATIONS_OFF}};
static const cyaml_strval_t meter_kinds[] = {{"energy", TS_METER_ENERGY},
                                             {"memory", TS_METER_MEMORY},
                                             {"network", TS_METER_NETWORK},
                                             {"cpu", TS_METER_CPU}};
static const cyaml_strval_t networks[] = {{"as-is", TS_NETWORK_AS_IS}, {"off", TS_NETWORK_OFF}};

#define OPTIONAL (CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL)
#define CHOICE   (OPTIONAL | CYAML_FLAG_STRICT)

static const cyaml_schema_field_t app_fields[] = {
    CYAML_FIELD_STRING_PTR("name", CYAML_FLAG_POINTER, struct ts_plan_app, name, 0,
                           CYAML_UNLIMITED),
    CYAML_FIELD_STRING_PTR("component", CYAML_FLAG_POINTER, struct ts_plan_app, component, 0,
                           CYAML_UNLIMITED),
    CYAML_FIELD_STRING_PTR("build", OPTIONAL, struct ts_plan_app, build, 1, CYAML_UNLIMITED),
    CYAML_FIELD_STRING_PTR("apk", OPTIONAL, struct ts_plan_app, apk, 1, CYAML_UNLIMITED),
    CYAML_FIELD_END,
};

static const cyaml_schema_value_t app_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct ts_plan_app, app_fields),
};

static const cyaml_schema_value_t action_schema = {
    CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char *, 0, 400),
};

static const cyaml_schema_field_t plan_fields[] = {
    CYAML_FIELD_STRING_PTR("name", OPTIONAL, struct plan_yaml, name, 0, CYAML_UNLIMITED),
    CYAML_FIELD_SEQUENCE("apps", CYAML_FLAG_POINTER, struct plan_yaml, apps, &app_schema, 1,
                         TS_PLAN_APPS_MAX),
    CYAML_FIELD_INT_PTR("launches", OPTIONAL, struct plan_yaml, launches),
    CYAML_FIELD_INT_PTR("warm_up", OPTIONAL, struct plan_yaml, warm_up),
    CYAML_FIELD_ENUM_PTR("start", CHOICE, struct plan_yaml, start, starts, 3),
    CYAML_FIELD_INT_PTR("block", OPTIONAL, struct plan_yaml, block),
    CYAML_FIELD_ENUM_PTR("order", CHOICE, struct plan_yaml, order, orders, 4),
    CYAML_FIELD_ENUM_PTR("reinstall", CHOICE, struct plan_yaml, reinstall, reinstalls, 2),
    CYAML_FIELD_ENUM_PTR("keep_video", CHOICE, struct plan_yaml, keep_video, keeps, 3),
    CYAML_FIELD_INT_PTR("plate_taps", OPTIONAL, struct plan_yaml, plate_taps),
    CYAML_FIELD_FLAGS_PTR("meters", CHOICE, struct plan_yaml, meters, meter_kinds, TS_METER_COUNT),
    CYAML_FIELD_FLOAT_PTR("shunt_mohm", OPTIONAL, struct plan_yaml, shunt_mohm),
    CYAML_FIELD_FLOAT_PTR("shunt_percent", OPTIONAL, struct plan_yaml, shunt_percent),
    CYAML_FIELD_FLOAT_PTR("quiet_ms", OPTIONAL, struct plan_yaml, quiet_ms),
    CYAML_FIELD_FLOAT_PTR("timeout_ms", OPTIONAL, struct plan_yaml, timeout_ms),
    CYAML_FIELD_STRING_PTR("phone", OPTIONAL, struct plan_yaml, phone, 0, CYAML_UNLIMITED),
    CYAML_FIELD_BOOL_PTR("events", OPTIONAL, struct plan_yaml, events),
    CYAML_FIELD_BOOL_PTR("polling", OPTIONAL, struct plan_yaml, polling),
    CYAML_FIELD_BOOL_PTR("setup", OPTIONAL, struct plan_yaml, setup),
    CYAML_FIELD_ENUM_PTR("conditions", CHOICE, struct plan_yaml, profile, profiles, 2),
    CYAML_FIELD_ENUM_PTR("launch_from", CHOICE, struct plan_yaml, launch_from, launch_froms, 3),
    CYAML_FIELD_ENUM_PTR("cold_by", CHOICE, struct plan_yaml, cold_by, cold_bys, 3),
    CYAML_FIELD_ENUM_PTR("warm_by", CHOICE, struct plan_yaml, warm_by, warm_bys, 2),
    CYAML_FIELD_ENUM_PTR("compile", CHOICE, struct plan_yaml, compile, compiles, 4),
    CYAML_FIELD_ENUM_PTR("animations", CHOICE, struct plan_yaml, animations, animation_kinds, 3),
    CYAML_FIELD_ENUM_PTR("network", CHOICE, struct plan_yaml, network, networks, 2),
    CYAML_FIELD_INT_PTR("brightness", OPTIONAL, struct plan_yaml, brightness),
    CYAML_FIELD_INT_PTR("charge_low", OPTIONAL, struct plan_yaml, charge_low),
    CYAML_FIELD_INT_PTR("charge_high", OPTIONAL, struct plan_yaml, charge_high),
    CYAML_FIELD_INT_PTR("guard_tries", OPTIONAL, struct plan_yaml, guard_tries),
    CYAML_FIELD_INT_PTR("repeats", OPTIONAL, struct plan_yaml, repeats),
    CYAML_FIELD_FLOAT_PTR("too_hot_c", OPTIONAL, struct plan_yaml, too_hot_c),
    CYAML_FIELD_SEQUENCE("before_campaign", OPTIONAL, struct plan_yaml, before_campaign,
                         &action_schema, 0, TS_ACTIONS_MAX),
    CYAML_FIELD_SEQUENCE("before_launch", OPTIONAL, struct plan_yaml, before_launch, &action_schema,
                         0, TS_ACTIONS_MAX),
    CYAML_FIELD_STRING_PTR("stop", OPTIONAL, struct plan_yaml, stop, 0, CYAML_UNLIMITED),
    CYAML_FIELD_IGNORE("bench", CYAML_FLAG_OPTIONAL),
    CYAML_FIELD_END,
};

static const cyaml_schema_value_t plan_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct plan_yaml, plan_fields),
};

static bool is_known(const char *key)
{
    const cyaml_schema_field_t *field = plan_fields;
    while (field->key && strcmp(field->key, key) != 0)
        field++;
    return field->key != NULL;
}

/* libcyaml says what is wrong, then where: fields and entries from the innermost out, each with its
 * line, all in lines of their own. Kept are the innermost's line and the plan's own key. */
struct complaint {
    struct ts_why what;
    int line; /* 0: not said */
    char key[40];
};

static void collect(cyaml_log_t level, void *context, const char *format, va_list args)
{
    struct complaint *complaint = context;
    if (level < CYAML_LOG_ERROR)
        return;
    char line[200];
    vsnprintf(line, sizeof line, format, args);
    char *text = strncmp(line, "Load: ", 6) == 0 ? line + 6 : line;
    text += strspn(text, " ");
    text[strcspn(text, "\n")] = '\0';
    const char *at = strstr(text, "(line: ");
    if (strcmp(text, "Backtrace:") == 0)
        return;
    if (strncmp(text, "in ", 3) != 0 || !at) {
        const size_t used = strlen(complaint->what.text);
        snprintf(complaint->what.text + used, sizeof complaint->what.text - used, "%s%s",
                 used ? ", " : "", text);
        return;
    }
    if (!complaint->line)
        complaint->line = atoi(at + strlen("(line: "));
    sscanf(text, "in mapping field '%39[^']'", complaint->key);
}

static void take_text(char **from, char **to)
{
    *to = *from;
    *from = NULL;
}

static void take(struct plan_yaml *yaml, struct ts_plan *plan)
{
    take_text(&yaml->name, &plan->name);
    take_text(&yaml->phone, &plan->phone);
    take_text(&yaml->stop, &plan->stop);
    plan->apps = yaml->apps;
    plan->app_count = yaml->apps_count;
    yaml->apps = NULL;
    yaml->apps_count = 0;
#define TAKE(member, type)                                                                         \
    if (yaml->member)                                                                              \
        plan->member = (type)*yaml->member;
    TAKE(launches, int)
    TAKE(warm_up, int)
    TAKE(block, int)
    TAKE(reinstall, enum ts_reinstall)
    TAKE(plate_taps, int)
    TAKE(start, enum ts_start_type)
    TAKE(order, enum ts_order)
    TAKE(keep_video, enum ts_keep_video)
    TAKE(meters, unsigned)
    TAKE(shunt_mohm, double)
    TAKE(shunt_percent, double)
    TAKE(quiet_ms, double)
    TAKE(timeout_ms, double)
    TAKE(events, bool)
    TAKE(polling, bool)
#undef TAKE
}

/* A line each; NULL for none. */
static int join(char *const *texts, unsigned count, char **out)
{
    struct ts_buf joined = {0};
    int err = TS_OK;
    for (unsigned i = 0; i < count && !err; i++)
        err = ts_buf_printf(&joined, "%s%s", i ? "\n" : "", texts[i]);
    if (!err && count)
        err = ts_buf_append(&joined, "", 1);
    if (err) {
        ts_buf_free(&joined);
        return err;
    }
    *out = (char *)joined.data;
    return TS_OK;
}

static int take_care(const struct plan_yaml *yaml, struct ts_care *care)
{
    /* A plan that a person wrote drives a person's phone. */
    care->setup = yaml->setup ? *yaml->setup : true;
#define TAKE(member, type)                                                                         \
    if (yaml->member)                                                                              \
        care->member = (type)*yaml->member;
    TAKE(profile, enum ts_profile)
    TAKE(launch_from, enum ts_launch_from)
    TAKE(cold_by, enum ts_cold_by)
    TAKE(warm_by, enum ts_warm_by)
    TAKE(compile, enum ts_compile)
    TAKE(animations, enum ts_animations)
    TAKE(network, enum ts_network)
    TAKE(brightness, int)
    TAKE(charge_low, int)
    TAKE(charge_high, int)
    TAKE(guard_tries, int)
    TAKE(repeats, int)
    TAKE(too_hot_c, double)
#undef TAKE
    const int err =
        join(yaml->before_campaign, yaml->before_campaign_count, &care->before_campaign);
    return err ? err : join(yaml->before_launch, yaml->before_launch_count, &care->before_launch);
}

/* Builds of one app are apps to all who count launches: "Mail" and its build B are "Mail (B)". */
static int name_builds(struct ts_plan *plan, struct ts_why *why)
{
    for (size_t i = 0; i < plan->app_count; i++) {
        struct ts_plan_app *app = &plan->apps[i];
        struct ts_buf name = {0};
        if (!app->build || !app->name)
            continue;
        if (ts_buf_printf(&name, "%s (%s)", app->name, app->build) || ts_buf_append(&name, "", 1)) {
            ts_buf_free(&name);
            return ts_fail(why, TS_ENOMEM, "out of memory");
        }
        free(app->name);
        app->name = (char *)name.data;
    }
    return TS_OK;
}

static int fill_texts(struct ts_plan *plan, struct ts_buf *bench, struct ts_why *why)
{
    if (!plan->name)
        plan->name = strdup("unnamed");
    if (!plan->phone)
        plan->phone = strdup("auto");
    plan->bench_options = (char *)bench->data;
    *bench = (struct ts_buf){0};
    return plan->name && plan->phone ? TS_OK : ts_fail(why, TS_ENOMEM, "out of memory");
}

static int load(const char *text, size_t size, struct ts_plan *plan, struct ts_why *why)
{
    struct complaint said = {{""}, 0, ""};
    const cyaml_config_t config = {.log_fn = collect,
                                   .log_ctx = &said,
                                   .mem_fn = cyaml_mem, /* realloc and free of libc */
                                   .log_level = CYAML_LOG_ERROR,
                                   .flags = CYAML_CFG_NO_ALIAS};
    struct plan_yaml *yaml = NULL;
    const cyaml_err_t err = cyaml_load_data((const uint8_t *)text, size, &config, &plan_schema,
                                            (cyaml_data_t **)&yaml, NULL);
    if (err == CYAML_ERR_OOM)
        return ts_fail(why, TS_ENOMEM, "out of memory");
    /* Then the key is the last one that is there. */
    const bool missing = strncmp(said.what.text, "Missing", 7) == 0;
    if (err || !yaml)
        return ts_fail(why, TS_EPROTO, "line %d: %s%s%.200s", said.line, missing ? "" : said.key,
                       missing || !*said.key ? "" : ": ",
                       *said.what.text ? said.what.text : cyaml_strerror(err));
    take(yaml, plan);
    const int out_of_memory = take_care(yaml, &plan->care);
    if (plan->care.launch_from == TS_FROM_AM)
        plan->plate_taps = 0; /* nobody taps: there is no lift to learn */
    cyaml_free(&config, &plan_schema, yaml, 0);
    return out_of_memory ? ts_fail(why, TS_ENOMEM, "out of memory") : TS_OK;
}

int ts_plan_parse(const char *yaml, size_t size, struct ts_plan *plan, struct ts_why *why)
{
    struct ts_buf bench = {0};
    ts_plan_defaults(plan);
    if (size > PLAN_SIZE_MAX)
        return ts_fail(why, TS_EPROTO, "a plan of %zu bytes; at most %zu", size, PLAN_SIZE_MAX);
    int err = ts_plan_yaml_scan(yaml, size, is_known, &bench, why);
    if (!err)
        err = load(yaml, size, plan, why);
    if (!err)
        err = fill_texts(plan, &bench, why);
    if (!err)
        err = name_builds(plan, why);
    if (!err)
        err = ts_plan_check(plan, why);
    if (err)
        ts_plan_free(plan);
    ts_buf_free(&bench);
    return err;
}

int ts_plan_load(const char *path, struct ts_plan *plan, char **text, struct ts_why *why)
{
    struct ts_buf bytes = {0};
    struct ts_why what = {""};
    *plan = (struct ts_plan){0};
    if (!ts_file_exists(path))
        return ts_fail(why, TS_EIO,
                       "%s: there is no such plan; `touchstone plan new %s` writes one", path,
                       path);
    int err = ts_file_read(path, PLAN_SIZE_MAX, &bytes, why);
    if (err)
        return err;
    err = ts_plan_parse((const char *)bytes.data, bytes.size - 1, plan, &what);
    if (err)
        ts_fail(why, err, "%s: %s", path, what.text);
    if (!err && text) {
        *text = (char *)bytes.data;
        bytes = (struct ts_buf){0};
    }
    ts_buf_free(&bytes);
    return err;
}
