/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The seam. Everything that measures or decides sees a bench and nothing behind it: live devices,
 * the simulated bench, or a recorded session. One thread calls these functions. */
#ifndef TS_BENCH_BENCH_H
#define TS_BENCH_BENCH_H

#include "base/err.h"
#include "model/item.h"

struct ts_bench {
    const struct ts_bench_ops *ops;
};

struct ts_bench_ops {
    /* Starts a command and returns at once; its TS_ITEM_DONE comes up later, also when it fails.
     * Strings in *command are copied. */
    int (*submit)(struct ts_bench *bench, const struct ts_command *command);
    /* Waits for the next item. *item and what it points to stay valid until the next call.
     * TS_EOF: no item can come any more (nothing is pending and no stream is open). */
    int (*next)(struct ts_bench *bench, struct ts_item *item);
    /* Fixed for the life of the bench. */
    const struct ts_camera_geometry *(*camera)(struct ts_bench *bench);
    void (*close)(struct ts_bench *bench);
    /* Puts a file of this computer on the phone; waits until it is there. Before a campaign, since
     * nothing of it is an item. TS_ENOTSUP: there is no phone. NULL: it is as if it were there. */
    int (*put_file)(struct ts_bench *bench, const char *path, const char *to, struct ts_why *why);
};

/* What a driver is told when it is opened. Borrowed for the call. */
struct ts_bench_config {
    uint64_t seed;            /* simulated bench only */
    const char *truth_path;   /* simulated bench only: where reference values go, or NULL */
    const char *options;      /* the plan's `bench:` options, "key=value,key=value", or "" */
    const char *session_path; /* replay only */
    const char *phone;        /* live only: as the plan says; options come first. NULL: auto */
};

struct ts_bench_driver {
    const char *name;
    int (*open)(const struct ts_bench_config *config, struct ts_bench **out, struct ts_why *why);
};

static inline int ts_bench_submit(struct ts_bench *bench, const struct ts_command *command)
{
    return bench->ops->submit(bench, command);
}

static inline int ts_bench_next(struct ts_bench *bench, struct ts_item *item)
{
    return bench->ops->next(bench, item);
}

static inline const struct ts_camera_geometry *ts_bench_camera(struct ts_bench *bench)
{
    return bench->ops->camera(bench);
}

static inline int ts_bench_put_file(struct ts_bench *bench, const char *path, const char *to,
                                    struct ts_why *why)
{
    return bench->ops->put_file ? bench->ops->put_file(bench, path, to, why) : TS_OK;
}

static inline void ts_bench_close(struct ts_bench *bench)
{
    if (bench)
        bench->ops->close(bench);
}

#endif
