/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/ingest_crew.h"

#include "store/ingest.h"

#include <pthread.h>
#include <unistd.h>

#define OTHERS_MOST 3 /* beside the caller's own thread; then a server is what all wait for */

struct work {
    struct ts_ingest_crew *crew;
    char *const *dirs;
    size_t count, next;
    int64_t last;         /* the place of the last session that was there before */
    pthread_mutex_t lock; /* of crew and next */
};

static bool take(struct work *work, size_t *index)
{
    pthread_mutex_lock(&work->lock);
    *index = work->next;
    const bool any = *index < work->count && !work->crew->lost;
    work->next += any;
    pthread_mutex_unlock(&work->lock);
    return any;
}

static void note(struct work *work, const struct ts_ingest *before, const struct ts_ingest *after,
                 int err, const struct ts_why *why)
{
    struct ts_ingest_crew *crew = work->crew;
    pthread_mutex_lock(&work->lock);
    crew->sessions += after->sessions - before->sessions;
    crew->added += after->added - before->added;
    crew->there += after->there - before->there;
    crew->lost |= err && after->lost;
    crew->failed += err && !after->lost;
    if (err)
        crew->say(why->text);
    pthread_mutex_unlock(&work->lock);
}

static void ingest_with(struct work *work, struct ts_db *db)
{
    struct ts_ingest ingest = {.db = db, .rig = work->crew->rig, .device = work->crew->device};
    struct ts_why why = {""};
    for (size_t index; take(work, &index);) {
        const struct ts_ingest before = ingest;
        ingest.place = work->last + 1 + (int64_t)index;
        const int err = ts_ingest_session(&ingest, work->dirs[index], &why);
        note(work, &before, &ingest, err, &why);
    }
}

/* One more connection; a server that gives none leaves the work to those that there are. */
static void *join_in(void *context)
{
    struct work *work = context;
    struct ts_db *db;
    struct ts_why unsaid;
    if (ts_db_open(work->crew->where, &db, &unsaid))
        return NULL;
    ingest_with(work, db);
    ts_db_close(db);
    return NULL;
}

/* An SQLite file has one writer. */
static size_t others_for(const char *where, size_t sessions)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    size_t others = ts_db_is_server(where) && processors > 1 ? (size_t)processors - 1 : 0;
    others = others < OTHERS_MOST ? others : OTHERS_MOST;
    return others < sessions ? others : sessions;
}

int ts_ingest_crew_run(struct ts_ingest_crew *crew, char *const *dirs, size_t count,
                       struct ts_why *why)
{
    struct work work = {crew, dirs, count, 0, 0, PTHREAD_MUTEX_INITIALIZER};
    pthread_t others[OTHERS_MOST];
    struct ts_db *db;
    size_t begun = 0;
    int err = ts_db_open(crew->where, &db, why); /* first of all alone: it may make the tables */
    if (err)
        return err;
    err = ts_db_last_added(db, &work.last, why);
    const size_t wanted = err ? 0 : others_for(crew->where, count);
    while (begun < wanted && pthread_create(&others[begun], NULL, join_in, &work) == 0)
        begun++;
    if (!err)
        ingest_with(&work, db);
    while (begun)
        (void)pthread_join(others[--begun], NULL);
    ts_db_close(db);
    return err;
}
