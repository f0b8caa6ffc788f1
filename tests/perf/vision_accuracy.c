/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "vision_accuracy.h"

#include "perf.h"

#include <errno.h>
#include <glob.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { THREADS_MOST = 16, SEEDS = 2, QUICK_CONDITIONS_STEP = 4 };

struct options {
    int seeds;
    unsigned long long first_seed;
    bool quick, rivals;
    const char *csv, *condition, *recording, *folder;
};

/* The films of one recording, shared out among threads. */
struct work {
    const struct sim_recording *recording;
    struct accuracy_launch *launches; /* [count] */
    size_t count, next;
    bool rivals;
    pthread_mutex_t lock;
    int err;
    struct ts_why why;
};

struct all {
    struct accuracy_launch *launches;
    size_t count, capacity;
};

static int usage(void)
{
    fprintf(stderr,
            "Usage: ./dev perf vision-accuracy [OPTION...]\n\n"
            "  --seeds N        films of every recording under every condition (%d)\n"
            "  --first-seed N   the first of the seeds (1)\n"
            "  --quick          a quarter of the conditions for each recording, one seed\n"
            "  --ours           only the literal rule and ours: faster\n"
            "  --condition NAME, --recording NAME\n"
            "                   only this one\n"
            "  --recordings FOLDER\n"
            "                   those of take.sh in another folder\n"
            "  --csv FILE       a line for every launch; its film is\n"
            "                   touchstone-film RECORDING --condition C --seed S\n",
            SEEDS);
    return 1;
}

static bool parse(int argc, char **argv, struct options *o)
{
    *o = (struct options){.seeds = SEEDS,
                          .first_seed = 1,
                          .rivals = true,
                          .folder = TS_SOURCE_DIR "/fixtures/recordings"};
    for (int i = 0; i < argc; i++) {
        const char *key = argv[i];
        if (strcmp(key, "--quick") == 0) {
            o->quick = true;
            o->seeds = 1;
            continue;
        }
        if (strcmp(key, "--ours") == 0) {
            o->rivals = false;
            continue;
        }
        if (i + 1 == argc)
            return false;
        const char *value = argv[++i];
        if (strcmp(key, "--seeds") == 0)
            o->seeds = atoi(value);
        else if (strcmp(key, "--first-seed") == 0)
            o->first_seed = strtoull(value, NULL, 10);
        else if (strcmp(key, "--csv") == 0)
            o->csv = value;
        else if (strcmp(key, "--condition") == 0)
            o->condition = value;
        else if (strcmp(key, "--recording") == 0)
            o->recording = value;
        else if (strcmp(key, "--recordings") == 0)
            o->folder = value;
        else
            return false;
    }
    return o->seeds > 0 && (!o->condition || sim_condition_find(o->condition));
}

static void *film(void *context)
{
    struct work *work = context;
    for (;;) {
        pthread_mutex_lock(&work->lock);
        const bool over = work->next == work->count || work->err;
        struct accuracy_launch *launch = over ? NULL : &work->launches[work->next++];
        pthread_mutex_unlock(&work->lock);
        if (!launch)
            return NULL;
        struct ts_why why = {""};
        const int err = accuracy_measure(work->recording, work->rivals, launch, &why);
        if (!err)
            continue;
        pthread_mutex_lock(&work->lock);
        work->err = err;
        work->why = why;
        pthread_mutex_unlock(&work->lock);
    }
}

static int film_all(struct work *work)
{
    const long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    pthread_t threads[THREADS_MOST];
    int count = 0;
    pthread_mutex_init(&work->lock, NULL);
    while (count < THREADS_MOST && count < cpus - 1 &&
           pthread_create(&threads[count], NULL, film, work) == 0)
        count++;
    film(work);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    pthread_mutex_destroy(&work->lock);
    if (work->err)
        fprintf(stderr, "perf: %s\n", work->why.text);
    return work->err;
}

static bool is_wanted(const struct options *o, size_t recording, size_t condition)
{
    if (o->condition)
        return strcmp(sim_conditions[condition].name, o->condition) == 0;
    return !o->quick || condition % QUICK_CONDITIONS_STEP == recording % QUICK_CONDITIONS_STEP;
}

/* Different seeds for every recording and condition, so that each film has its own phases; by the
 * recording's name, so that one more recording leaves the others' films as they were. */
static uint64_t seed_of(const struct options *o, const char *recording, size_t condition, int n)
{
    uint64_t hash = 14695981039346656037u; /* FNV-1a */
    for (; *recording; recording++)
        hash = (hash ^ (uint8_t)*recording) * 1099511628211u;
    return (uint64_t)(o->first_seed + (unsigned)n) * 1000000 + hash % 10000 * 100 + condition;
}

static struct accuracy_launch *add(struct all *all)
{
    if (all->count == all->capacity) {
        all->capacity = all->capacity ? 2 * all->capacity : 256;
        void *more = realloc(all->launches, all->capacity * sizeof *all->launches);
        if (!more) {
            fprintf(stderr, "perf: no memory\n");
            exit(1);
        }
        all->launches = more;
    }
    struct accuracy_launch *launch = &all->launches[all->count++];
    memset(launch, 0, sizeof *launch);
    return launch;
}

static int film_recording(const char *path, size_t number, const struct options *o, struct all *all)
{
    struct ts_why why = {""};
    struct sim_recording *recording;
    int err = sim_recording_open(path, &recording, &why);
    if (err) {
        fprintf(stderr, "perf: %s\n", why.text);
        return err;
    }
    const size_t before = all->count;
    for (size_t c = 0; c < sim_condition_count; c++) {
        for (int n = 0; n < o->seeds && is_wanted(o, number, c); n++) {
            struct accuracy_launch *launch = add(all);
            launch->condition = &sim_conditions[c];
            launch->seed = seed_of(o, recording->name, c, n);
            snprintf(launch->recording, sizeof launch->recording, "%s", recording->name);
        }
    }
    if (!o->recording || strcmp(o->recording, recording->name) == 0) {
        struct work work = {.recording = recording,
                            .launches = all->launches + before,
                            .count = all->count - before,
                            .rivals = o->rivals};
        err = film_all(&work);
    } else {
        all->count = before;
    }
    sim_recording_close(recording);
    return err;
}

static int write_csv(const char *path, const struct all *all)
{
    FILE *file = fopen(path, "w");
    if (!file) {
        fprintf(stderr, "perf: %s: %s\n", path, strerror(errno));
        return 1;
    }
    accuracy_print_csv(file, all->launches, all->count);
    const bool failed = ferror(file);
    return fclose(file) || failed;
}

int perf_vision_accuracy(int argc, char **argv)
{
    struct options o;
    if (!parse(argc, argv, &o))
        return usage();
    char pattern[4096];
    snprintf(pattern, sizeof pattern, "%s/*.json", o.folder);
    glob_t found;
    if (glob(pattern, 0, NULL, &found) != 0) {
        fprintf(stderr, "perf: there are no recordings in %s\n", o.folder);
        return 1;
    }
    struct all all = {0};
    int err = 0;
    for (size_t i = 0; i < found.gl_pathc && !err; i++)
        err = film_recording(found.gl_pathv[i], i, &o, &all);
    globfree(&found);
    if (!err)
        accuracy_print(stdout, all.launches, all.count, o.rivals);
    if (!err && o.csv)
        err = write_csv(o.csv, &all);
    free(all.launches);
    return err ? 1 : 0;
}
