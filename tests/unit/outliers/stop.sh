#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# `touchstone stop` on files as people have them.
. "$(dirname "$0")/../../cli/common.sh"

expect 2 stop values.csv
says err "--rule"
expect 2 stop values.csv --rule 'launches(5'
says err "--rule:"
expect 2 stop values.csv --rule 'minutes(5)'
says err "--minutes"
expect 2 stop --rule 'launches(5)'
expect 2 stop values.csv --rule 'launches(5)' --warm-up -1
expect 2 stop - --rule 'minutes(5)' --minutes t
expect 1 stop missing.csv --rule 'launches(5)'

printf 'ms,min\n900,0\n,1\n100,2\n102,3\n98,4\nNaN,5\n101,6\n99,7\n100,8\n' >times.csv
expect 0 stop times.csv --column ms --rule 'launches(4)' --json
json out
for key in stop reason rows values median interval; do
    grep -qx "$key" keys || fail "--json: no $key"
done
says out '"stop":true,"reason":"launches(4): 4","rows":5,"values":4,"median":101.0'
expect 3 stop times.csv --column ms --rule 'launches(8)' --json
says out '"stop":false,"reason":null,"rows":null,"values":7'
expect 3 stop times.csv --column ms --rule 'variation < 5%'
says out "Not enough"
expect 0 stop times.csv --column ms --rule 'launches(3) and variation < 5%' --warm-up 1
says out "Enough after 3 values (row 4)"
plain out
expect 0 stop times.csv --column ms --minutes min --rule 'minutes(6)'
says out "row 6"
printf '1\n2\n3 ms\n' >unit.csv
expect 1 stop unit.csv --rule 'launches(2)'
says err "line 3"
"$touchstone" stop - --rule 'launches(2)' <unit.csv >out 2>err && fail "garbage from a pipe is taken"
says err "line 3"
awk 'BEGIN { for (i = 0; i < 10000; i++) print i }' >long.txt
expect 1 stop long.txt --rule 'launches(5)'
says err "9999"
finish
