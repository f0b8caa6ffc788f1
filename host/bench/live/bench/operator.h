/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The person at the bench: asked on the terminal, answers with Enter, meanwhile items go on. */
#ifndef TS_LIVE_BENCH_OPERATOR_H
#define TS_LIVE_BENCH_OPERATOR_H

#include "bench/live/inbox.h"

#include <pthread.h>
#include <stdatomic.h>

/* Zeroed is a person who was never asked. */
struct ts_operator {
    struct ts_inbox *inbox;
    int in; /* the terminal */
    int stop;
    uint32_t command;
    pthread_t thread;
    bool started;
    atomic_bool asking;
};

/* The question goes to stderr, the answer comes from `in`; then DONE goes to the inbox: TS_OK, or
 * TS_EOF when the terminal has gone. TS_ENOTSUP: `in` is no terminal, which stderr is told, since
 * there is nobody else to tell; TS_EINVAL: the last question is still open. */
int ts_operator_ask(struct ts_operator *person, struct ts_inbox *inbox, int in,
                    const struct ts_command *command) TS_MUST_CHECK;
/* Does not wait for an answer. */
void ts_operator_leave(struct ts_operator *person);

#endif
