/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Launches from a session's own database into a lab's, row by row as they are. */
#include "store/db_engine.h"

#include <stdlib.h>
#include <string.h>

/* Columns that are looked at; schema.sql has them in this order. */
enum { SETUP_ID, SETUP_APP, SETUP_BUILD = 17 };
enum {
    LAUNCH_SESSION,
    LAUNCH_NUMBER,
    LAUNCH_VERSION,
    LAUNCH_SETUP,
    LAUNCH_KEPT,
    LAUNCH_EXCLUSION = 7
};

/* A row that outlives its reading. */
struct setup {
    struct ts_db_cell cells[TS_DB_COLUMNS_MOST]; /* owns its texts */
};

struct copying {
    struct ts_db *to;
    int64_t session;
    const struct ts_db_choice *choice;
    struct setup *setups; /* owned */
    size_t count, capacity;
    struct ts_why *why;
    bool lost; /* it was `to` that failed */
};

static int take_setup(void *context, const struct ts_db_cell *row)
{
    struct copying *copying = context;
    void *setups = copying->setups;
    struct setup *setup =
        ts_grow(&setups, &copying->count, &copying->capacity, sizeof *copying->setups);
    copying->setups = setups;
    if (!setup)
        return TS_ENOMEM;
    for (int i = 0; i < ts_db_tables[TS_DB_SETUP].columns; i++) {
        setup->cells[i] = row[i];
        if (row[i].kind == TS_DB_TEXT && !(setup->cells[i].u.text = strdup(row[i].u.text))) {
            setup->cells[i].kind = TS_DB_NULL;
            return TS_ENOMEM;
        }
    }
    return TS_OK;
}

static struct setup *setup_of(struct copying *copying, const struct ts_db_cell *id)
{
    for (size_t i = 0; i < copying->count; i++) {
        if (copying->setups[i].cells[SETUP_ID].u.integer == id->u.integer)
            return &copying->setups[i];
    }
    return NULL;
}

static int take_launch(void *context, const struct ts_db_cell *row)
{
    struct copying *copying = context;
    const struct ts_db_choice *choice = copying->choice;
    struct ts_db_cell changed[TS_DB_COLUMNS_MOST];
    struct setup *setup = setup_of(copying, &row[LAUNCH_SETUP]);
    const char *exclusion = NULL;
    if (!setup || !row[LAUNCH_KEPT].u.integer)
        return TS_OK;
    const struct ts_db_of of = {
        (int)row[LAUNCH_NUMBER].u.integer, ts_db_text(&setup->cells[SETUP_APP]),
        ts_db_text(&setup->cells[SETUP_BUILD]), ts_db_text(&row[LAUNCH_VERSION])};
    const int taken = choice->take(choice->context, &of, &exclusion);
    if (taken <= 0)
        return taken;
    memcpy(changed, row, (size_t)ts_db_tables[TS_DB_LAUNCH].columns * sizeof *row);
    changed[LAUNCH_SESSION].u.integer = copying->session;
    changed[LAUNCH_EXCLUSION] =
        (struct ts_db_cell){exclusion && *exclusion ? TS_DB_TEXT : TS_DB_NULL, {.text = exclusion}};
    int err = ts_db_put_setup(copying->to, setup->cells, copying->why);
    if (!err)
        err = copying->to->engine->put(copying->to, TS_DB_LAUNCH, changed, copying->why);
    copying->lost = err != TS_OK;
    return err;
}

int ts_db_copy_launches(const char *from, struct ts_db *to, int64_t session,
                        const struct ts_db_choice *choice, struct ts_why *why)
{
    struct copying copying = {.to = to, .session = session, .choice = choice, .why = why};
    struct ts_db *own;
    struct ts_why ignored;
    if (ts_db_open_as_it_is(from, &own, &ignored))
        return TS_OK;
    int err = ts_db_read(own, "SELECT * FROM setup", ts_db_tables[TS_DB_SETUP].kinds, take_setup,
                         &copying, &ignored);
    if (!err)
        err = ts_db_read(own, "SELECT * FROM launch ORDER BY launch",
                         ts_db_tables[TS_DB_LAUNCH].kinds, take_launch, &copying, &ignored);
    ts_db_close(own);
    for (size_t i = 0; i < copying.count; i++) {
        for (int j = 0; j < ts_db_tables[TS_DB_SETUP].columns; j++) {
            if (copying.setups[i].cells[j].kind == TS_DB_TEXT)
                free((char *)copying.setups[i].cells[j].u.text);
        }
    }
    free(copying.setups);
    return copying.lost || err == TS_ENOMEM ? err : TS_OK;
}
