#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# flash.sh uno|mega PORT [BUILD]: write the firmware that the build made (BUILD: build) to a board
# whose bootloader is Arduino's. The same two commands work by hand:
#   avr-objcopy -O ihex -R .eeprom touchstone-uno.elf touchstone-uno.hex
#   avrdude -c arduino -p m328p -b 115200 -P /dev/ttyACM0 -D -U flash:w:touchstone-uno.hex:i
set -eu
usage() { sed -n '3,6s/^# //p' "$0" >&2; exit 2; }
[ $# -ge 2 ] && [ $# -le 3 ] || usage
board=$1 port=$2 build=${3:-build}
case $board in
uno) programmer=arduino part=m328p ;;
mega) programmer=wiring part=m2560 ;;
*) usage ;;
esac
elf=$build/firmware/touchstone-$board.elf
[ -f "$elf" ] || { echo "flash.sh: there is no $elf: build it first (./dev build)" >&2; exit 1; }
[ -e "$port" ] || { echo "flash.sh: there is no $port: is the board plugged in? ls /dev/ttyACM* /dev/ttyUSB*" >&2; exit 1; }
for tool in avr-objcopy avrdude; do
    command -v $tool >/dev/null || { echo "flash.sh: $tool is missing: apt-get install binutils-avr avrdude" >&2; exit 1; }
done
hex=${elf%.elf}.hex
avr-objcopy -O ihex -R .eeprom "$elf" "$hex"
exec avrdude -q -c $programmer -p $part -b 115200 -P "$port" -D -U "flash:w:$hex:i"
