#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# `touchstone outliers` on files as people have them.
. "$(dirname "$0")/../../cli/common.sh"

expect 0 outliers --help
grep -q 'Exit codes' out || fail "--help does not tell its exit codes"
plain out
awk 'length > 80 { exit 1 }' out || fail "--help is wider than a terminal"
expect 2 outliers
expect 2 outliers one two
expect 2 outliers --method guess file
says err guess
expect 2 outliers --tick 0 file
expect 2 outliers --percentile 101 file
expect 2 outliers --json --marks file
expect 1 outliers missing.csv
says err missing.csv

printf 'wait (ms),app\n1,x\n\n2,y\nNaN,z\n3,w\n2,w\n,w\n1.5,w\n99,w\n' >small.csv
expect 0 outliers small.csv --column wait --json
json out
for key in n outliers indices method parameters column missing; do
    grep -qx "$key" keys || fail "--json: no $key"
done
says out '"n":6,"outliers":1,"indices":[7],"method":"tukey"'
expect 0 outliers small.csv --column wait --marks
says out '7,99,1'
says out '0,1,0'
expect 0 outliers small.csv --column 1
says out "1 of 6 values"
plain out
expect 1 outliers small.csv --column app
says err "line 2"
expect 1 outliers small.csv
says err "wait (ms), app"
for method in full simplified search adjusted-boxplot lof fence; do
    expect 1 outliers small.csv --column wait --method $method
    says err "does not apply"
done
printf '1\n2\n3 ms\n' >unit.csv
expect 1 outliers unit.csv
says err "line 3"
: >empty.csv
expect 1 outliers empty.csv
says err "no number"
head -c 100000 "$touchstone" >binary
expect 1 outliers binary

# More indices than a line of text holds.
awk 'BEGIN { for (i = 0; i < 20000; i++) print (i % 10 ? 100 + i % 7 : 9999) }' >many.txt
expect 0 outliers many.txt --json
json out
says out '"n":20000,"outliers":2000,"indices":[0,10,20,'
says out ',19980,19990],'

# Ticks of 125/3 ns, three outliers alone and two together.
awk 'BEGIN {
    for (i = 0; i < 2000; i++) {
        t = 5 + i * 7 % 3
        if (i == 100) t = 4000
        if (i == 200) t = 90
        if (i == 1999) t = 777
        if (i == 300 || i == 301) t = 50
        printf "%.6f\n", t * 125 / 3
    }
}' >ticks.txt
for method in full simplified fence search tukey; do
    expect 0 outliers ticks.txt --method $method --json
    says out '"n":2000,"outliers":5,"indices":[100,200,300,301,1999]'
done
"$touchstone" outliers - --method full --json <ticks.txt >piped 2>err || fail "from a pipe: $(cat err)"
expect 0 outliers ticks.txt --method full --json
cmp -s piped out || fail "standard input gives something else"
expect 0 outliers ticks.txt --method simplified --curve polynomial --tick 41.6666
expect 0 outliers ticks.txt --method lof --neighbours 5 --above 2
awk 'BEGIN { srand(1); for (i = 0; i < 500; i++) print rand() }' >continuous.txt
expect 1 outliers continuous.txt --method simplified
says err "tick"
expect 0 outliers continuous.txt --method simplified --force
awk 'BEGIN { for (i = 0; i < 500; i++) print (i % 5 < 3 ? 0 : i) }' >skewed.txt
expect 1 outliers skewed.txt --method adjusted-boxplot
says err "medcouple"
finish
