#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# wiring.sh ROOT OUT: the wiring is that of the firmware's pin tables; drawing and table are made of
# it; the drawings' numbers are those of host and firmware.
set -eu
root=$1 out=$2
csv=$root/hardware/wiring.csv
mkdir -p "$out"
bad=0
fail() { echo "$*"; bad=1; }

# The Arduino names of the ports that are used; from the boards' own pin-outs.
port_of() { # BOARD PIN
    awk -v board="$1" -v pin="$2" 'BEGIN {
        if (board == "uno") {
            for (i = 0; i < 8; i++) port["D" i] = "PD" i
            for (i = 8; i < 14; i++) port["D" i] = "PB" (i - 8)
            for (i = 0; i < 6; i++) port["A" i] = "PC" i
        } else {
            n = split("D0 PE0 D1 PE1 D2 PE4 D20 PD1 D21 PD0 D4 PG5 D13 PB7 D28 PA6 D29 PA7 D51 PB2 D52 PB1 D53 PB0 A0 PF0", w, " ")
            for (i = 1; i < n; i += 2) port[w[i]] = w[i + 1]
        }
        print pin in port ? port[pin] : "?"
    }'
}

# signal|Arduino pin|port, a line each, from the table in a pins.h
pins_of() {
    sed -n 's/^ \*   *//p' "$1" | sed 's,\*/,,' | awk -F'   *' '$3 ~ /^P[A-L][0-7]/ {
        n = split($2, pin, ", ")
        split($3, port, ", ")
        name = $1
        if (sub(/ 0, 1$/, "", name)) for (i = 1; i <= n; i++) print name " " (i - 1) "|" pin[i] "|" port[i]
        else print name "|" $2 "|" $3
    }'
}

for board in uno mega; do
    header=$root/firmware/board/$board/pins.h
    pins_of "$header" | sort >"$out/$board.firmware"
    column=$([ $board = uno ] && echo 4 || echo 5)
    awk -F';' -v c=$column '!/^#/ && $6 != "" && $6 != "signal" { print $6 "|" $c }' "$csv" | sort >"$out/$board.wired"
    [ "$(wc -l <"$out/$board.firmware")" = 12 ] || fail "$board: twelve rows of pins.h were not understood"
    cut -d'|' -f1,2 "$out/$board.firmware" | diff - "$out/$board.wired" >"$out/diff" ||
        { fail "$board: wiring.csv and $header differ:"; cat "$out/diff"; }

    # Its comment and what the program uses.
    while IFS='|' read -r signal pin port; do
        [ "$signal" != host ] || continue
        [ "$(port_of $board "$pin")" = "$port" ] || fail "$board: $pin is not $port"
    done <"$out/$board.firmware"
    of() { sed -n "s/^$1|[^|]*|//p" "$out/$board.firmware"; }
    defined() { sed -n "s/^#define $1  *//p" "$header"; }
    shift_by=$(defined PINS_LED_SHIFT)
    letter=$(defined PINS_LED_PORT)
    letter=${letter#PORT}
    [ "$(of 'sync LED 0') $(of 'sync LED 1')" = "P$letter$shift_by P$letter$((shift_by + 1))" ] || fail "$board: the LEDs' port"
    [ "$(of motor)" = "$(defined PINS_MOTOR_BIT)" ] || fail "$board: the motor's port"
    [ "$(of 'power meter alert')" = "$(defined PINS_ALERT_BIT)" ] || fail "$board: the power meter's port"
    [ "$(of 'fault LED')" = "$(defined PINS_FAULT_BIT)" ] || fail "$board: the fault LED's port"
done

awk -f "$root/hardware/wiring.awk" -v as=svg "$csv" | cmp - "$root/hardware/wiring.svg" ||
    fail "wiring.svg is not made of wiring.csv: awk -f wiring.awk -v as=svg wiring.csv >wiring.svg"
awk -f "$root/hardware/wiring.awk" -v as=table "$csv" >"$out/table"
sed -n '/^| from the board/,/^$/p' "$root/hardware/WIRING.md" | sed '/^$/d' | diff - "$out/table" ||
    fail "the table in WIRING.md is not that of wiring.csv: awk -f wiring.awk -v as=table wiring.csv"

awk -f "$root/hardware/bom.awk" "$root/hardware/bom.csv" >"$out/bom"
sed -n '/^| for | what/,/^$/p' "$root/hardware/README.md" | sed '/^$/d' | diff - "$out/bom" ||
    fail "the bill of materials in README.md is not that of bom.csv: awk -f bom.awk bom.csv"

# What params.scad takes from elsewhere.
param() { sed -n "s/^$1 = \([^;]*\);.*/\1/p" "$root/hardware/params.scad"; }
raise=$(sed -n '/^#define RAISE_MS/,/[0-9]/p' "$root/host/control/steps.c" | grep -o '[0-9][0-9]*' | head -1)
[ "$(param raise_ms)" = "$raise" ] || fail "raise_ms is $(param raise_ms), the host's RAISE_MS $raise"
home=$(sed -n 's/^#define FW_HOME_RAISE_MS *\([0-9]*\).*/\1/p' "$root/firmware/core/tap.h")
[ "$(param home_raise_ms)" = "$home" ] || fail "home_raise_ms is $(param home_raise_ms), the firmware's $home"
spots=$(sed -n 's/^const struct ts_spot ts_spots.*= *{\(.*\)};/\1/p' "$root/host/model/scene.c" | tr '{}' '[]')
[ "$(param spots)" = "[$spots]" ] || fail "spots are $(param spots), the helper app's [$spots]"
exit $bad
