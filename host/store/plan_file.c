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
    int *launches, *warm_up, *plate_taps;
    int *start, *order, *keep_video;
    double *quiet_ms, *timeout_ms;
    char *phone;
};

static const cyaml_strval_t starts[] = {
    {"cold", TS_START_COLD}, {"warm", TS_START_WARM}, {"hot", TS_START_HOT}};
static const cyaml_strval_t orders[] = {{"interleaved", TS_ORDER_INTERLEAVED},
                                        {"sequential", TS_ORDER_SEQUENTIAL},
                                        {"shuffled", TS_ORDER_SHUFFLED}};
static const cyaml_strval_t keeps[] = {{"flagged+sample", TS_VIDEO_FLAGGED_AND_SAMPLE},
                                       {"all", TS_VIDEO_ALL},
                                       {"none", TS_VIDEO_NONE}};

#define OPTIONAL (CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL)
#define CHOICE   (OPTIONAL | CYAML_FLAG_STRICT)

static const cyaml_schema_field_t app_fields[] = {
    CYAML_FIELD_STRING_PTR("name", CYAML_FLAG_POINTER, struct ts_plan_app, name, 0,
                           CYAML_UNLIMITED),
    CYAML_FIELD_STRING_PTR("component", CYAML_FLAG_POINTER, struct ts_plan_app, component, 0,
                           CYAML_UNLIMITED),
    CYAML_FIELD_END,
};

static const cyaml_schema_value_t app_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct ts_plan_app, app_fields),
};

static const cyaml_schema_field_t plan_fields[] = {
    CYAML_FIELD_STRING_PTR("name", OPTIONAL, struct plan_yaml, name, 0, CYAML_UNLIMITED),
    CYAML_FIELD_SEQUENCE("apps", CYAML_FLAG_POINTER, struct plan_yaml, apps, &app_schema, 1,
                         TS_PLAN_APPS_MAX),
    CYAML_FIELD_INT_PTR("launches", OPTIONAL, struct plan_yaml, launches),
    CYAML_FIELD_INT_PTR("warm_up", OPTIONAL, struct plan_yaml, warm_up),
    CYAML_FIELD_ENUM_PTR("start", CHOICE, struct plan_yaml, start, starts, 3),
    CYAML_FIELD_ENUM_PTR("order", CHOICE, struct plan_yaml, order, orders, 3),
    CYAML_FIELD_ENUM_PTR("keep_video", CHOICE, struct plan_yaml, keep_video, keeps, 3),
    CYAML_FIELD_INT_PTR("plate_taps", OPTIONAL, struct plan_yaml, plate_taps),
    CYAML_FIELD_FLOAT_PTR("quiet_ms", OPTIONAL, struct plan_yaml, quiet_ms),
    CYAML_FIELD_FLOAT_PTR("timeout_ms", OPTIONAL, struct plan_yaml, timeout_ms),
    CYAML_FIELD_STRING_PTR("phone", OPTIONAL, struct plan_yaml, phone, 0, CYAML_UNLIMITED),
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

/* libcyaml says what is wrong, then in which field, mapping and line; all in lines of their own. */
static void collect(cyaml_log_t level, void *context, const char *format, va_list args)
{
    struct ts_why *said = context;
    if (level < CYAML_LOG_ERROR)
        return;
    char line[200];
    vsnprintf(line, sizeof line, format, args);
    char *text = strncmp(line, "Load: ", 6) == 0 ? line + 6 : line;
    text += strspn(text, " ");
    text[strcspn(text, "\n")] = '\0';
    if (strcmp(text, "Backtrace:") == 0)
        return;
    const size_t used = strlen(said->text);
    snprintf(said->text + used, sizeof said->text - used, "%s%s", used ? ", " : "", text);
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
    plan->apps = yaml->apps;
    plan->app_count = yaml->apps_count;
    yaml->apps = NULL;
    yaml->apps_count = 0;
#define TAKE(member, type)                                                                         \
    if (yaml->member)                                                                              \
        plan->member = (type)*yaml->member;
    TAKE(launches, int)
    TAKE(warm_up, int)
    TAKE(plate_taps, int)
    TAKE(start, enum ts_start_type)
    TAKE(order, enum ts_order)
    TAKE(keep_video, enum ts_keep_video)
    TAKE(quiet_ms, double)
    TAKE(timeout_ms, double)
#undef TAKE
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
    struct ts_why said = {""};
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
    if (err || !yaml)
        return ts_fail(why, TS_EPROTO, "%s", said.text[0] ? said.text : cyaml_strerror(err));
    take(yaml, plan);
    cyaml_free(&config, &plan_schema, yaml, 0);
    return TS_OK;
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
