/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/ingest.h"

#include "store/files.h"
#include "store/layout.h"
#include "store/result_file.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define RESULT_MOST   ((size_t)1 << 20)
#define VERSIONS_MOST 64 /* folders in analysis/ */

/* A launch, or an analysis of one, and what the database has of it. */
struct entry {
    bool there;
    bool copied;     /* just now */
    char *exclusion; /* owned; NULL: none */
};

struct launch {
    struct entry kept, *analyses; /* owned, one for each version */
    char *app, *build, *version;  /* owned; of the kept result; NULL until one has told */
};

struct work {
    struct ts_ingest *ingest;
    struct ts_session *session; /* owned */
    struct ts_ingest_identity identity;
    int64_t id;
    bool other;              /* the id is taken by another session */
    struct launch *launches; /* owned, from index 1 */
    int count;
    char *versions[VERSIONS_MOST]; /* owned */
    int version_count;
    int added, there;
    struct timespec repeated; /* when results.sqlite was last written */
};

static int no_memory(struct ts_why *why)
{
    return ts_fail(why, TS_ENOMEM, "out of memory");
}

static int set_text(char **to, const char *text)
{
    free(*to);
    *to = strdup(text);
    return *to ? TS_OK : TS_ENOMEM;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static int find_versions(struct work *work, const char *dir, struct ts_why *why)
{
    struct ts_path path;
    int err = ts_path_format(&path, why, "%s/analysis", dir);
    DIR *folder = err ? NULL : opendir(path.text);
    if (!folder)
        return err;
    /* This stream is this thread's alone. */
    /* cppcheck-suppress readdirCalled */
    /* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): work->versions owns them */
    for (struct dirent *entry; !err && (entry = readdir(folder));) {
        if (entry->d_name[0] == '.')
            continue;
        if (work->version_count == VERSIONS_MOST) {
            err = ts_fail(why, TS_EOVERRUN, "%s: more than %d versions", path.text, VERSIONS_MOST);
            continue;
        }
        char *version = strdup(entry->d_name);
        if (version)
            work->versions[work->version_count++] = version;
        else
            err = no_memory(why);
    }
    closedir(folder);
    if (!err)
        qsort(work->versions, (size_t)work->version_count, sizeof *work->versions, by_name);
    return err;
}

static int take_digest(void *context, const struct ts_db_cell *row)
{
    struct work *work = context;
    work->other = strcmp(ts_db_text(row), work->identity.digest) != 0;
    return TS_OK;
}

/* Of the kept result. */
static int set_texts(struct launch *launch, const char *app, const char *build, const char *version)
{
    const int err = set_text(&launch->app, app);
    return err || set_text(&launch->build, build) ? TS_ENOMEM : set_text(&launch->version, version);
}

/* launch, kept, detector_version, exclusion, app, build */
static int take_known(void *context, const struct ts_db_cell *row)
{
    struct work *work = context;
    if (!work->launches || row[0].u.integer < 1 || row[0].u.integer > work->count)
        return TS_OK; /* of a launch that somebody removed from the session */
    struct launch *launch = &work->launches[row[0].u.integer];
    struct entry *entry = NULL;
    if (row[1].u.integer)
        entry = &launch->kept;
    for (int i = 0; i < work->version_count && !entry; i++) {
        if (strcmp(work->versions[i], ts_db_text(&row[2])) == 0)
            entry = &launch->analyses[i];
    }
    if (!entry)
        return TS_OK;
    entry->there = true;
    const int err = row[3].kind == TS_DB_TEXT ? set_text(&entry->exclusion, row[3].u.text) : TS_OK;
    return err || !row[1].u.integer
               ? err
               : set_texts(launch, ts_db_text(&row[4]), ts_db_text(&row[5]), ts_db_text(&row[2]));
}

static int find_known(struct work *work, struct ts_why *why)
{
    struct ts_db *db = work->ingest->db;
    char sql[256];
    snprintf(sql, sizeof sql, "SELECT digest FROM session WHERE id = %" PRId64 " OR digest = ''",
             work->id);
    int err = ts_db_read(db, sql, "t", take_digest, work, why);
    snprintf(sql, sizeof sql,
             "SELECT launch.launch, launch.kept, launch.detector_version, launch.exclusion, "
             "setup.app, setup.build FROM launch JOIN setup ON setup.id = launch.setup_id "
             "WHERE launch.session_id = %" PRId64,
             work->id);
    if (!err)
        err = ts_db_read(db, sql, "iitttt", take_known, work, why);
    work->ingest->lost = err != TS_OK && err != TS_ENOMEM;
    if (!err && work->other)
        err = ts_fail(why, TS_EPROTO,
                      "%s: the database is one session's own (results.sqlite), or has another "
                      "session with the id %" PRId64 "; give the lab one of its own",
                      ts_session_get_folder(work->session), work->id);
    return err;
}

static bool same(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static int add(struct work *work, const struct ts_result *result, bool kept, bool warm_up,
               struct ts_why *why)
{
    const struct ts_db_launch launch = {result, kept, warm_up,
                                        ts_session_exclusion(work->session, result->launch)};
    const int err = ts_db_add_launch(work->ingest->db, work->id, &launch, why);
    work->ingest->lost = err != TS_OK;
    return err;
}

/* Every launch up to this one has told its app. */
static bool warms_up(const struct work *work, int number)
{
    const struct ts_plan *plan = ts_session_get_plan(work->session);
    const struct launch *all = work->launches;
    const bool all_count = ts_plan_installs(plan);
    int before = 0;
    for (int i = 1; i < number && (before < plan->warm_up || all_count); i++)
        before += strcmp(all[i].app, all[number].app) == 0 &&
                  strcmp(all[i].build, all[number].build) == 0;
    return ts_plan_warms_up(plan, before);
}

static int load_analysis(const struct work *work, int version, int number, struct ts_result *out,
                         struct ts_why *why)
{
    struct ts_path path;
    struct ts_buf bytes = {0};
    struct ts_why inner;
    int err = ts_path_format(&path, why, "%s/analysis/%s/%04d.json",
                             ts_session_get_folder(work->session), work->versions[version], number);
    if (err)
        return err;
    if (!ts_file_exists(path.text))
        return TS_EOF;
    err = ts_file_read(path.text, RESULT_MOST, &bytes, why);
    if (err)
        return err;
    err = ts_result_parse((const char *)bytes.data, bytes.size - 1, out, &inner);
    ts_buf_free(&bytes);
    if (!err &&
        (out->launch != number || strcmp(out->detector_version, work->versions[version]) != 0))
        err = ts_fail(&inner, TS_EPROTO, "is not what its name says");
    return err ? ts_fail(why, err, "%s: %s", path.text, inner.text) : TS_OK;
}

/* Whether a launch's result may have been written after the database that repeats it. Clocks of
 * files go in steps. */
static bool is_newer(const struct work *work, int number)
{
    struct ts_path path;
    struct stat of;
    if (ts_layout_file(ts_session_get_folder(work->session), number, "result.json", &path, NULL) ||
        stat(path.text, &of))
        return true;
    const struct timespec *then = &work->repeated, *now = &of.st_mtim;
    return now->tv_sec != then->tv_sec ? now->tv_sec > then->tv_sec : now->tv_nsec >= then->tv_nsec;
}

static int take_copy(void *context, const struct ts_db_of *of, const char **exclusion)
{
    struct work *work = context;
    const int number = of->launch;
    if (number < 1 || number > work->count || is_newer(work, number))
        return 0;
    struct launch *launch = &work->launches[number];
    *exclusion = ts_session_exclusion(work->session, number);
    if (launch->kept.there && same(launch->kept.exclusion, *exclusion))
        return 0;
    if (set_texts(launch, of->app, of->build, of->version))
        return TS_ENOMEM;
    return launch->kept.copied = true;
}

/* results.sqlite says what the results say, and is read sooner. */
static int copy_launches(struct work *work, struct ts_why *why)
{
    const struct ts_db_choice choice = {take_copy, work};
    struct ts_path path;
    struct stat of;
    int err = ts_path_format(&path, why, "%s/results.sqlite", ts_session_get_folder(work->session));
    if (err || stat(path.text, &of))
        return err;
    work->repeated = of.st_mtim;
    err = ts_db_copy_launches(path.text, work->ingest->db, work->id, &choice, why);
    work->ingest->lost = err && err != TS_ENOMEM;
    return err;
}

static int add_launch(struct work *work, int number, struct ts_why *why)
{
    struct launch *launch = &work->launches[number];
    const char *exclusion = ts_session_exclusion(work->session, number);
    struct ts_result result;
    char app[sizeof result.app];
    const bool known =
        launch->kept.copied || (launch->kept.there && same(launch->kept.exclusion, exclusion));
    int err = known ? TS_OK : ts_session_load_result(work->session, number, &result, why);
    if (!err && !known) {
        ts_plan_plain_app(result.app, result.conditions.build, app, sizeof app);
        if (set_texts(launch, app, result.conditions.build, result.detector_version))
            err = no_memory(why);
    }
    if (err)
        return err;
    const bool warms = warms_up(work, number);
    if (!known)
        err = add(work, &result, true, warms, why);
    work->added += !launch->kept.there;
    work->there += launch->kept.there;
    for (int i = 0; i < work->version_count && !err; i++) {
        const struct entry *entry = &launch->analyses[i];
        /* A result of the same version differs because the evidence was damaged since. */
        if (strcmp(work->versions[i], launch->version) == 0)
            continue;
        work->there += entry->there;
        if (entry->there && same(entry->exclusion, exclusion))
            continue;
        err = load_analysis(work, i, number, &result, why);
        if (!err)
            err = add(work, &result, false, warms, why);
        work->added += !err && !entry->there;
        err = err == TS_EOF ? TS_OK : err;
    }
    return err;
}

static int fill(struct work *work, struct ts_why *why)
{
    struct ts_ingest *ingest = work->ingest;
    const struct ts_db_session session = {
        .id = work->id,
        .digest = work->identity.digest,
        .info = ts_session_get_info(work->session),
        .plan = ts_session_get_plan(work->session),
        .rig = ingest->rig ? ingest->rig : work->identity.rig,
        .rig_values = work->identity.rig_values,
        .started = work->identity.started,
        .device = ingest->device ? ingest->device : work->identity.device,
        .added = ingest->place,
    };
    int err = ts_db_begin(ingest->db, why);
    if (!err)
        err = ts_db_add_session(ingest->db, &session, why);
    ingest->lost = err != TS_OK;
    if (!err)
        err = copy_launches(work, why);
    for (int number = 1; number <= work->count && !err; number++)
        err = add_launch(work, number, why);
    if (!err) {
        err = ts_db_commit(ingest->db, why);
        ingest->lost = err != TS_OK;
    }
    if (err)
        ts_db_cancel(ingest->db);
    return err;
}

static int make_room(struct work *work, struct ts_why *why)
{
    work->launches = calloc((size_t)work->count + 1, sizeof *work->launches);
    for (int i = 0; work->launches && i <= work->count; i++) {
        work->launches[i].analyses =
            calloc((size_t)work->version_count + 1, sizeof *work->launches[i].analyses);
        if (!work->launches[i].analyses)
            return no_memory(why);
    }
    return work->launches ? TS_OK : no_memory(why);
}

static void free_work(struct work *work)
{
    for (int i = 0; work->launches && i <= work->count; i++) {
        struct launch *launch = &work->launches[i];
        for (int j = 0; launch->analyses && j < work->version_count; j++)
            free(launch->analyses[j].exclusion);
        free(launch->analyses);
        free(launch->kept.exclusion);
        free(launch->app);
        free(launch->build);
        free(launch->version);
    }
    free(work->launches);
    for (int i = 0; i < work->version_count; i++)
        free(work->versions[i]);
    ts_session_free(work->session);
}

int ts_ingest_session(struct ts_ingest *ingest, const char *dir, struct ts_why *why)
{
    struct work work = {.ingest = ingest};
    ingest->lost = false;
    int err = ts_session_open(dir, &work.session, why);
    if (!err)
        work.count = ts_session_launch_count(work.session);
    if (!err && work.count) {
        err = ts_ingest_identify(work.session, &work.identity, why);
        work.id = ts_db_id(work.identity.digest);
        if (!err)
            err = find_versions(&work, dir, why);
        if (!err)
            err = make_room(&work, why);
        if (!err)
            err = find_known(&work, why);
        if (!err)
            err = fill(&work, why);
    }
    if (!err) {
        ingest->sessions++;
        ingest->added += work.added;
        ingest->there += work.there;
    }
    free_work(&work);
    return err;
}
