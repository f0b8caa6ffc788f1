/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/stream.h"

#include "board/board.h"
#include "core/link.h"
#include "core/tap.h"

/* The board buffers as many; more would mean that this loop cannot keep up with the rate. */
#define SAMPLES_A_POLL 32u

static struct wire_samples block;
static bool always, for_tap;

static void flush(void)
{
    if (block.count > 0)
        fw_link_send_samples(&block);
    block.count = 0;
}

static void update(void)
{
    board_sampling(always || for_tap);
    if (!always && !for_tap)
        flush();
}

void fw_stream_init(void)
{
    block.count = 0;
    always = false;
    for_tap = false;
    board_sampling(false);
}

void fw_stream_always(bool on)
{
    always = on;
    update();
}

void fw_stream_for_tap(bool on)
{
    for_tap = on;
    update();
}

/* A block states only its first sample's time: one that does not follow closes the block. */
static void store(uint32_t ticks, uint16_t value)
{
    const uint32_t due = block.ticks + (uint32_t)block.count * WIRE_SAMPLE_TICKS;
    if (block.count > 0 && ticks - due + WIRE_SAMPLE_TICKS / 2 > WIRE_SAMPLE_TICKS)
        flush();
    if (block.count == 0)
        block.ticks = ticks;
    block.value[block.count++] = value;
    if (block.count == WIRE_SAMPLES_PER_BLOCK)
        flush();
}

void fw_stream_poll(void)
{
    uint32_t ticks;
    uint16_t value;
    for (uint8_t i = 0; i < SAMPLES_A_POLL && board_sample(&ticks, &value); i++) {
        if (!always && !for_tap)
            continue;
        store(ticks, value);
        fw_tap_sample(ticks, value);
    }
}
