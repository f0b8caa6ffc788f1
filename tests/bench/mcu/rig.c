/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rig.h"

#include "base/buf.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static void on_force(void *context, int64_t at_ns, double newton)
{
    struct rig *rig = context;
    assert_true(rig->force_count < 4096);
    assert_true(rig->force_count == 0 || at_ns >= rig->forces[rig->force_count - 1].at_ns);
    rig->forces[rig->force_count++] = (struct rig_force){at_ns, newton > 0};
}

static void on_led(void *context, int64_t at_ns, unsigned mask)
{
    struct rig *rig = context;
    assert_true(rig->led_count < 4096);
    rig->led_ns[rig->led_count] = at_ns;
    rig->led_mask[rig->led_count++] = mask;
}

static double on_light(void *context, int photodiode, int64_t at_ns)
{
    const struct rig *rig = context;
    return photodiode == 0 && at_ns >= rig->light_from_ns && at_ns < rig->light_to_ns;
}

struct sim_mcu_config rig_config(enum sim_board board, uint64_t seed)
{
    return (struct sim_mcu_config){.board = board,
                                   .bridge = SIM_BRIDGE_NONE,
                                   .seed = seed,
                                   .ppm = NAN,
                                   .wander_ppm = NAN,
                                   .arm_rpm = NAN,
                                   .drop_mm = NAN,
                                   .tip_delay_ms = NAN};
}

static void open_mcu(struct rig *rig, const struct sim_mcu_config *config,
                     const struct sim_mcu_events *events)
{
    struct ts_why why;
    if (sim_mcu_open(config, events, &rig->mcu, &why) != TS_OK)
        fail_msg("%s", why.text);
    rig->ping_every_ns = 40 * MS;
}

void rig_open(struct rig *rig, const struct sim_mcu_config *config, bool with_light)
{
    memset(rig, 0, sizeof *rig);
    open_mcu(rig, config,
             &(struct sim_mcu_events){rig, on_force, on_led, with_light ? on_light : NULL, NULL});
}

void rig_open_supply(struct rig *rig, const struct sim_mcu_config *config,
                     void (*supply)(void *context, int64_t at_ns, double *ampere, double *volt))
{
    memset(rig, 0, sizeof *rig);
    open_mcu(rig, config, &(struct sim_mcu_events){rig, on_force, on_led, NULL, supply});
}

void rig_close(struct rig *rig)
{
    sim_mcu_close(rig->mcu);
    free(rig->packets);
}

void rig_forget(struct rig *rig)
{
    rig->count = 0;
    rig->force_count = 0;
    rig->led_count = 0;
}

void rig_send_as(struct rig *rig, uint8_t seq, uint8_t type, const void *body, size_t size)
{
    struct wire_packet packet = {.type = type, .seq = seq, .size = (uint8_t)size};
    if (size > 0)
        memcpy(packet.body, body, size);
    uint8_t frame[WIRE_FRAME_MAX];
    const size_t length = wire_encode(&packet, frame);
    assert_int_equal(sim_mcu_write(rig->mcu, sim_mcu_now(rig->mcu), frame, length), 0);
}

static void take(struct rig *rig, const uint8_t *bytes, int size, int64_t at_ns)
{
    struct wire_packet packet;
    for (int i = 0; i < size; i++) {
        if (bytes[i] == 0 && rig->decoder.used == 0)
            rig->zero_ns = at_ns;
        const int64_t first_ns = rig->zero_ns;
        if (!wire_decode(&rig->decoder, bytes[i], &packet))
            continue;
        struct rig_packet *kept =
            ts_grow((void **)&rig->packets, &rig->count, &rig->capacity, sizeof *kept);
        assert_non_null(kept);
        *kept = (struct rig_packet){at_ns, first_ns, packet};
    }
}

/* One stretch: to a time, or to the first bytes. */
static void advance(struct rig *rig, int64_t until_ns)
{
    const int64_t now_ns = sim_mcu_now(rig->mcu);
    if (rig->ping_every_ns > 0 && now_ns >= rig->ping_next_ns) {
        rig_send_as(rig, 0, WIRE_PING, "\x34\x12", 2);
        rig->ping_next_ns = now_ns + rig->ping_every_ns;
    }
    if (rig->ping_every_ns > 0 && until_ns > rig->ping_next_ns)
        until_ns = rig->ping_next_ns;
    uint8_t bytes[256];
    int64_t at_ns = 0;
    const int size = sim_mcu_run(rig->mcu, until_ns, bytes, sizeof bytes, &at_ns);
    assert_true(size >= 0);
    assert_true(size == 0 || at_ns >= now_ns);
    take(rig, bytes, size, at_ns);
}

void rig_run(struct rig *rig, int64_t for_ns)
{
    const int64_t until_ns = sim_mcu_now(rig->mcu) + for_ns;
    while (sim_mcu_now(rig->mcu) < until_ns)
        advance(rig, until_ns);
}

const struct rig_packet *rig_await(struct rig *rig, uint8_t type, int64_t within_ns)
{
    const int64_t until_ns = sim_mcu_now(rig->mcu) + within_ns;
    size_t seen = rig->count;
    while (sim_mcu_now(rig->mcu) < until_ns) {
        advance(rig, until_ns);
        for (; seen < rig->count; seen++)
            if (rig->packets[seen].packet.type == type)
                return &rig->packets[seen];
    }
    return NULL;
}

int rig_command(struct rig *rig, uint8_t type, const void *body, size_t size)
{
    const uint8_t seq = ++rig->seq;
    rig_send_as(rig, seq, type, body, size);
    const struct rig_packet *packet = rig_await(rig, WIRE_ACK, 50 * MS);
    struct wire_ack ack;
    return packet && wire_get_ack(&packet->packet, &ack) && ack.seq == seq ? ack.code : -1;
}

bool rig_await_state(struct rig *rig, uint8_t state, int64_t within_ns, uint32_t *ticks)
{
    const int64_t until_ns = sim_mcu_now(rig->mcu) + within_ns;
    for (;;) {
        const int64_t left_ns = until_ns - sim_mcu_now(rig->mcu);
        const struct rig_packet *packet = left_ns > 0 ? rig_await(rig, WIRE_STATE, left_ns) : NULL;
        struct wire_state now;
        if (!packet || !wire_get_state(&packet->packet, &now))
            return false;
        if (now.state != state)
            continue;
        if (ticks)
            *ticks = now.ticks;
        return true;
    }
}

void rig_hello(struct rig *rig, struct wire_hello *hello)
{
    const struct rig_packet *answer = NULL;
    for (int i = 0; i < 50 && !answer; i++) {
        rig_send_as(rig, 0, WIRE_HELLO, NULL, 0);
        answer = rig_await(rig, WIRE_HELLO_IS, 20 * MS);
    }
    assert_non_null(answer);
    assert_true(wire_get_hello(&answer->packet, hello));
    rig->seq = 0;
}

bool rig_home(struct rig *rig)
{
    return rig_command(rig, WIRE_HOME, NULL, 0) == WIRE_DONE &&
           rig_await_state(rig, WIRE_HELD, 3000 * MS, NULL);
}

bool rig_tap(struct rig *rig)
{
    const uint8_t body[] = {255, 25};
    return rig_command(rig, WIRE_TAP, body, sizeof body) == WIRE_DONE &&
           rig_await_state(rig, WIRE_HELD, 3000 * MS, NULL);
}

bool rig_status(struct rig *rig, struct wire_status *status)
{
    rig_send_as(rig, 0, WIRE_STATUS, NULL, 0);
    const struct rig_packet *packet = rig_await(rig, WIRE_STATUS_IS, 50 * MS);
    return packet && wire_get_status(&packet->packet, status);
}

double rig_error(const struct rig *rig, uint32_t ticks, int64_t at_ns)
{
    const double now = sim_mcu_true_ticks(rig->mcu, at_ns);
    return remainder((double)ticks - now, 4294967296.0);
}
