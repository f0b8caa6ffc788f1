/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ATmega328P and ATmega2560 at 16 MHz. Timer 1 is the clock, timer 2 the sampling rate, timer 0
 * the motor. Interrupts stamp with the low 16 bits of timer 1 and store; the main loop widens a
 * stamp when it takes it, which it does well within timer 1's 32 ms. */
#include "board/avr/avr.h"
#include "board/board.h"

#include "pins.h"
#include "wire/wire.h"

#include <avr/eeprom.h>
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <avr/wdt.h>
#include <util/atomic.h>

#define RX_SIZE 64u /* 1.3 ms */
#define SAMPLES 32u
#define EDGES   32u
#define INPUTS  (_BV(PB0) | _BV(PB1) | _BV(PB2))

/* The ADC holds its input about 2 of its 4 us clocks after the start: 1.5 by the data sheet, and
 * half a clock on average until its prescaler comes round. */
#define HOLD_TICKS 16u
/* When UDR0 is empty, at most one byte of ten bits is still in the shift register. */
#define DRAIN_TICKS (10u * WIRE_TICK_HZ / WIRE_BAUD + 2u)

_Static_assert(F_CPU / 8 == WIRE_TICK_HZ, "timer 1 divides by 8");
_Static_assert(F_CPU / 32 / 125 == WIRE_TICK_HZ / WIRE_SAMPLE_TICKS, "timer 2 gives the rate");

struct stamped {
    uint16_t low;
    uint16_t value;
};

volatile bool board_stirred;

static uint16_t boot_id;
static uint8_t reset_cause;
static volatile uint16_t overflows;

static volatile uint8_t rx_bytes[RX_SIZE];
static volatile uint16_t rx_low[RX_SIZE];
static volatile uint8_t rx_in, rx_out, rx_lost;
static uint16_t zero_low; /* the last zero taken */
static bool after_zero;

static volatile uint8_t tx_bytes[256];
static volatile uint8_t tx_in, tx_out;
static volatile uint16_t tx_last_low; /* when UDR0 was last found or left empty */
static bool tx_drained;

static volatile struct stamped samples[SAMPLES];
static volatile uint8_t sample_in, sample_out;
static volatile uint16_t sample_low, samples_missed;
static volatile bool sampling;

static volatile struct stamped edges[EDGES];
static volatile uint8_t edge_in, edge_out;

ISR(TIMER1_OVF_vect)
{
    overflows++;
}

/* Interrupts off. */
static uint32_t now_locked(void)
{
    const uint16_t low = TCNT1;
    uint16_t high = overflows;
    if ((TIFR1 & _BV(TOV1)) && low < 0x8000)
        high++;
    return (uint32_t)high << 16 | low;
}

uint32_t board_now(void)
{
    uint32_t now;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        now = now_locked();
    }
    return now;
}

uint32_t board_widen(uint16_t low)
{
    const uint32_t now = board_now();
    return now - (uint16_t)((uint16_t)now - low);
}

/* Only the bytes and when they came: which of them opened a frame is for the main loop to see,
 * because a longer interrupt here would delay a sample. */
ISR(PINS_RX_VECTOR)
{
    const uint16_t low = TCNT1;
    const uint8_t status = UCSR0A & (_BV(FE0) | _BV(DOR0));
    const uint8_t byte = UDR0;
    const uint8_t in = rx_in, next = (in + 1) & (RX_SIZE - 1);
    if (status || next == rx_out) {
        rx_lost++;
        return;
    }
    rx_bytes[in] = byte;
    rx_low[in] = low;
    rx_in = next;
}

ISR(PINS_UDRE_VECTOR)
{
    const uint8_t out = tx_out;
    if (out == tx_in) {
        UCSR0B &= (uint8_t)~_BV(UDRIE0);
        tx_last_low = TCNT1;
        return;
    }
    UDR0 = tx_bytes[out];
    tx_out = out + 1;
}

ISR(TIMER2_COMPA_vect)
{
    if (!sampling)
        return;
    ADCSRA |= _BV(ADSC);
    sample_low = TCNT1;
}

ISR(ADC_vect)
{
    const uint16_t value = ADC;
    const uint8_t in = sample_in, next = (in + 1) & (SAMPLES - 1);
    if (next == sample_out) {
        samples_missed++;
        return;
    }
    samples[in].low = sample_low;
    samples[in].value = value;
    sample_in = next;
}

ISR(PCINT0_vect)
{
    const uint16_t low = TCNT1;
    const uint8_t pins = PINB;
    const uint8_t in = edge_in, next = (in + 1) & (EDGES - 1);
    if (next == edge_out)
        return;
    edges[in].low = low;
    edges[in].value = pins;
    edge_in = next;
}

static void init_pins(void)
{
    PORTB = _BV(PB0);
    DDRB = _BV(PINS_FAULT_BIT);
    PINS_LED_DDR |= 3 << PINS_LED_SHIFT;
    PINS_MOTOR_DDR |= _BV(PINS_MOTOR_BIT);
    PCMSK0 = INPUTS;
    PCICR = _BV(PCIE0);
}

void board_init(void)
{
    reset_cause = MCUSR;
    MCUSR = 0;
    wdt_enable(WDTO_120MS);
    /* A counter in EEPROM, because RAM does not outlive the power: 100,000 boots at least. */
    boot_id = (uint16_t)(eeprom_read_word((uint16_t *)0) + 1);
    eeprom_write_word((uint16_t *)0, boot_id);
    wdt_reset();

    init_pins();
    board_init_bus();
    TCCR1B = _BV(CS11);
    TIMSK1 = _BV(TOIE1);
    OCR2A = 124;
    TCCR2A = _BV(WGM21);
    TIMSK2 = _BV(OCIE2A);
    TCCR2B = _BV(CS22) | _BV(CS20);
    TCCR0A = _BV(WGM01) | _BV(WGM00);
    TCCR0B = _BV(CS01);
    ADMUX = _BV(REFS0);
    DIDR0 = _BV(ADC0D);
    ADCSRA = _BV(ADEN) | _BV(ADIE) | _BV(ADPS2) | _BV(ADPS1);
    UCSR0A = _BV(U2X0);
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UBRR0 = F_CPU / 8 / WIRE_BAUD - 1;
    UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);
    set_sleep_mode(SLEEP_MODE_IDLE);
    sei();
}

uint8_t board_kind(void)
{
    return PINS_BOARD;
}

uint16_t board_boot_id(void)
{
    return boot_id;
}

uint8_t board_reset_cause(void)
{
    return reset_cause;
}

bool board_rx(uint8_t *byte, uint32_t *opened_ticks)
{
    if (rx_in == rx_out)
        return false;
    const uint8_t out = rx_out, taken = rx_bytes[out];
    if (taken == 0) {
        zero_low = rx_low[out];
        after_zero = true;
    } else if (after_zero) {
        *opened_ticks = board_widen(zero_low);
        after_zero = false;
    }
    rx_out = (out + 1) & (RX_SIZE - 1);
    *byte = taken;
    return true;
}

uint16_t board_rx_errors(void)
{
    return rx_lost;
}

uint8_t board_tx_room(void)
{
    return (uint8_t)(tx_out - tx_in - 1);
}

void board_tx(const uint8_t *bytes, uint8_t size)
{
    uint8_t in = tx_in;
    for (uint8_t i = 0; i < size; i++)
        tx_bytes[in++] = bytes[i];
    tx_in = in;
    tx_drained = false;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        UCSR0B |= _BV(UDRIE0);
    }
}

/* By the clock and not by the TXC flag, which would have to be cleared before every byte. */
bool board_tx_idle(void)
{
    if (tx_drained)
        return true;
    if (UCSR0B & _BV(UDRIE0))
        return false;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        tx_drained = (uint16_t)(TCNT1 - tx_last_low) > DRAIN_TICKS;
    }
    return tx_drained;
}

uint32_t board_tx_zero(void)
{
    uint32_t now;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        UDR0 = 0;
        now = now_locked();
        tx_last_low = (uint16_t)now;
    }
    tx_drained = false;
    return now;
}

/* Timer 2 wakes the main loop at 1 kHz, or at the sampling rate. */
void board_sampling(bool on)
{
    if (on == sampling)
        return;
    sampling = on;
    TCCR2B = on ? _BV(CS21) | _BV(CS20) : _BV(CS22) | _BV(CS20);
}

bool board_sample(uint32_t *ticks, uint16_t *value)
{
    const uint8_t out = sample_out;
    if (out == sample_in)
        return false;
    *ticks = board_widen(samples[out].low) + HOLD_TICKS;
    *value = samples[out].value;
    sample_out = (out + 1) & (SAMPLES - 1);
    return true;
}

uint16_t board_samples_missed(void)
{
    uint16_t missed;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        missed = samples_missed;
    }
    return missed;
}

bool board_edge(struct board_edge *edge)
{
    const uint8_t out = edge_out;
    if (out == edge_in)
        return false;
    edge->ticks = board_widen(edges[out].low);
    edge->pins = (uint8_t)((edges[out].value ^ _BV(PB0)) & INPUTS);
    edge_out = (out + 1) & (EDGES - 1);
    return true;
}

/* The two bytes of the timer are read with interrupts off, because an interrupt that reads it too
 * would change the upper one; what interrupts comes in before the store, which is volatile so that
 * there is something to come in before. */
#define READ(i)                                                                                    \
    do {                                                                                           \
        const uint8_t status = SREG;                                                               \
        cli();                                                                                     \
        const uint16_t low = TCNT1;                                                                \
        SREG = status;                                                                             \
        at[i] = low;                                                                               \
    } while (0)
#define READ4(i)                                                                                   \
    READ(i);                                                                                       \
    READ((i) + 1);                                                                                 \
    READ((i) + 2);                                                                                 \
    READ((i) + 3)
#define READ16(i)                                                                                  \
    READ4(i);                                                                                      \
    READ4((i) + 4);                                                                                \
    READ4((i) + 8);                                                                                \
    READ4((i) + 12)

uint32_t board_noise(uint8_t interval[BOARD_NOISE_RUN])
{
    volatile uint16_t at[BOARD_NOISE_RUN + 1];
    READ16(0);
    READ16(16);
    READ(32);
    for (uint8_t i = 0; i < BOARD_NOISE_RUN; i++) {
        const uint16_t ticks = at[i + 1] - at[i];
        interval[i] = ticks < 255 ? (uint8_t)ticks : 255;
    }
    return board_widen(at[0]);
}

uint32_t board_leds(uint8_t mask)
{
    const uint8_t bits = (uint8_t)((mask & 3) << PINS_LED_SHIFT);
    uint32_t now;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        PINS_LED_PORT = (uint8_t)((PINS_LED_PORT & ~(3 << PINS_LED_SHIFT)) | bits);
        now = now_locked();
    }
    return now;
}

void board_fault_led(bool on)
{
    if (on)
        PORTB |= _BV(PINS_FAULT_BIT);
    else
        PORTB &= (uint8_t)~_BV(PINS_FAULT_BIT);
}

void board_motor(uint8_t duty)
{
    /* Off disconnects the pin from the timer: fast PWM at duty 0 still gives one pulse a cycle. */
    OCR0B = duty;
    if (duty > 0)
        TCCR0A |= _BV(COM0B1);
    else
        TCCR0A &= (uint8_t)~_BV(COM0B1);
}

void board_watchdog(void)
{
    wdt_reset();
}

void board_wait(void)
{
    cli();
    if (rx_in == rx_out && sample_in == sample_out && edge_in == edge_out && !board_stirred) {
        sleep_enable();
        sei();
        sleep_cpu();
        sleep_disable();
    }
    board_stirred = false;
    sei();
}
