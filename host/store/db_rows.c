/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What goes into which column. The order is that of schema.sql. */
#include "store/db_engine.h"

#include "store/digest.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define METRIC_KINDS(name) "nnn"
#define LAUNCH_KINDS                                                                               \
    "iitiiiittt" TS_METRIC_LIST(METRIC_KINDS) "nn"                                                 \
                                              "ininin"                                             \
                                              "nnniiin"                                            \
                                              "nnnnnnnnnnnn"                                       \
                                              "nn"

#define SETUP_FIRST_COLUMNS 17 /* of the first version that had setups */

const struct ts_db_table_shape ts_db_tables[TS_DB_TABLE_COUNT] = {
    {"session", 15, "itittttttiitttt",
     "(id) DO UPDATE SET rig = COALESCE(excluded.rig, session.rig), "
     "device = COALESCE(excluded.device, session.device) "
     "WHERE session.rig IS DISTINCT FROM COALESCE(excluded.rig, session.rig) "
     "OR session.device IS DISTINCT FROM COALESCE(excluded.device, session.device)"},
    {"setup", 19, "itttttttnniinnntttt", "(id) DO NOTHING"},
    {"launch", 66, LAUNCH_KINDS,
     "(session_id, launch, detector_version) DO UPDATE SET exclusion = excluded.exclusion "
     "WHERE launch.exclusion IS DISTINCT FROM excluded.exclusion"},
};

static void put(struct ts_db_row *row, struct ts_db_cell cell)
{
    row->cells[row->count++] = cell;
}

static void put_integer(struct ts_db_row *row, int64_t value)
{
    put(row, (struct ts_db_cell){TS_DB_INTEGER, {.integer = value}});
}

static void put_known(struct ts_db_row *row, int value)
{
    put(row, (struct ts_db_cell){value < 0 ? TS_DB_NULL : TS_DB_INTEGER, {.integer = value}});
}

static void put_number(struct ts_db_row *row, double value)
{
    put(row, (struct ts_db_cell){isfinite(value) ? TS_DB_NUMBER : TS_DB_NULL, {.number = value}});
}

static bool is_utf8(const char *text)
{
    const char *at = text;
    while (*at && !((unsigned char)*at & 0x80))
        at++;
    if (!*at)
        return true;
    json_t *checked = json_string(text);
    json_decref(checked);
    return checked != NULL;
}

/* Phones say any bytes, and PostgreSQL takes UTF-8 alone: then what is not ASCII becomes '?'. The
 * bytes themselves are in the session's files. */
static void put_text(struct ts_db_row *row, const char *text)
{
    if (!is_utf8(text)) {
        char *copy = row->kept + row->kept_size;
        const size_t size = strnlen(text, sizeof row->kept - row->kept_size - 1);
        for (size_t i = 0; i < size; i++)
            copy[i] = (unsigned char)text[i] & 0x80 ? '?' : text[i];
        copy[size] = '\0';
        /* The last byte stays: then whatever comes next is cut off to "". */
        row->kept_size += size + (row->kept_size + size + 1 < sizeof row->kept);
        text = copy;
    }
    put(row, (struct ts_db_cell){TS_DB_TEXT, {.text = text}});
}

static void put_text_or_null(struct ts_db_row *row, const char *text)
{
    if (text && *text)
        put_text(row, text);
    else
        put(row, (struct ts_db_cell){TS_DB_NULL, {0}});
}

static void put_instant(struct ts_db_row *row, const struct ts_instant *instant)
{
    put(row, (struct ts_db_cell){isfinite(instant->u_ns) ? TS_DB_INTEGER : TS_DB_NULL,
                                 {.integer = instant->host_ns}});
    put_number(row, instant->u_ns);
}

static void put_metric(struct ts_db_row *row, const struct ts_metric *metric)
{
    put_number(row, metric->value);
    put_number(row, metric->u);
    put_number(row, metric->u_common);
}

static void put_flags(struct ts_db_row *row, const struct ts_result *result)
{
    size_t used = 0;
    row->flags[0] = '\0';
    for (int flag = 0; flag < TS_FLAG_COUNT; flag++) {
        if (ts_result_has(result, (enum ts_flag)flag))
            used += (size_t)snprintf(row->flags + used, sizeof row->flags - used, "%s%s",
                                     used ? "," : "", ts_flag_name((enum ts_flag)flag));
    }
    put_text(row, row->flags);
}

void ts_db_row_session(struct ts_db_row *row, const struct ts_db_session *session, int64_t added)
{
    const struct ts_session_info *info = session->info;
    row->count = 0;
    row->kept_size = 0;
    snprintf(row->seed, sizeof row->seed, "%" PRIu64, info->seed);
    put_integer(row, session->id);
    put_text(row, session->digest);
    put_integer(row, added);
    put_text(row, session->plan->name ? session->plan->name : "");
    put_text(row, info->bench);
    put_text(row, row->seed);
    put_text(row, info->touchstone);
    put_text(row, info->detector);
    put_text(row, ts_start_type_name(session->plan->start));
    put_integer(row, ts_plan_total(session->plan));
    put_integer(row, session->plan->warm_up);
    put_text_or_null(row, session->rig);
    put_text_or_null(row, session->rig_values);
    put_text_or_null(row, session->device);
    put_text_or_null(row, session->started);
}

int64_t ts_db_id(const char *digest)
{
    char first[17];
    snprintf(first, sizeof first, "%.16s", digest);
    return (int64_t)(strtoull(first, NULL, 16) & INT64_MAX);
}

/* Over all cells but the first, which is the id; not over the last ones where they are not told, as
 * it was before there were any. */
int64_t ts_db_setup_id(const struct ts_db_cell *cells)
{
    int columns = ts_db_tables[TS_DB_SETUP].columns;
    while (columns > SETUP_FIRST_COLUMNS && cells[columns - 1].kind == TS_DB_NULL)
        columns--;
    char bytes[2048], digest[TS_DIGEST_SIZE];
    size_t used = 0;
    for (int i = 1; i < columns; i++) {
        const struct ts_db_cell *cell = &cells[i];
        const void *value = &cell->u;
        size_t size = cell->kind == TS_DB_NULL ? 0 : sizeof cell->u.integer;
        if (cell->kind == TS_DB_TEXT) {
            value = cell->u.text;
            size = strlen(cell->u.text) + 1;
        }
        if (used + 1 + size > sizeof bytes)
            return TS_EOVERRUN;
        bytes[used] = (char)cell->kind;
        memcpy(bytes + used + 1, value, size);
        used += 1 + size;
    }
    const int err = ts_digest_of(bytes, used, digest);
    return err ? err : ts_db_id(digest);
}

int64_t ts_db_row_setup(struct ts_db_row *row, const struct ts_result *result)
{
    const struct ts_conditions *conditions = &result->conditions;
    row->count = 0;
    row->kept_size = 0;
    put_integer(row, 0);
    ts_plan_plain_app(result->app, conditions->build, row->app, sizeof row->app);
    put_text(row, row->app);
    put_text(row, ts_start_type_name(result->start_type));
    put_text(row, ts_rule_name(result->rule));
    put_text_or_null(row, result->component);
    put_text_or_null(row, conditions->package_version);
    put_text_or_null(row, conditions->apk_hash);
    put_text_or_null(row, conditions->compiler_filter);
    put_number(row, conditions->refresh_before_hz);
    put_number(row, conditions->refresh_after_hz);
    put_known(row, conditions->night_mode);
    put_known(row, conditions->rotation);
    for (int i = 0; i < 3; i++)
        put_number(row, conditions->animation_scale[i]);
    put_text_or_null(row, conditions->network);
    put_text_or_null(row, conditions->observers);
    put_text_or_null(row, conditions->build);
    put_text_or_null(row, conditions->launch_from);
    return row->cells[0].u.integer = ts_db_setup_id(row->cells);
}

static void put_cost(struct ts_db_row *row, const struct ts_costs *costs, enum ts_meter meter,
                     double value)
{
    put_number(row, costs->asked & meter ? value : (double)NAN);
}

static void put_costs(struct ts_db_row *row, const struct ts_costs *costs)
{
    const double energy[] = {costs->energy_mj.value,
                             costs->energy_mj.u,
                             costs->energy_mj.u_common,
                             costs->energy_first_change_mj.value,
                             costs->energy_first_change_mj.u,
                             costs->charge_mc.value,
                             costs->charge_mc.u,
                             costs->mean_current_ma.value,
                             costs->mean_current_ma.u};
    for (size_t i = 0; i < sizeof energy / sizeof *energy; i++)
        put_cost(row, costs, TS_METER_ENERGY, energy[i]);
    put_cost(row, costs, TS_METER_MEMORY, costs->memory_kb);
    put_cost(row, costs, TS_METER_NETWORK, costs->network_bytes);
    put_cost(row, costs, TS_METER_CPU, costs->cpu_ms);
}

void ts_db_row_launch(struct ts_db_row *row, int64_t session, int64_t setup,
                      const struct ts_db_launch *launch)
{
    const struct ts_result *result = launch->result;
    const struct ts_conditions *conditions = &result->conditions;
    row->count = 0;
    row->kept_size = 0;
    put_integer(row, session);
    put_integer(row, result->launch);
    put_text(row, result->detector_version ? result->detector_version : "");
    put_integer(row, setup);
    put_integer(row, launch->kept);
    put_integer(row, ts_result_usable(result));
    put_integer(row, launch->warm_up);
    put_text_or_null(row, launch->exclusion);
    put_text(row, ts_result_verdict(result));
    put_flags(row, result);
#define PUT_METRIC(name) put_metric(row, &result->name);
    TS_METRIC_LIST(PUT_METRIC)
#undef PUT_METRIC
    put_number(row, result->time_to_initial_display_ms);
    put_number(row, result->time_to_full_display_ms);
    put_instant(row, &result->contact);
    put_instant(row, &result->pickup);
    put_instant(row, &result->lift);
    put_number(row, conditions->battery_percent);
    put_number(row, conditions->temperature_c);
    put_number(row, conditions->brightness);
    put_known(row, conditions->thermal_status);
    put_integer(row, result->frames);
    put_integer(row, result->dropped);
    put_number(row, result->frame_period_ms);
    put_costs(row, &result->costs);
    put_number(row, conditions->cpu_mhz);
    put_number(row, conditions->cpu_most_mhz);
}
