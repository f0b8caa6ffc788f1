#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# flash.sh TOUCHSTONE BUILD BOOTLOADER OUT: `touchstone flash` writes the build's firmware through
# avrdude to a board with Arduino's bootloader, byte for byte.
set -eu
touchstone=$1 build=$2 bootloader=$3 out=$4
for tool in avrdude avr-objcopy; do
    command -v $tool >/dev/null || { echo "$tool is missing"; exit 77; }
done
mkdir -p "$out"
[ -f "$build/firmware/touchstone-uno.elf" ] || { echo "no firmware in $build"; exit 77; }
avr-objcopy -O binary -R .eeprom "$build/firmware/touchstone-uno.elf" "$out/uno.bin"
"$bootloader" "$out/uno.bin" "$touchstone" flash uno PORT >"$out/said" 2>&1 ||
    { cat "$out/said"; echo "the firmware did not get onto the board"; exit 1; }
grep -q 'bytes of flash verified' "$out/said" || { cat "$out/said"; exit 1; }
