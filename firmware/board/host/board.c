/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "board/host/script.h"

#include "wire/wire.h"

#include <string.h>

struct script script;

void script_reset(void)
{
    memset(&script, 0, sizeof script);
    script.tx_room = 255;
}

void board_init(void)
{
}

uint8_t board_kind(void)
{
    return WIRE_BOARD_HOST;
}

uint16_t board_boot_id(void)
{
    return 4711;
}

uint8_t board_reset_cause(void)
{
    return script.reset_cause;
}

uint32_t board_now(void)
{
    return script.now;
}

bool board_rx(uint8_t *byte, uint32_t *opened_ticks)
{
    if (script.rx_out == script.rx_in)
        return false;
    *byte = script.rx[script.rx_out++];
    *opened_ticks = script.rx_opened;
    return true;
}

uint16_t board_rx_errors(void)
{
    return 0;
}

uint8_t board_tx_room(void)
{
    return script.tx_room;
}

void board_tx(const uint8_t *bytes, uint8_t size)
{
    memcpy(script.tx + script.tx_size, bytes, size);
    script.tx_size += size;
}

bool board_tx_idle(void)
{
    return !script.tx_busy;
}

uint32_t board_tx_zero(void)
{
    script.tx[script.tx_size++] = 0;
    return script.now;
}

void board_sampling(bool on)
{
    script.sampling = on;
}

bool board_sample(uint32_t *ticks, uint16_t *value)
{
    if (script.sample_out == script.sample_in)
        return false;
    *ticks = script.sample_ticks[script.sample_out];
    *value = script.sample[script.sample_out++];
    return true;
}

uint16_t board_samples_missed(void)
{
    return 0;
}

bool board_edge(struct board_edge *edge)
{
    if (script.edge_out == script.edge_in)
        return false;
    *edge = script.edges[script.edge_out++];
    return true;
}

uint32_t board_noise(uint8_t interval[BOARD_NOISE_RUN])
{
    for (uint8_t i = 0; i < BOARD_NOISE_RUN; i++)
        interval[i] = script.interval++;
    return script.now;
}

static void transfer(uint8_t address, bool reading)
{
    script.bus_reading = reading;
    script.bus = script.bus_hangs                 ? BOARD_BUS_BUSY
                 : address == script.part_address ? BOARD_BUS_DONE
                                                  : BOARD_BUS_FAILED;
}

void board_bus_read(uint8_t address, uint8_t reg)
{
    transfer(address, true);
    script.bus_reads++;
    script.bus_value = script.registers[reg];
}

void board_bus_write(uint8_t address, uint8_t reg, uint16_t value)
{
    transfer(address, false);
    script.bus_writes++;
    if (script.bus == BOARD_BUS_DONE)
        script.registers[reg] = value;
}

enum board_bus board_bus_state(uint16_t *value)
{
    if (script.bus == BOARD_BUS_DONE && script.bus_reading)
        *value = script.bus_value;
    return script.bus;
}

void board_bus_off(void)
{
    script.bus_offs++;
    script.bus = BOARD_BUS_FAILED;
}

bool board_alert(uint32_t *ticks)
{
    if (!script.alert)
        return false;
    script.alert = false;
    *ticks = script.alert_ticks;
    return true;
}

uint32_t board_leds(uint8_t mask)
{
    script.leds = mask;
    return script.now;
}

void board_fault_led(bool on)
{
    script.fault_led = on;
}

void board_motor(uint8_t duty)
{
    script.motor_starts += script.motor == 0 && duty > 0;
    script.motor = duty;
}

void board_watchdog(void)
{
    script.watchdog++;
}

void board_wait(void)
{
}
