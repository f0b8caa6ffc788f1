#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# flash.sh ROOT BUILD BOOTLOADER OUT: hardware/flash.sh writes the build's firmware through avrdude to
# a board with Arduino's bootloader, and says what is missing.
set -eu
root=$1 build=$2 bootloader=$3 out=$4
for tool in avrdude avr-objcopy; do
    command -v $tool >/dev/null || { echo "$tool is missing"; exit 77; }
done
mkdir -p "$out"
[ -f "$build/firmware/touchstone-uno.elf" ] || { echo "no firmware in $build"; exit 77; }
bad=0

avr-objcopy -O binary -R .eeprom "$build/firmware/touchstone-uno.elf" "$out/uno.bin"
"$bootloader" "$out/uno.bin" sh "$root/hardware/flash.sh" uno PORT "$build" >"$out/said" 2>&1 ||
    { cat "$out/said"; echo "the firmware did not get onto the board"; bad=1; }

refused() { # EXIT-CODE WORDS ARGUMENT...
    code=$1 words=$2
    shift 2
    got=0
    sh "$root/hardware/flash.sh" "$@" >"$out/said" 2>&1 || got=$?
    [ "$got" = "$code" ] && grep -q "$words" "$out/said" || { echo "flash.sh $*: $got, $(cat "$out/said")"; bad=1; }
}
refused 2 'uno|mega PORT'
refused 2 'uno|mega PORT' nano /dev/null
refused 1 'is the board plugged in' mega /dev/ttyNOWHERE "$build"
refused 1 'build it first' mega /dev/null "$out"
exit $bad
