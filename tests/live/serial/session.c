/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "session.h"

#include <string.h>

#define PING_NS (100 * TS_NS_PER_MS)

int session_try(struct session *session, const char *spec)
{
    *session = (struct session){0};
    assert_int_equal(ts_inbox_create(&session->inbox), TS_OK);
    const int err = ts_mcu_open(spec, session->inbox, &session->mcu, &session->why);
    if (err)
        session_close(session);
    return err;
}

void session_open(struct session *session, const char *spec)
{
    if (session_try(session, spec))
        fail_msg("%s: %s", spec, session->why.text);
    SESSION_UNTIL(session, session->greetings == 1);
}

void session_close(struct session *session)
{
    ts_mcu_close(session->mcu);
    session->mcu = NULL;
    ts_inbox_destroy(session->inbox);
    session->inbox = NULL;
}

static uint32_t submit(struct session *session, struct ts_command *command)
{
    command->id = ++session->next_id;
    assert_true(command->id < COMMANDS_MAX);
    session->status[command->id] = PENDING;
    assert_int_equal(ts_mcu_submit(session->mcu, command), TS_OK);
    return command->id;
}

uint32_t session_send(struct session *session, uint8_t type, const void *body, uint8_t size)
{
    struct ts_command command = {.kind = TS_COMMAND_MCU_SEND,
                                 .u.mcu = {.type = type, .size = size}};
    if (size)
        memcpy(command.u.mcu.body, body, size);
    return submit(session, &command);
}

uint32_t session_read_clock(struct session *session)
{
    struct ts_command command = {.kind = TS_COMMAND_CLOCK_READ, .u.clock = TS_CLOCK_MCU};
    return submit(session, &command);
}

static void note_message(struct session *session, const struct ts_item_mcu *message)
{
    struct wire_packet packet = {.type = message->type, .size = message->size};
    struct wire_hello hello;
    struct wire_state state;
    memcpy(packet.body, message->body, message->size);
    session->samples += message->type == WIRE_SAMPLES;
    if (message->type == WIRE_HELLO_IS && wire_get_hello(&packet, &hello)) {
        session->greetings++;
        session->board = hello.board;
        session->boot_id = hello.boot_id;
    }
    if (message->type == WIRE_STATE && wire_get_state(&packet, &state)) {
        session->states |= 1u << state.state;
        session->state_ticks[state.state & 7] = state.ticks;
    }
}

static void note(struct session *session, const struct ts_item *item)
{
    assert_true(item->arrival.ns >= session->last_ns);
    session->last_ns = item->arrival.ns;
    switch (item->kind) {
    case TS_ITEM_DONE:
        /* Exactly one end for each. */
        assert_int_equal(session->status[item->u.done.command], PENDING);
        session->status[item->u.done.command] = item->u.done.status;
        break;
    case TS_ITEM_FAULT:
        session->faults[item->u.fault.fault]++;
        break;
    case TS_ITEM_MCU:
        note_message(session, &item->u.mcu);
        break;
    case TS_ITEM_CLOCK:
        if (session->clock_count < CLOCKS_MAX)
            session->clocks[session->clock_count++] = item->u.clock;
        break;
    default:
        fail_msg("an item of kind %d", item->kind);
    }
}

void session_take(struct session *session)
{
    struct ts_item item;
    const struct ts_host_time now = ts_live_now();
    assert_true(now.ns < session->give_up_ns);
    if (session->pings && now.ns >= session->ping_ns) {
        session->ping_ns = now.ns + PING_NS;
        session_read_clock(session);
    }
    if (ts_inbox_take(session->inbox, (struct ts_host_time){now.ns + PING_NS}, &item) == TS_OK)
        note(session, &item);
}

int session_do(struct session *session, uint8_t type, const void *body, uint8_t size)
{
    const uint32_t id = session_send(session, type, body, size);
    SESSION_UNTIL(session, session->status[id] != PENDING);
    return session->status[id];
}

void session_home(struct session *session)
{
    session->pings = true;
    session->states = 0;
    assert_int_equal(session_do(session, WIRE_HOME, NULL, 0), TS_OK);
    SESSION_UNTIL(session, session->states & 1u << WIRE_HELD);
    session->states = 0;
}

int session_unplug_all(void **state)
{
    (void)state;
    for (enum board i = 0; i < BOARD_COUNT; i++) {
        board_mute(i, false);
        board_garble(i, 0, 1);
        board_unplug(i);
    }
    return 0;
}
