/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "probe/memory.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define STAMPS (TS_PROBE_DELTAS + 1)

/* Unrolled by hand: not even the compiler has a say in how often a loop's header comes between two
 * readings. */
#define READ_1     clock_gettime(CLOCK_MONOTONIC_RAW, at++);
#define TEN(read)  read read read read read read read read read read
#define READ_10    TEN(READ_1)
#define READ_100   TEN(READ_10)
#define READ_1000  TEN(READ_100)
#define READ_10000 TEN(READ_1000)

/* Unrolled: nothing but the clock between two reads. */
/* NOLINTNEXTLINE(readability-function-size) */
__attribute__((noinline)) static void read_all(struct timespec *at)
{
    READ_1 READ_10000
}

static int core_fail(struct ts_why *why, int reason, const char *what)
{
    return ts_fail(why, TS_EIO, "%s: %s", what, strerror(reason));
}

int ts_probe_cores(int *cores, struct ts_why *why)
{
    cpu_set_t set;
    int count = 0;
    if (sched_getaffinity(0, sizeof set, &set))
        return core_fail(why, errno, "the cores of this computer cannot be listed");
    for (int core = 0; core < CPU_SETSIZE && core < TS_PROBE_CORES; core++) {
        if (CPU_ISSET((size_t)core, &set))
            cores[count++] = core;
    }
    return count;
}

/* The stamps are written to beforehand, and one run goes before the one that counts: the first
 * would measure how code and stamps come into memory. */
static int run_bound(const cpu_set_t *one, struct timespec *stamps, struct ts_why *why)
{
    if (sched_setaffinity(0, sizeof *one, one))
        return core_fail(why, errno, "the probe cannot be bound to a core");
    memset(stamps, 0, STAMPS * sizeof *stamps);
    read_all(stamps);
    read_all(stamps);
    return TS_OK;
}

int ts_probe_run(int core, enum ts_probe_memory memory, double *deltas_ns, struct ts_why *why)
{
    cpu_set_t before, one;
    if (sched_getaffinity(0, sizeof before, &before))
        return core_fail(why, errno, "the cores of this computer cannot be listed");
    if (core < 0 || core >= CPU_SETSIZE || !CPU_ISSET((size_t)core, &before))
        return ts_fail(why, TS_EINVAL, "there is no core %d to run on", core);
    CPU_ZERO(&one);
    CPU_SET((size_t)core, &one);
    struct ts_probe_blocks blocks = {0};
    struct timespec *stamps = malloc(STAMPS * sizeof *stamps);
    int err = stamps ? ts_probe_blocks_take(memory, &blocks) : TS_ENOMEM;
    if (!err)
        err = run_bound(&one, stamps, why);
    if (!err && sched_setaffinity(0, sizeof before, &before))
        err = core_fail(why, errno, "the probe cannot be freed from its core");
    for (size_t i = 0; !err && i < TS_PROBE_DELTAS; i++)
        deltas_ns[i] = (double)(stamps[i + 1].tv_sec - stamps[i].tv_sec) * 1e9 +
                       (double)(stamps[i + 1].tv_nsec - stamps[i].tv_nsec);
    ts_probe_blocks_free(&blocks);
    free(stamps);
    return err;
}
