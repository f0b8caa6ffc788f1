#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# annotate and agreement as a script meets them, on a short session with videos.
. "$(dirname "$0")/../../cli/common.sh"

write_plan 1 ""
sed -i 's/keep_video: none/keep_video: all/' plan.yaml
expect 0 run plan.yaml --bench sim --seed 1 --out session
one=session/launches/0001
cksum $one/result.json $one/video.mkv >before

# What is not usable
expect 2 annotate
expect 2 annotate $one/video.mkv --first-change 3 --settled 4
says err "--by"
expect 2 annotate session --json
expect 1 annotate nowhere --list
says err nowhere
expect 1 annotate session --by Ada --first-change 3 --settled 4
says err "name one"
expect 1 annotate $one/video.mkv --by Ada --first-change 30 --settled 4
expect 1 annotate $one/video.mkv --by Ada --first-change 0 --settled 4
expect 1 annotate $one/video.mkv --by Ada --first-change 3 --settled 99999
expect 1 annotate $one/video.mkv --by Ada --first-change 3
says err "cannot tell"
expect 1 annotate $one/blocks.bin --by Ada --first-change 3 --settled 4
expect 2 agreement
expect 1 agreement --annotations session
says err "nobody has marked"
[ -e $one/annotations.json ] && fail "wrong usage left annotations"

# Two people; the first one twice
expect 0 annotate $one/video.mkv --by Ada --first-change 200 --settled 300
expect 0 annotate $one/video.mkv --by Grace --first-change 201 --settled 303 --note 'a caret'
expect 0 annotate $one/video.mkv --by Ada --first-change 202 --settled 300
expect 0 annotate session/launches/0002/video.mkv --by Ada --cannot-tell
expect 0 annotate session --list
for text in Ada Grace superseded "a caret" "cannot tell"; do
    says out "$text"
done
expect 0 annotate session --list --json
json out
cksum $one/result.json $one/video.mkv | cmp -s - before || fail "annotate changed a launch"
expect 0 show session

# The same film copied out of the session is timed from its first frame.
cp $one/video.mkv film.mkv
expect 0 annotate film.mkv --by Ada --first-change 200 --settled 300
says film.mkv.annotations.json '"zero": "first frame"'
says $one/annotations.json '"zero": "lift"'
expect 0 agreement --annotations film.mkv
says out "1 marked"

expect 0 agreement --annotations session
for text in "First change" "Settled" "1 launch" "90 ms" "Ada / Grace" "a second time"; do
    says out "$text"
done
plain out
expect 0 agreement --annotations session --json
json out
[ -s err ] && fail "agreement --json writes to standard error"
printf 'name,automatic_ms,manual_ms,by\na,10,12,x\nb,20,19,x\nc,33,30,x\n' >pairs.csv
expect 0 agreement --annotations pairs.csv --svg figure.svg
says out "2.0 ms" # (2 + 1 + 3) / 3
if command -v gnuplot >/dev/null; then
    says figure.svg 'xmlns="http://www.w3.org/2000/svg"'
fi
awk 'length > 80' out | grep . && fail "lines of more than 80 columns"
expect 1 agreement --annotations session pairs.csv nowhere.csv
says err nowhere.csv

# Damage is told and not written over.
echo '[{"by":' >film.mkv.annotations.json
expect 1 annotate film.mkv --by Ada --first-change 1 --settled 2
says err film.mkv.annotations.json
expect 1 agreement --annotations film.mkv
says film.mkv.annotations.json '[{"by":'

# The page: its address is printed, Ctrl-C ends it cleanly.
"$touchstone" annotate session --by Ada >out 2>err </dev/null &
page=$!
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    grep -q http://127.0.0.1: out && break
    sleep 0.1
done
says out http://127.0.0.1:
kill -TERM $page # a shell without job control hides SIGINT from what it starts
wait $page
[ $? -eq 0 ] || fail "the page did not end cleanly"
says err "2 of 2 films marked"
finish
