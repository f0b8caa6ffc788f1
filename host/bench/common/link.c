/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/common/link.h"

#include "wire/wire.h"

#include <stdlib.h>
#include <string.h>

#define QUEUE   32
#define PINGS   16
#define BYTE_NS (10 * TS_NS_PER_S / (int64_t)WIRE_BAUD) /* start, 8 data, stop */

struct queued {
    uint32_t command;
    struct wire_packet packet;
};

struct ping {
    uint32_t command; /* 0: free */
    uint16_t nonce;
    int64_t sent_ns;
};

struct ts_link {
    struct ts_link_ops ops;
    void *context;
    struct wire_decoder decoder;
    size_t frame_bytes; /* of the packet under way, both zeros included */
    int64_t opened_ns;  /* when its opening zero arrived */
    bool greeted;
    uint32_t boot_id;
    uint8_t sequence, heard; /* of the last command sent; of the last packet heard */
    bool heard_any;
    struct queued queue[QUEUE];
    unsigned head, count; /* queue[head] is the one travelling */
    unsigned sends;
    int64_t resend_ns;
    struct ping pings[PINGS];
    uint16_t nonce;
};

int ts_link_create(const struct ts_link_ops *ops, void *context, struct ts_link **out)
{
    struct ts_link *link = calloc(1, sizeof *link);
    if (!link)
        return TS_ENOMEM;
    link->ops = *ops;
    link->context = context;
    link->resend_ns = INT64_MAX;
    *out = link;
    return TS_OK;
}

void ts_link_destroy(struct ts_link *link)
{
    free(link);
}

static int send_packet(struct ts_link *link, const struct wire_packet *packet)
{
    uint8_t bytes[WIRE_FRAME_MAX];
    return link->ops.write(link->context, bytes, wire_encode(packet, bytes));
}

static void emit_done(struct ts_link *link, struct ts_host_time at, uint32_t command, int status)
{
    const struct ts_item item = {
        .arrival = at,
        .kind = TS_ITEM_DONE,
        .u.done = {.command = command, .status = status, .text = ""},
    };
    link->ops.item(link->context, &item);
}

static void emit_fault(struct ts_link *link, struct ts_host_time at, enum ts_device_fault fault,
                       int detail)
{
    const struct ts_item item = {
        .arrival = at,
        .kind = TS_ITEM_FAULT,
        .u.fault = {.fault = fault, .detail = detail},
    };
    link->ops.item(link->context, &item);
}

/* Sends what is due: a greeting, or the command at the head of the queue. */
static int transmit(struct ts_link *link, int64_t now_ns)
{
    link->sends++;
    link->resend_ns = now_ns + TS_LINK_RESEND_NS;
    if (!link->greeted)
        return send_packet(link, &(struct wire_packet){.type = WIRE_HELLO});
    return send_packet(link, &link->queue[link->head].packet);
}

static int start_next(struct ts_link *link, int64_t now_ns)
{
    link->sends = 0;
    link->resend_ns = INT64_MAX;
    if (!link->count)
        return TS_OK;
    link->queue[link->head].packet.seq = ++link->sequence;
    return transmit(link, now_ns);
}

int ts_link_start(struct ts_link *link, struct ts_host_time now)
{
    link->greeted = false;
    link->sends = 0;
    return transmit(link, now.ns);
}

static int send_ping(struct ts_link *link, int64_t now_ns, uint32_t command)
{
    struct ping *slot = NULL;
    for (int i = 0; i < PINGS; i++) {
        if (!link->pings[i].command)
            slot = &link->pings[i];
    }
    if (!slot)
        return TS_EOVERRUN;
    *slot = (struct ping){command, ++link->nonce, now_ns};
    const struct wire_packet packet = {
        .type = WIRE_PING,
        .size = 2,
        .body = {(uint8_t)link->nonce, (uint8_t)(link->nonce >> 8)},
    };
    return send_packet(link, &packet);
}

int ts_link_command(struct ts_link *link, struct ts_host_time now, const struct ts_command *command)
{
    if (command->kind == TS_COMMAND_CLOCK_READ)
        return send_ping(link, now.ns, command->id);
    if (command->kind != TS_COMMAND_MCU_SEND || command->u.mcu.size > WIRE_BODY_MAX)
        return TS_EINVAL;
    if (link->count == QUEUE)
        return TS_EOVERRUN;
    struct queued *last = &link->queue[(link->head + link->count++) % QUEUE];
    *last = (struct queued){.command = command->id,
                            .packet = {.type = command->u.mcu.type, .size = command->u.mcu.size}};
    memcpy(last->packet.body, command->u.mcu.body, command->u.mcu.size);
    if (link->greeted && link->count == 1)
        return start_next(link, now.ns);
    return TS_OK;
}

static void finish_head(struct ts_link *link, struct ts_host_time at, int status)
{
    const uint32_t command = link->queue[link->head].command;
    link->head = (link->head + 1) % QUEUE;
    link->count--;
    emit_done(link, at, command, status);
    /* A port that refuses bytes shows itself as a command that is never acknowledged. */
    (void)!start_next(link, at.ns);
}

static void on_hello(struct ts_link *link, struct ts_host_time at, const struct wire_packet *packet)
{
    struct wire_hello hello;
    if (!wire_get_hello(packet, &hello))
        return;
    if (hello.version != WIRE_VERSION) {
        emit_fault(link, at, TS_FAULT_MCU_LOST, hello.version);
        return;
    }
    if (link->greeted && link->boot_id != hello.boot_id)
        emit_fault(link, at, TS_FAULT_MCU_RESET, hello.boot_id);
    link->boot_id = hello.boot_id;
    link->heard_any = false;
    if (link->greeted)
        return;
    link->greeted = true;
    link->sequence = 0;
    (void)!start_next(link, at.ns);
}

static void on_ack(struct ts_link *link, struct ts_host_time at, const struct wire_packet *packet)
{
    struct wire_ack ack;
    if (!wire_get_ack(packet, &ack) || !link->count || !link->greeted)
        return;
    if (ack.seq != link->queue[link->head].packet.seq)
        return; /* of a repetition that had been acknowledged already */
    static const int status[] = {TS_OK, TS_EINVAL, TS_EINVAL, TS_ELATCHED};
    finish_head(link, at, ack.code < 4 ? status[ack.code] : TS_EPROTO);
}

/* When the PONG's opening zero began to leave, at the latest. Bytes that come one by one say it by
 * their first; bytes that USB held back and delivered together say more by their last. */
static int64_t pong_left_ns(const struct ts_link *link, int64_t arrival_ns)
{
    const int64_t by_first_ns = link->opened_ns - BYTE_NS;
    const int64_t by_last_ns = arrival_ns - (int64_t)link->frame_bytes * BYTE_NS;
    return by_first_ns < by_last_ns ? by_first_ns : by_last_ns;
}

static void on_pong(struct ts_link *link, struct ts_host_time at, const struct wire_packet *packet)
{
    struct wire_pong pong;
    if (!wire_get_pong(packet, &pong))
        return;
    for (int i = 0; i < PINGS; i++) {
        struct ping *ping = &link->pings[i];
        if (!ping->command || ping->nonce != pong.nonce)
            continue;
        const struct ts_item item = {
            .arrival = at,
            .kind = TS_ITEM_CLOCK,
            /* The MCU stamps the end of the PING's first byte and the start of the PONG's: with
             * the bytes' time on the wire taken out, both directions are alike. */
            .u.clock = {.domain = TS_CLOCK_MCU,
                        .boot_id = link->boot_id,
                        .t1 = {ping->sent_ns + BYTE_NS},
                        .t2 = pong.rx_ticks,
                        .t3 = pong.tx_ticks,
                        .t4 = {pong_left_ns(link, at.ns)}},
        };
        link->ops.item(link->context, &item);
        emit_done(link, at, ping->command, TS_OK);
        ping->command = 0;
        return;
    }
}

static void on_event(struct ts_link *link, struct ts_host_time at, const struct wire_packet *packet)
{
    struct ts_item item = {
        .arrival = at,
        .kind = TS_ITEM_MCU,
        .u.mcu = {.type = packet->type, .size = packet->size, .boot_id = link->boot_id},
    };
    memcpy(item.u.mcu.body, packet->body, packet->size);
    link->ops.item(link->context, &item);
    struct wire_fault fault;
    if (packet->type == WIRE_FAULT && wire_get_fault(packet, &fault))
        emit_fault(link, at, TS_FAULT_MCU_LATCHED, fault.code);
}

static void on_packet(struct ts_link *link, struct ts_host_time at,
                      const struct wire_packet *packet)
{
    if (packet->type == WIRE_HELLO_IS) {
        on_hello(link, at, packet);
        link->heard = packet->seq;
        link->heard_any = true;
        on_event(link, at, packet); /* who it is, for the evidence */
        return;
    }
    const uint8_t missing = (uint8_t)(packet->seq - link->heard - 1);
    if (link->heard_any && missing)
        emit_fault(link, at, TS_FAULT_MCU_GAP, missing);
    link->heard = packet->seq;
    link->heard_any = true;
    switch (packet->type) {
    case WIRE_ACK:
        on_ack(link, at, packet);
        break;
    case WIRE_PONG:
        on_pong(link, at, packet);
        break;
    default:
        on_event(link, at, packet);
    }
}

void ts_link_bytes(struct ts_link *link, struct ts_host_time arrival, const uint8_t *bytes,
                   size_t size)
{
    for (size_t i = 0; i < size; i++) {
        struct wire_packet packet;
        link->frame_bytes++;
        if (wire_decode(&link->decoder, bytes[i], &packet))
            on_packet(link, arrival, &packet);
        if (bytes[i] == 0) { /* a closing zero may open the next packet */
            link->frame_bytes = 1;
            link->opened_ns = arrival.ns;
        }
    }
}

int64_t ts_link_deadline_ns(const struct ts_link *link)
{
    int64_t deadline = link->resend_ns;
    for (int i = 0; i < PINGS; i++) {
        const struct ping *ping = &link->pings[i];
        if (ping->command && ping->sent_ns + TS_LINK_PING_TIMEOUT_NS < deadline)
            deadline = ping->sent_ns + TS_LINK_PING_TIMEOUT_NS;
    }
    return deadline;
}

static void expire_pings(struct ts_link *link, struct ts_host_time now)
{
    for (int i = 0; i < PINGS; i++) {
        struct ping *ping = &link->pings[i];
        if (!ping->command || ping->sent_ns + TS_LINK_PING_TIMEOUT_NS > now.ns)
            continue;
        emit_done(link, now, ping->command, TS_ETIMEOUT);
        ping->command = 0;
    }
}

static void give_up(struct ts_link *link, struct ts_host_time now)
{
    emit_fault(link, now, TS_FAULT_MCU_LOST, 0);
    link->resend_ns = INT64_MAX;
    while (link->count) {
        emit_done(link, now, link->queue[link->head].command, TS_ETIMEOUT);
        link->head = (link->head + 1) % QUEUE;
        link->count--;
    }
}

void ts_link_poll(struct ts_link *link, struct ts_host_time now)
{
    expire_pings(link, now);
    if (link->resend_ns > now.ns)
        return;
    if (link->sends >= TS_LINK_RESENDS)
        give_up(link, now);
    else
        (void)!transmit(link, now.ns);
}
