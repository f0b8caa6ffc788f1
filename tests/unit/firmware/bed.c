/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bed.h"

#include "core/app.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

struct bed bed;

int bed_setup(void **state)
{
    (void)state;
    script_reset();
    bed = (struct bed){.pinging = true};
    fw_init();
    return 0;
}

void bed_send(uint8_t type, uint8_t seq, const char *body, size_t size)
{
    struct wire_packet packet = {.type = type, .seq = seq, .size = (uint8_t)size};
    memcpy(packet.body, body, size);
    script.rx_in += wire_encode(&packet, script.rx + script.rx_in);
    if (script.rx_in > SCRIPT_QUEUE / 2) {
        memmove(script.rx, script.rx + script.rx_out, script.rx_in - script.rx_out);
        script.rx_in -= script.rx_out;
        script.rx_out = 0;
    }
}

bool bed_receive(uint8_t type, struct wire_packet *packet)
{
    while (bed.read_at < script.tx_size)
        if (wire_decode(&bed.decoder, script.tx[bed.read_at++], packet) && packet->type == type)
            return true;
    return false;
}

void bed_run(unsigned ms, uint16_t level)
{
    for (unsigned i = 0; i < ms * 4; i++) {
        script.now += WIRE_SAMPLE_TICKS;
        if (script.sampling) {
            script.sample_in = script.sample_out = 0;
            script.sample_ticks[0] = script.now;
            script.sample[0] = level;
            script.sample_in = 1;
        }
        if (bed.pinging && i % 100 == 0)
            bed_send(WIRE_PING, 0, "\x01\x02", 2);
        if (script.tx_size > sizeof script.tx - 8192)
            script.tx_size = bed.read_at = 0;
        fw_poll();
    }
}

int bed_command(uint8_t type, uint8_t seq, const char *body, size_t size)
{
    bed_send(type, seq, body, size);
    fw_poll();
    struct wire_packet packet;
    struct wire_ack ack;
    if (!bed_receive(WIRE_ACK, &packet) || !wire_get_ack(&packet, &ack))
        return -1;
    assert_int_equal(ack.seq, seq);
    return ack.code;
}
