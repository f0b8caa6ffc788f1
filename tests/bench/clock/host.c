/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host.h"

#include "base/buf.h"
#include "wire/wire.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static int on_write(void *context, const uint8_t *bytes, size_t size)
{
    struct host *host = context;
    return sim_mcu_write(host->mcu, host->now_ns, bytes, size);
}

static void on_item(void *context, const struct ts_item *item)
{
    struct host *host = context;
    struct ts_item *kept =
        ts_grow((void **)&host->items, &host->item_count, &host->item_capacity, sizeof *kept);
    assert_non_null(kept);
    *kept = *item;
}

/* Edges come to light as the board is run; none may be missed between two looks. */
static void look_at_leds(struct host *host)
{
    for (;;) {
        const int64_t last_ns = host->edge_count ? host->edges[host->edge_count - 1].at_ns : 0;
        unsigned mask;
        const int64_t at_ns = sim_mcu_led_edge(host->mcu, last_ns, &mask);
        if (at_ns == INT64_MAX)
            return;
        struct host_edge *edge =
            ts_grow((void **)&host->edges, &host->edge_count, &host->edge_capacity, sizeof *edge);
        assert_non_null(edge);
        *edge = (struct host_edge){at_ns, mask};
    }
}

static void read_clock(struct host *host)
{
    const struct ts_command command = {
        .id = ++host->command, .kind = TS_COMMAND_CLOCK_READ, .u.clock = TS_CLOCK_MCU};
    assert_int_equal(ts_link_command(host->link, (struct ts_host_time){host->now_ns}, &command), 0);
    /* Not in step with the bridges' timers. */
    host->ping_ns = host->now_ns + (int64_t)ts_rng_range(&host->rng, 50e6, 54e6);
}

static void advance(struct host *host, int64_t until_ns)
{
    if (host->now_ns >= host->ping_ns)
        read_clock(host);
    if (host->ping_ns < until_ns)
        until_ns = host->ping_ns;
    const int64_t deadline_ns = ts_link_deadline_ns(host->link);
    if (deadline_ns < until_ns)
        until_ns = deadline_ns > host->now_ns ? deadline_ns : host->now_ns + 1;
    uint8_t bytes[256];
    int64_t at_ns = until_ns;
    const int size = sim_mcu_run(host->mcu, until_ns, bytes, sizeof bytes, &at_ns);
    assert_true(size >= 0);
    host->now_ns = size ? at_ns : until_ns;
    if (size)
        ts_link_bytes(host->link, (struct ts_host_time){at_ns}, bytes, (size_t)size);
    ts_link_poll(host->link, (struct ts_host_time){host->now_ns});
    look_at_leds(host);
}

void host_run(struct host *host, int64_t for_ns)
{
    const int64_t until_ns = host->now_ns + for_ns;
    while (host->now_ns < until_ns)
        advance(host, until_ns);
}

int host_send(struct host *host, uint8_t type, const uint8_t *body, size_t size)
{
    struct ts_command command = {.id = ++host->command,
                                 .kind = TS_COMMAND_MCU_SEND,
                                 .u.mcu = {.type = type, .size = (uint8_t)size}};
    if (size)
        memcpy(command.u.mcu.body, body, size);
    assert_int_equal(ts_link_command(host->link, (struct ts_host_time){host->now_ns}, &command), 0);
    for (size_t seen = host->item_count;;) {
        advance(host, host->now_ns + TS_NS_PER_MS);
        for (; seen < host->item_count; seen++) {
            const struct ts_item *item = &host->items[seen];
            if (item->kind == TS_ITEM_DONE && item->u.done.command == command.id)
                return item->u.done.status;
        }
    }
}

void host_sync(struct host *host)
{
    static const uint8_t body[] = {0xa0, 0x0f, 40, 40, 0x39, 0x30}; /* 4000 edges, 40..80 ms */
    assert_int_equal(host_send(host, WIRE_SYNC, body, sizeof body), TS_OK);
}

void host_open(struct host *host, enum sim_bridge bridge, double ppm, double wander_ppm,
               uint64_t seed)
{
    static const struct ts_link_ops ops = {on_write, on_item};
    const struct sim_mcu_config config = {.board = seed % 2 ? SIM_BOARD_UNO : SIM_BOARD_MEGA,
                                          .bridge = bridge,
                                          .seed = seed,
                                          .ppm = ppm,
                                          .wander_ppm = wander_ppm,
                                          .arm_rpm = NAN,
                                          .drop_mm = NAN,
                                          .tip_delay_ms = NAN};
    struct ts_why why;
    *host = (struct host){.ping_ns = INT64_MAX};
    ts_rng_seed(&host->rng, seed, 0x686f7374u);
    if (sim_mcu_open(&config, NULL, &host->mcu, &why) != TS_OK)
        fail_msg("%s", why.text);
    assert_int_equal(ts_link_create(&ops, host, &host->link), TS_OK);
    assert_int_equal(ts_link_start(host->link, (struct ts_host_time){0}), TS_OK);
    assert_int_equal(host_send(host, WIRE_CLEAR, NULL, 0), TS_OK);
    host->ping_ns = host->now_ns;
}

void host_close(struct host *host)
{
    ts_link_destroy(host->link);
    sim_mcu_close(host->mcu);
    free(host->items);
    free(host->edges);
    *host = (struct host){0};
}

int host_fit(const struct host *host, size_t from, struct ts_clock_fit *fit, int64_t *base_ticks)
{
    struct ts_reading *readings = calloc(host->item_count + 1, sizeof *readings);
    assert_non_null(readings);
    size_t count = 0;
    for (size_t i = from; i < host->item_count; i++) {
        if (host->items[i].kind != TS_ITEM_CLOCK)
            continue;
        const struct ts_item_clock *clock = &host->items[i].u.clock;
        if (count == 0)
            *base_ticks = (INT64_C(1) << 40) + clock->t2;
        readings[count++] = ts_reading_of(
            clock->t1.ns, ts_ticks_unwrap((uint32_t)clock->t2, *base_ticks) * TS_MCU_TICK_NS,
            ts_ticks_unwrap((uint32_t)clock->t3, *base_ticks) * TS_MCU_TICK_NS, clock->t4.ns,
            TS_MCU_TICK_NS);
    }
    const int err = ts_clock_fit(readings, count, fit, NULL);
    free(readings);
    return err;
}

int64_t host_longest_ns(const struct host *host, size_t from, size_t *count)
{
    int64_t longest_ns = 0;
    *count = 0;
    for (size_t i = from; i < host->item_count; i++) {
        if (host->items[i].kind != TS_ITEM_CLOCK)
            continue;
        const struct ts_item_clock *clock = &host->items[i].u.clock;
        const int64_t trip_ns = clock->t4.ns - clock->t1.ns;
        longest_ns = trip_ns > longest_ns ? trip_ns : longest_ns;
        ++*count;
    }
    return longest_ns;
}

size_t host_count_faults(const struct host *host, size_t from, enum ts_device_fault fault)
{
    size_t count = 0;
    for (size_t i = from; i < host->item_count; i++)
        count += host->items[i].kind == TS_ITEM_FAULT && host->items[i].u.fault.fault == fault;
    return count;
}
