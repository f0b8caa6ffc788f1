/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/live/bench/operator.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <termios.h>
#include <unistd.h>

static const char *what(enum ts_operator_task task)
{
    switch (task) {
    case TS_OPERATOR_PLATE_ON:
        return "Lay the contact plate over the phone";
    case TS_OPERATOR_PLATE_OFF:
        return "Take the contact plate off the phone";
    case TS_OPERATOR_METER_FREE:
        return "Take the phone off the power meter, so that no current flows through the shunt";
    case TS_OPERATOR_METER_LOAD:
        return "Put the load whose current you know in the phone's place";
    case TS_OPERATOR_METER_PHONE:
        return "Put the phone back";
    }
    return "";
}

/* TS_OK: the line has ended. */
static int read_line(const struct ts_operator *person)
{
    struct pollfd fds[] = {{.fd = person->in, .events = POLLIN},
                           {.fd = person->stop, .events = POLLIN}};
    char bytes[64];
    for (;;) {
        poll(fds, 2, -1);
        if (fds[1].revents)
            return TS_EOF;
        const ssize_t got = fds[0].revents ? read(person->in, bytes, sizeof bytes) : 1;
        if (got <= 0)
            return TS_EOF;
        if (fds[0].revents && memchr(bytes, '\n', (size_t)got))
            return TS_OK;
    }
}

static void *wait_for_answer(void *context)
{
    struct ts_operator *person = context;
    const int status = read_line(person);
    const struct ts_item done = {
        .arrival = ts_live_now(), .kind = TS_ITEM_DONE, .u.done = {person->command, status, 0, ""}};
    atomic_store(&person->asking, false); /* before whoever takes the item may ask the next */
    (void)!ts_inbox_post(person->inbox, &done);
    return NULL;
}

int ts_operator_ask(struct ts_operator *person, struct ts_inbox *inbox, int in,
                    const struct ts_command *command)
{
    if (atomic_load(&person->asking))
        return TS_EINVAL;
    if (!isatty(in)) {
        fprintf(stderr,
                "touchstone: a step needs a hand at the bench (%s), but nobody can be asked: the "
                "standard input is no terminal. Start it in one, or leave that step out (the "
                "contact plate: plate_taps: 0 in the plan).\n",
                what(command->u.operator_task));
        return TS_ENOTSUP;
    }
    ts_operator_leave(person);
    person->inbox = inbox;
    person->in = in;
    person->command = command->id;
    person->stop = eventfd(0, EFD_CLOEXEC);
    if (person->stop < 0)
        return TS_EIO;
    tcflush(in, TCIFLUSH); /* what was typed before is no answer */
    fprintf(stderr, "\n%s, then press Enter: ", what(command->u.operator_task));
    atomic_store(&person->asking, true);
    person->started = pthread_create(&person->thread, NULL, wait_for_answer, person) == 0;
    if (person->started)
        return TS_OK;
    atomic_store(&person->asking, false);
    close(person->stop);
    return TS_EIO;
}

void ts_operator_leave(struct ts_operator *person)
{
    if (!person->started)
        return;
    (void)!write(person->stop, &(uint64_t){1}, sizeof(uint64_t));
    pthread_join(person->thread, NULL);
    close(person->stop);
    person->started = false;
}
