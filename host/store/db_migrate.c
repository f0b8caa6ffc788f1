/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Databases of earlier versions, brought forward where they lie. Which version one is of shows in
 * the columns that it has. */
#include "store/db_engine.h"
#include "store/schema.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Of a version: what only it and later ones answer, and what makes it of the one before; NULL: the
 * schema's view anew. The first versions were SQLite files in session folders alone. */
#define METRIC(name)                                                                               \
    "ALTER TABLE launch ADD COLUMN " name "_ms DOUBLE PRECISION;"                                  \
    "ALTER TABLE launch ADD COLUMN " name "_u_ms DOUBLE PRECISION;"                                \
    "ALTER TABLE launch ADD COLUMN " name "_u_common_ms DOUBLE PRECISION;"
static const char splash_to_content[] = METRIC("visually_complete_85") METRIC("speed_index")
    METRIC("splash") METRIC("first_app_frame") METRIC("main_content");

#define NUMBER(name) "ALTER TABLE launch ADD COLUMN " name " DOUBLE PRECISION;"
static const char costs[] = NUMBER("energy_mj") //
    NUMBER("energy_u_mj")                       //
    NUMBER("energy_u_common_mj")                //
    NUMBER("energy_first_change_mj")            //
    NUMBER("energy_first_change_u_mj")          //
    NUMBER("charge_mc")                         //
    NUMBER("charge_u_mc")                       //
    NUMBER("mean_current_ma")                   //
    NUMBER("mean_current_u_ma")                 //
    NUMBER("memory_kb")                         //
    NUMBER("network_bytes")                     //
    NUMBER("cpu_ms");
static const char clocks[] = NUMBER("cpu_mhz") NUMBER("cpu_most_mhz");

/* Conditions stood with each launch. Every launch gets a setup of its own, in the place of its
 * number; number_setups() makes one of those that are alike. Nobody told of warm-up launches. */
static const char aside[] = "ALTER TABLE launch RENAME TO old_launch;"
                            "ALTER TABLE session RENAME TO old_session;";
#define THREE(name) #name "_ms, " #name "_u_ms, " #name "_u_common_ms, "
static const char into_setups[] =
    "INSERT INTO session (id, digest, added, name, bench, seed, touchstone, detector, start_type, "
    "launches, warm_up) SELECT id, '', id, name, bench, seed, touchstone, detector, start_type, "
    "launches, 0 FROM old_session;"
    "INSERT INTO setup (id, app, start_type, rule, component, package_version, apk_hash, "
    "compiler_filter, refresh_before_hz, refresh_after_hz, night_mode, rotation, "
    "window_animation_scale, transition_animation_scale, animator_scale, network, observers) "
    "SELECT session_id * 100000 + launch, app, start_type, rule, component, package_version, "
    "apk_hash, compiler_filter, refresh_before_hz, refresh_after_hz, night_mode, rotation, "
    "window_animation_scale, transition_animation_scale, animator_scale, network, observers "
    "FROM old_launch;"
    "INSERT INTO launch (session_id, launch, detector_version, setup_id, kept, usable, warm_up, "
    "exclusion, verdict, flags, " TS_METRIC_LIST(THREE) //
    "time_to_initial_display_ms, time_to_full_display_ms, contact_ns, contact_u_ns, pickup_ns, "
    "pickup_u_ns, lift_ns, lift_u_ns, battery_percent, temperature_c, brightness, thermal_status, "
    "frames, dropped, frame_period_ms) "
    "SELECT session_id, launch, COALESCE(detector_version, ''), session_id * 100000 + launch, 1, "
    "usable, 0, exclusion, verdict, flags, " TS_METRIC_LIST(THREE) //
    "time_to_initial_display_ms, time_to_full_display_ms, contact_ns, contact_u_ns, pickup_ns, "
    "pickup_u_ns, lift_ns, lift_u_ns, battery_percent, temperature_c, brightness, thermal_status, "
    "frames, dropped, frame_period_ms FROM old_launch;"
    "DROP TABLE old_launch; DROP TABLE old_session;";
#undef THREE

static int take_nothing(void *context, const struct ts_db_cell *row)
{
    (void)context;
    (void)row;
    return TS_OK;
}

/* Whether the database can answer that. TS_OK and *has, or an error of the engine. */
static int answers(struct ts_db *db, const char *sql, bool *has, struct ts_why *why)
{
    const int err = db->engine->read(db, sql, "i", take_nothing, NULL, why);
    *has = !err;
    return err == TS_EPROTO ? TS_OK : err;
}

#define OF_NONE " WHERE 0 = 1"
static const char build_probe[] = "SELECT build FROM setup" OF_NONE;
static const char clocks_probe[] = "SELECT cpu_most_mhz FROM launch" OF_NONE;
static const char from_probe[] = "SELECT launch_from FROM setup" OF_NONE;
static const char costs_probe[] = "SELECT cpu_ms FROM launch" OF_NONE;
static const char shape_probe[] =
    "SELECT max(session.warm_up + launch.kept + setup.rotation) FROM launch JOIN session ON "
    "session.id = launch.session_id JOIN setup ON setup.id = launch.setup_id" OF_NONE;
static const char first_probe[] =
    "SELECT launch.usable FROM launch JOIN session ON session.id = launch.session_id" OF_NONE;

int ts_db_is_current(struct ts_db *db, bool *current, struct ts_why *why)
{
    static const char *const probes[] = {from_probe, clocks_probe, build_probe, shape_probe};
    bool known = false, has = true;
    int err = TS_OK;
    for (size_t i = 0; i < sizeof probes / sizeof *probes && !err && has; i++)
        err = answers(db, probes[i], &has, why);
    *current = has;
    if (!err && !*current)
        err = answers(db, first_probe, &known, why);
    if (err || *current || known)
        return err;
    return ts_fail(why, TS_ENOTSUP,
                   "its tables are of another program, or of a later version of this one");
}

/* ---- from before there were setups ---- */

struct numbering {
    struct ts_buf sql; /* what gives each setup its own id */
};

static int take_setup(void *context, const struct ts_db_cell *row)
{
    struct numbering *numbering = context;
    const int64_t id = ts_db_setup_id(row), place = row[0].u.integer;
    if (id < 0)
        return (int)id;
    return ts_buf_printf(&numbering->sql,
                         "UPDATE launch SET setup_id = %" PRId64 " WHERE setup_id = %" PRId64 ";"
                         "DELETE FROM setup WHERE id = %" PRId64
                         " AND EXISTS (SELECT 1 FROM setup WHERE id = %" PRId64 ");"
                         "UPDATE setup SET id = %" PRId64 " WHERE id = %" PRId64 ";",
                         id, place, place, id, id, place);
}

static int number_setups(struct ts_db *db, struct ts_why *why)
{
    struct numbering numbering = {{0}};
    int err = db->engine->read(db, "SELECT * FROM setup", ts_db_tables[TS_DB_SETUP].kinds,
                               take_setup, &numbering, why);
    if (!err)
        err = ts_buf_append(&numbering.sql, "", 1);
    if (!err && numbering.sql.size > 1)
        err = db->engine->run(db, (const char *)numbering.sql.data, why);
    ts_buf_free(&numbering.sql);
    return err;
}

static int make_setups(struct ts_db *db, struct ts_why *why)
{
    int err = db->engine->run(db, aside, why);
    if (!err)
        err = db->engine->run(db, ts_schema_sql, why);
    if (!err)
        err = db->engine->run(db, into_setups, why);
    return err ? err : number_setups(db, why);
}

/* ---- one version after the other ---- */

static int renew_view(struct ts_db *db, struct ts_why *why)
{
    return db->engine->run(db, strstr(ts_schema_sql, "CREATE VIEW launches"), why);
}

enum { SPLASH, SETUPS, STARTED, BUILD, COSTS, CLOCKS, STEPS };

static int migrate(struct ts_db *db, const bool has[STEPS], struct ts_why *why)
{
    int err = TS_OK;
    if (!has[SPLASH])
        err = db->engine->run(db, splash_to_content, why);
    if (!err && !has[SETUPS])
        return make_setups(db, why); /* and all that came later */
    if (!err)
        err = db->engine->run(db, "DROP VIEW launches", why);
    if (!err && !has[STARTED])
        err = db->engine->run(db, "ALTER TABLE session ADD COLUMN started TEXT", why);
    if (!err && !has[BUILD])
        err = db->engine->run(db, "ALTER TABLE setup ADD COLUMN build TEXT", why);
    if (!err && !has[COSTS])
        err = db->engine->run(db, costs, why);
    if (!err && !has[CLOCKS])
        err = db->engine->run(db, clocks, why);
    if (!err)
        err = db->engine->run(db, "ALTER TABLE setup ADD COLUMN launch_from TEXT", why);
    return err ? err : renew_view(db, why);
}

int ts_db_migrate(struct ts_db *db, struct ts_why *why)
{
    static const char *const probes[STEPS] = {"SELECT splash_ms FROM launch" OF_NONE,
                                              shape_probe,
                                              "SELECT started FROM session" OF_NONE,
                                              build_probe,
                                              costs_probe,
                                              clocks_probe};
    bool has[STEPS] = {false}, current = false;
    int err = TS_OK;
    for (int i = 0; i < STEPS && !err; i++)
        err = answers(db, probes[i], &has[i], why);
    if (!err)
        err = db->engine->run(db, "BEGIN", why);
    if (!err)
        err = migrate(db, has, why);
    if (!err)
        err = db->engine->run(db, "COMMIT", why);
    if (!err)
        return TS_OK;
    /* Somebody else may have done it meanwhile. */
    struct ts_why unsaid;
    db->engine->cancel(db);
    return ts_db_is_current(db, &current, &unsaid) || !current ? err : TS_OK;
}
