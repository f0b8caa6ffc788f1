#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What a person sees while a campaign runs: on a terminal, and where there is none.
. "$(dirname "$0")/common.sh"

write_plan 7 "warm_up: 1"
sed -i 's/name: Mail/name: A mail program whose name is far longer than any line has room for/' plan.yaml
expect 0 run plan.yaml --bench sim --seed 3 --out plain
plain err
[ "$(grep -c '^launch ' err)" -eq 16 ] || fail "not a line a launch: $(cat err)"
says err "launch 1/16  Calculator  "
says err "whose name is far longer than any line has room for  "
grep -q '^launch 1/16 .* ms, [0-9.]* C, [0-9]*:[0-9][0-9] left$' err ||
    fail "a warm-up launch moved the median: $(sed -n 3p err)"
grep -q '^launch 15/16 .*ms, median [0-9]* ([0-9]*\.\.[0-9]*), [0-9.]* C, 0:[0-9][0-9] left$' err ||
    fail "no running median with its interval: $(tail -n 2 err)"
says err "0:00 left"

# The last running median is the table's.
cp err told
expect 0 show plain
table=$(sed -n 's/^Calculator  *[0-9/]*  *\([0-9]*\).*/\1/p' out)
grep -q "^launch 15/16 .*median $table " told || fail "the last median is not the table's $table"

# On a terminal: one line that renews itself and never wraps, gone at the end.
LC_ALL=C TERM=xterm script -qec "'$touchstone' run plan.yaml --bench sim --seed 3 --out terminal" \
    typescript >/dev/null 2>&1 </dev/null || fail "it did not run on a terminal"
esc=$(printf '\033')
tr '\r' '\n' <typescript | grep -a "left" | sed "s/$esc\[K//g" >lines
[ "$(wc -l <lines)" -ge 16 ] || fail "not every launch was shown: $(cat lines)"
says lines "13/16  Calculator  "
LC_ALL=C awk 'length($0) > 79 { exit 1 }' lines || fail "a line is wider than 79 columns: $(cat lines)"
finish
