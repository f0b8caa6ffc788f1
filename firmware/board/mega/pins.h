/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arduino Mega 2560: the pin table. The plate is on a pin-change input as on the Uno: ICP1 is not
 * brought out to a header of this board.
 *
 *   what              Arduino    port   function
 *   accelerometer     A0         PF0    ADC0
 *   motor             D4         PG5    OC0B
 *   sync LED 0, 1     D28, D29   PA6, PA7
 *   contact plate     D53        PB0    PCINT0, pull-up: low = closed
 *   photodiode 0, 1   D52, D51   PB1, PB2   PCINT1, PCINT2: high = light
 *   fault LED         D13        PB7
 *   power meter alert  D2         PE4    INT4, pull-up: low = converted
 *   power meter SDA    D20        PD1    TWI
 *   power meter SCL    D21        PD0    TWI
 *   host              D0, D1     PE0, PE1   USART0 */
#ifndef BOARD_MEGA_PINS_H
#define BOARD_MEGA_PINS_H

#define PINS_BOARD WIRE_BOARD_MEGA

#define PINS_LED_DDR   DDRA
#define PINS_LED_PORT  PORTA
#define PINS_LED_SHIFT 6

#define PINS_MOTOR_DDR DDRG
#define PINS_MOTOR_BIT PG5

#define PINS_FAULT_BIT PB7

#define PINS_ALERT_VECTOR INT4_vect
#define PINS_ALERT_PORT   PORTE
#define PINS_ALERT_BIT    PE4
#define PINS_ALERT_SENSE  EICRB
#define PINS_ALERT_FALLS  _BV(ISC41)
#define PINS_ALERT_MASK   _BV(INT4)

#define PINS_RX_VECTOR   USART0_RX_vect
#define PINS_UDRE_VECTOR USART0_UDRE_vect

#endif
