/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A lab of a million launches into PostgreSQL and SQLite, and compared there. */
#include "perf.h"

#include "cli/compare_run.h"
#include "cli/ingest_crew.h"
#include "lab.h"

#include <libpq-fe.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MILLION         1000000
#define FOLDERS         40 /* sessions that are read from their folders */
#define PEER_EVERY      10 /* sessions */
#define LEAST_RATE      20000.0
#define COMPARE_LIMIT_S 3.0

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Seconds on the clock, of this process and of the server's process for it: the last two are what
 * it costs, whoever else is at work. */
struct spent {
    double wall_s, own_s, server_s;
};

static int take_pid(void *context, const struct ts_db_cell *row)
{
    *(int64_t *)context = row->u.integer;
    return TS_OK;
}

/* utime and stime of proc_pid_stat(5), the 12th and 13th number behind the name; 0: not to be seen,
 * or there is no server. */
static double server_s(struct ts_db *db)
{
    char path[64], line[1024] = "";
    int64_t pid = 0;
    unsigned long user = 0, system = 0;
    struct ts_why unsaid;
    if (!db ||
        ts_db_read(db, "SELECT CAST(pg_backend_pid() AS BIGINT)", "i", take_pid, &pid, &unsaid))
        return 0;
    snprintf(path, sizeof path, "/proc/%lld/stat", (long long)pid);
    FILE *file = fopen(path, "r");
    const char *behind = file && fgets(line, sizeof line, file) ? strrchr(line, ')') : NULL;
    if (behind)
        (void)sscanf(behind, ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user,
                     &system);
    if (file)
        fclose(file);
    return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

static struct spent spent_by(struct ts_db *db)
{
    struct timespec own;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &own);
    return (struct spent){now_s(), (double)own.tv_sec + (double)own.tv_nsec / 1e9, server_s(db)};
}

static struct spent since(struct spent begin, struct ts_db *db)
{
    const struct spent end = spent_by(db);
    return (struct spent){end.wall_s - begin.wall_s, end.own_s - begin.own_s,
                          end.server_s - begin.server_s};
}

static int fail(const struct ts_why *why)
{
    fprintf(stderr, "perf: %s\n", why->text);
    return 1;
}

/* One of two databases with the lab in it. */
struct lab {
    const char *name, *where, *folder;
    int sessions;
    double least_rate, limit_s; /* 0: none was set */
};

static void say_rate(const struct lab *lab, const char *what, int launches, struct spent spent)
{
    char name[80];
    snprintf(name, sizeof name, "%s, %s", lab->name, what);
    if (lab->least_rate > 0)
        perf_say_rate(name, launches / spent.wall_s, "launches", lab->least_rate);
    else
        printf("  %-40s %9.0f launches/s\n", name, launches / spent.wall_s);
    printf("    %-38s %9.0f launches/s of processor time here, %.0f of the server's\n", "",
           launches / spent.own_s, spent.server_s > 0 ? launches / spent.server_s : NAN);
}

/* ---- the peer: libpq alone, and bytes of COPY that were made before ---- */

struct peer {
    PGconn *server; /* owned; NULL: there is no server */
    char *rows;     /* owned; of one session */
    int size;
    double wall_s;
    int launches;
};

static bool peer_run(struct peer *peer, const char *sql, ExecStatusType wanted)
{
    PGresult *result = PQexec(peer->server, sql);
    const bool done = PQresultStatus(result) == wanted;
    PQclear(result);
    return done;
}

/* Takes the rows of the session that is in the lab by now. */
static bool peer_begin(struct peer *peer, const char *where)
{
    static const char table[] = "CREATE TABLE peer (LIKE launch INCLUDING INDEXES)";
    struct ts_buf rows = {0};
    char *message;
    int size, err = TS_OK;
    *peer = (struct peer){.server = PQconnectdb(where)};
    if (!peer_run(peer, table, PGRES_COMMAND_OK) ||
        !peer_run(peer, "COPY launch TO STDOUT (FORMAT binary)", PGRES_COPY_OUT))
        return false;
    while ((size = PQgetCopyData(peer->server, &message, 0)) > 0) {
        err |= ts_buf_append(&rows, message, (size_t)size);
        PQfreemem(message);
    }
    PQclear(PQgetResult(peer->server));
    while (PQgetResult(peer->server))
        continue;
    peer->rows = (char *)rows.data;
    peer->size = (int)rows.size;
    return !err;
}

/* The same rows once more; to take those of before away is not on its clock. */
static bool peer_put(struct peer *peer)
{
    if (!peer_run(peer, "TRUNCATE peer", PGRES_COMMAND_OK))
        return false;
    const double begin = now_s();
    if (!peer_run(peer, "COPY peer FROM STDIN (FORMAT binary)", PGRES_COPY_IN) ||
        PQputCopyData(peer->server, peer->rows, peer->size) != 1 ||
        PQputCopyEnd(peer->server, NULL) != 1)
        return false;
    PGresult *result = PQgetResult(peer->server);
    const bool done = PQresultStatus(result) == PGRES_COMMAND_OK;
    PQclear(result);
    while (PQgetResult(peer->server))
        continue;
    peer->wall_s += now_s() - begin;
    peer->launches += LAB_LAUNCHES;
    return done;
}

static void peer_end(struct peer *peer)
{
    if (peer->server)
        PQfinish(peer->server);
    free(peer->rows);
}

/* ---- */

/* One session after the other, made while no clock runs; the peer takes its turns in between. */
static int put_all(const struct lab *lab, struct ts_db *db, struct peer *peer, struct spent *spent,
                   struct ts_why *why)
{
    struct ts_result *results = perf_alloc(LAB_LAUNCHES * sizeof *results);
    const double server_began_s = server_s(db);
    int err = TS_OK;
    for (int number = 0; number < lab->sessions && !err; number++) {
        struct lab_session session;
        lab_session_make(&session, number, lab->sessions);
        for (int i = 0; i < LAB_LAUNCHES; i++)
            lab_launch_make(&session, number, lab->sessions, i + 1, &results[i]);
        const struct spent begin = spent_by(NULL);
        err = lab_put_results(db, &session, number, results, why);
        const struct spent more = since(begin, NULL);
        spent->wall_s += more.wall_s;
        spent->own_s += more.own_s;
        ts_plan_free(&session.plan);
        const bool is_server = !err && ts_db_is_server(lab->where);
        if (is_server && number == 0 && !peer_begin(peer, lab->where))
            err = ts_fail(why, TS_EIO, "the peer has no table of its own");
        if (is_server && !err && number % PEER_EVERY == 0 && !peer_put(peer))
            err = ts_fail(why, TS_EIO, "the peer could not put its rows in");
    }
    spent->server_s = server_s(db) - server_began_s;
    free(results);
    return err;
}

static int put(const struct lab *lab)
{
    struct ts_db *db;
    struct ts_why why = {""};
    struct spent spent = {0};
    struct peer peer = {0};
    int err = ts_db_open(lab->where, &db, &why);
    if (err)
        return fail(&why);
    err = put_all(lab, db, &peer, &spent, &why);
    ts_db_close(db);
    const int launches = lab->sessions * LAB_LAUNCHES;
    if (!err)
        say_rate(lab, "ingest of results", launches, spent);
    if (!err && peer.launches) {
        printf("  %-40s %9.0f launches/s\n", "  libpq alone, COPY of the same rows",
               peer.launches / peer.wall_s);
        printf("  %-40s %9.2f x\n", "  of its time",
               spent.wall_s / launches / (peer.wall_s / peer.launches));
    }
    peer_end(&peer);
    return err ? fail(&why) : 0;
}

static void say_failure(const char *text)
{
    fprintf(stderr, "perf: %s\n", text);
}

/* The whole way from folders; these sessions come on top of the lab's. */
static int ingest_folders(const struct lab *lab)
{
    struct ts_ingest_crew crew = {
        .where = lab->where, .rig = "rig 1", .device = "Device 1", .say = say_failure};
    struct ts_why why = {""};
    static char dirs[FOLDERS][512];
    char *all[FOLDERS];
    int err = TS_OK;
    for (int i = 0; i < FOLDERS && !err; i++) {
        all[i] = dirs[i];
        snprintf(dirs[i], sizeof dirs[i], "%s/session%d", lab->folder, i);
        if (access(dirs[i], F_OK))
            err =
                lab_write(dirs[i], lab->sessions + i, lab->sessions + FOLDERS, LAB_LAUNCHES, &why);
    }
    const struct spent begin = spent_by(NULL);
    if (!err)
        err = ts_ingest_crew_run(&crew, all, FOLDERS, &why);
    if (!err)
        say_rate(lab, "ingest of session folders", crew.added, since(begin, NULL));
    return err ? fail(&why) : crew.failed || crew.lost;
}

static int compare(const struct lab *lab, const char *by)
{
    const struct ts_compare_source source = {"settled", NULL, NULL, NULL, NULL};
    const struct ts_compare_options options = {
        {0.95, 0.05, 0, 1}, TS_RIGS_BY_THEMSELVES, (double)NAN, false};
    struct ts_compare_data data = {0};
    struct ts_compared *compared = NULL;
    struct ts_why why = {""};
    size_t launches = 0;
    const struct spent begin = spent_by(NULL);
    int err = ts_compare_add_database(&data, lab->where, by, &source, &why);
    const struct spent loaded = since(begin, NULL);
    if (!err && !(compared = calloc(data.count, sizeof *compared)))
        err = TS_ENOMEM;
    if (!err)
        err = ts_compare_run(&data, &options, compared, &why);
    const struct spent all = since(begin, NULL);
    for (size_t i = 0; i < data.count; i++)
        launches += data.groups[i].count;
    if (!err) {
        printf("  %s, compare %-27s %9.2f s ", lab->name, by, all.wall_s);
        if (lab->limit_s > 0)
            printf("(limit < %.2f s) %s", lab->limit_s,
                   all.wall_s < lab->limit_s ? "PASS" : "over");
        printf("\n    %-38s %9.2f s of it reading; %.2f and %.2f s of processor time here; %zu "
               "launches, %zu groups\n",
               "", loaded.wall_s, all.own_s, loaded.own_s, launches, data.count);
        ts_compared_free(compared, data.count - 1);
    }
    free(compared);
    ts_compare_data_free(&data);
    return err ? fail(&why) : 0;
}

static int measure(const struct lab *lab)
{
    int failed = put(lab);
    if (!failed)
        failed = ingest_folders(lab);
    if (!failed)
        failed = compare(lab, "device");
    if (!failed)
        failed = compare(lab, "build");
    return failed ? failed : compare(lab, "rig");
}

/* The first line of what a command prints; false when it fails. */
static bool run(const char *action, const char *folder, char *line, int size)
{
    char command[640];
    snprintf(command, sizeof command, "sh '%s/tests/cli/postgres.sh' %s '%s'", TS_SOURCE_DIR,
             action, folder);
    FILE *pipe = popen(command, "r");
    if (!pipe)
        return false;
    *line = '\0';
    if (!fgets(line, size, pipe))
        *line = '\0';
    line[strcspn(line, "\n")] = '\0';
    return pclose(pipe) == 0;
}

int perf_database(int argc, char **argv)
{
    char folder[] = "/tmp/touchstone-lab-XXXXXX", line[256] = "", file[300], command[64];
    const int launches = argc > 0 ? atoi(argv[0]) : MILLION;
    const int sessions = (launches + LAB_LAUNCHES - 1) / LAB_LAUNCHES;
    if (launches < 1 || !mkdtemp(folder))
        return 1;
    printf("%d launches in %d sessions\n", sessions * LAB_LAUNCHES, sessions);
    int failed = !run("start", folder, line, sizeof line);
    const struct lab postgres = {"PostgreSQL", line, folder, sessions, LEAST_RATE, COMPARE_LIMIT_S};
    snprintf(file, sizeof file, "%s/lab.sqlite", folder);
    const struct lab sqlite = {"SQLite", file, folder, sessions, 0, 0};
    if (!failed)
        failed = measure(&postgres);
    char ignored[64];
    (void)run("stop", folder, ignored, sizeof ignored);
    if (!failed)
        failed = measure(&sqlite);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command) != 0 || failed;
}
