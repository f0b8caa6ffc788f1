/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arduino Uno (ATmega328P): the pin table. PD7 and not D13 blinks for the camera, because D13 is
 * SPI's clock, which the ADXL345 variant needs.
 *
 *   what              Arduino   port   function
 *   accelerometer     A0        PC0    ADC0
 *   motor             D5        PD5    OC0B
 *   sync LED 0, 1     D6, D7    PD6, PD7
 *   contact plate     D8        PB0    PCINT0, pull-up: low = closed
 *   photodiode 0, 1   D9, D10   PB1, PB2   PCINT1, PCINT2: high = light
 *   fault LED         D13       PB5
 *   power meter alert  D2        PD2    INT0, pull-up: low = converted
 *   power meter SDA    A4        PC4    TWI
 *   power meter SCL    A5        PC5    TWI
 *   host              D0, D1    PD0, PD1   USART0 */
#ifndef BOARD_UNO_PINS_H
#define BOARD_UNO_PINS_H

#define PINS_BOARD WIRE_BOARD_UNO

#define PINS_LED_DDR   DDRD
#define PINS_LED_PORT  PORTD
#define PINS_LED_SHIFT 6

#define PINS_MOTOR_DDR DDRD
#define PINS_MOTOR_BIT PD5

#define PINS_FAULT_BIT PB5

#define PINS_ALERT_VECTOR INT0_vect
#define PINS_ALERT_PORT   PORTD
#define PINS_ALERT_BIT    PD2
#define PINS_ALERT_SENSE  EICRA
#define PINS_ALERT_FALLS  _BV(ISC01)
#define PINS_ALERT_MASK   _BV(INT0)

#define PINS_RX_VECTOR   USART_RX_vect
#define PINS_UDRE_VECTOR USART_UDRE_vect

#endif
