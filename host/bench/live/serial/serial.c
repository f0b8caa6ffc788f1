/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/live/serial.h"

#include "base/buf.h"
#include "bench/live/serial/ask.h"
#include "bench/live/serial/find.h"
#include "wire/wire.h"

#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* How often a board that is away is looked for. */
#define LOOK_NS (100 * TS_NS_PER_MS)
/* How long closing waits: the link gives a command up within a second. */
#define LINGER_NS (1500 * TS_NS_PER_MS)

/* A command that has not ended. */
struct open_command {
    struct ts_command command;
    bool handed; /* to the link */
};

struct ts_mcu {
    struct ts_inbox *inbox;
    pthread_t thread;
    bool started;
    int wake; /* eventfd: look at what the lock guards */

    pthread_mutex_t lock;
    struct open_command *commands; /* owned; in the order in which they were given */
    size_t count, capacity;
    bool stop;

    /* Of the thread, once it has started. */
    struct ts_port_id id;
    struct ts_board *board; /* owned; NULL: away */
    bool up;                /* it has greeted; commands go to it */
    int64_t away_ns;        /* since when it is not up */
    int64_t look_ns, linger_ns;
};

static void post(struct ts_mcu *mcu, const struct ts_item *item)
{
    (void)!ts_inbox_post(mcu->inbox, item); /* that there is no memory, taking says */
}

static void forget(struct ts_mcu *mcu, uint32_t id)
{
    pthread_mutex_lock(&mcu->lock);
    for (size_t i = 0; i < mcu->count; i++) {
        if (mcu->commands[i].command.id != id)
            continue;
        memmove(&mcu->commands[i], &mcu->commands[i + 1],
                (--mcu->count - i) * sizeof *mcu->commands);
        break;
    }
    pthread_mutex_unlock(&mcu->lock);
}

static void end_command(struct ts_mcu *mcu, uint32_t id, int status)
{
    forget(mcu, id);
    post(mcu, &(struct ts_item){.arrival = ts_live_now(),
                                .kind = TS_ITEM_DONE,
                                .u.done = {.command = id, .status = status, .text = ""}});
}

static void on_item(void *context, const struct ts_item *item)
{
    struct ts_mcu *mcu = context;
    if (item->kind == TS_ITEM_FAULT && item->u.fault.fault == TS_FAULT_MCU_LOST)
        return; /* said by lose(), of every way of being lost */
    if (item->kind == TS_ITEM_DONE)
        forget(mcu, item->u.done.command);
    post(mcu, item);
}

/* ---- commands ---- */

/* A board that is back carries out what was not acknowledged, but for two: a tap that was under way
 * may have been made, and must not be made twice; and a clock reading is of its instant. */
static bool outlives_loss(const struct open_command *open)
{
    const struct ts_command *command = &open->command;
    return command->kind == TS_COMMAND_MCU_SEND &&
           !(open->handed && command->u.mcu.type == WIRE_TAP);
}

enum choice { TO_HAND, LOST, ALL };

/* The next command that is to be handed over or to be ended. */
static bool choose(struct ts_mcu *mcu, enum choice choice, struct ts_command *out)
{
    bool found = false;
    pthread_mutex_lock(&mcu->lock);
    for (size_t i = 0; i < mcu->count && !found; i++) {
        struct open_command *open = &mcu->commands[i];
        if ((choice == TO_HAND && open->handed) || (choice == LOST && outlives_loss(open)))
            continue;
        found = true;
        open->handed = true;
        *out = open->command;
    }
    pthread_mutex_unlock(&mcu->lock);
    return found;
}

static void end_commands(struct ts_mcu *mcu, enum choice choice)
{
    struct ts_command command;
    while (choose(mcu, choice, &command))
        end_command(mcu, command.id, TS_EIO);
}

static void hand_over(struct ts_mcu *mcu)
{
    struct ts_command command;
    while (choose(mcu, TO_HAND, &command)) {
        const int err = ts_link_command(ts_board_link(mcu->board), ts_live_now(), &command);
        if (err)
            end_command(mcu, command.id, err);
    }
}

/* ---- away and back ---- */

static void lose(struct ts_mcu *mcu)
{
    const struct ts_host_time now = ts_live_now();
    ts_board_close(mcu->board);
    mcu->board = NULL;
    mcu->look_ns = now.ns;
    if (!mcu->up)
        return; /* it was only being asked */
    mcu->up = false;
    mcu->away_ns = now.ns;
    post(mcu, &(struct ts_item){
                  .arrival = now, .kind = TS_ITEM_FAULT, .u.fault = {TS_FAULT_MCU_LOST, 0}});
    end_commands(mcu, LOST);
    pthread_mutex_lock(&mcu->lock);
    for (size_t i = 0; i < mcu->count; i++)
        mcu->commands[i].handed = false;
    pthread_mutex_unlock(&mcu->lock);
}

static void look(struct ts_mcu *mcu)
{
    struct ts_port_id now;
    mcu->look_ns = ts_live_now().ns + LOOK_NS;
    if (ts_find_again(&mcu->id, &now) && ts_board_open(&now, on_item, mcu, &mcu->board, NULL))
        mcu->board = NULL; /* not yet: udev has still to give the right to open it, say */
}

static void work(struct ts_mcu *mcu)
{
    if (mcu->board && ts_board_work(mcu->board, NULL))
        lose(mcu);
    if (mcu->board && ts_board_greeted(mcu->board))
        mcu->up = true;
    const int64_t now_ns = ts_live_now().ns;
    if (!mcu->board && now_ns >= mcu->look_ns)
        look(mcu);
    if (mcu->up)
        hand_over(mcu);
    else
        end_commands(mcu, now_ns >= mcu->away_ns + TS_MCU_BACK_NS ? ALL : LOST);
}

/* ---- the thread ---- */

static int64_t deadline_ns(const struct ts_mcu *mcu)
{
    int64_t deadline = mcu->board ? ts_board_deadline_ns(mcu->board) : mcu->look_ns;
    const int64_t back = mcu->away_ns + TS_MCU_BACK_NS;
    if (!mcu->up && back < deadline && back > ts_live_now().ns)
        deadline = back;
    return mcu->linger_ns < deadline ? mcu->linger_ns : deadline;
}

static void wait_for_something(struct ts_mcu *mcu)
{
    struct pollfd fds[2] = {{.fd = mcu->wake, .events = POLLIN}, {.fd = -1, .events = POLLIN}};
    uint64_t count;
    if (mcu->board)
        fds[1].fd = ts_board_fd(mcu->board);
    const int64_t left_ns = deadline_ns(mcu) - ts_live_now().ns;
    const int64_t left_ms = (left_ns + TS_NS_PER_MS - 1) / TS_NS_PER_MS;
    poll(fds, 2, left_ms < 0 ? 0 : left_ms > 60000 ? 60000 : (int)left_ms);
    if (fds[0].revents)
        (void)!read(mcu->wake, &count, sizeof count);
}

/* Told to stop, it ends when nothing is left to wait for. */
static bool is_over(struct ts_mcu *mcu)
{
    pthread_mutex_lock(&mcu->lock);
    const bool stop = mcu->stop, idle = !mcu->count;
    pthread_mutex_unlock(&mcu->lock);
    const int64_t now_ns = ts_live_now().ns;
    if (stop && mcu->linger_ns == INT64_MAX)
        mcu->linger_ns = now_ns + LINGER_NS;
    return stop && (idle || !mcu->up || now_ns >= mcu->linger_ns);
}

static void *run(void *context)
{
    struct ts_mcu *mcu = context;
    /* It stamps: before all others, where the system lets it. */
    pthread_setschedparam(pthread_self(), SCHED_FIFO, &(struct sched_param){.sched_priority = 10});
    while (!is_over(mcu)) {
        wait_for_something(mcu);
        work(mcu);
    }
    end_commands(mcu, ALL);
    return NULL;
}

static void wake(struct ts_mcu *mcu)
{
    (void)!write(mcu->wake, &(uint64_t){1}, sizeof(uint64_t));
}

int ts_mcu_submit(struct ts_mcu *mcu, const struct ts_command *command)
{
    if (command->kind != TS_COMMAND_MCU_SEND &&
        (command->kind != TS_COMMAND_CLOCK_READ || command->u.clock != TS_CLOCK_MCU))
        return TS_EINVAL;
    pthread_mutex_lock(&mcu->lock);
    struct open_command *open =
        ts_grow((void **)&mcu->commands, &mcu->count, &mcu->capacity, sizeof *open);
    if (open)
        open->command = *command;
    pthread_mutex_unlock(&mcu->lock);
    wake(mcu);
    return open ? TS_OK : TS_ENOMEM;
}

int ts_mcu_open(const char *spec, struct ts_inbox *inbox, struct ts_mcu **out, struct ts_why *why)
{
    struct ts_mcu *mcu = calloc(1, sizeof *mcu);
    if (!mcu)
        return ts_fail(why, TS_ENOMEM, "no memory for the MCU");
    struct ts_item greeting;
    mcu->inbox = inbox;
    mcu->linger_ns = INT64_MAX;
    pthread_mutex_init(&mcu->lock, NULL);
    mcu->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    int err = mcu->wake < 0 ? ts_fail(why, TS_EIO, "no event descriptor for the MCU") : TS_OK;
    if (!err)
        err = ts_ask_for_board(spec, &mcu->board, &greeting, why);
    if (!err) {
        mcu->id = *ts_board_id(mcu->board);
        mcu->up = true;
        post(mcu, &greeting);
        ts_board_follow(mcu->board, on_item, mcu);
        mcu->started = pthread_create(&mcu->thread, NULL, run, mcu) == 0;
        if (!mcu->started)
            err = ts_fail(why, TS_EIO, "no thread for the MCU");
    }
    if (err)
        ts_mcu_close(mcu);
    else
        *out = mcu;
    return err;
}

void ts_mcu_close(struct ts_mcu *mcu)
{
    if (!mcu)
        return;
    if (mcu->started) {
        pthread_mutex_lock(&mcu->lock);
        mcu->stop = true;
        pthread_mutex_unlock(&mcu->lock);
        wake(mcu);
        pthread_join(mcu->thread, NULL);
    }
    ts_board_close(mcu->board);
    if (mcu->wake >= 0)
        close(mcu->wake);
    pthread_mutex_destroy(&mcu->lock);
    free(mcu->commands);
    free(mcu);
}
