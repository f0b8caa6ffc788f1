#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# `touchstone ingest` and `compare --db` on SQLite and on a PostgreSQL server; a stop rule in a plan.
. "$(dirname "$0")/common.sh"
make_lab=$5
server() { sh "$source/tests/cli/postgres.sh" "$1" "$work"; }
trap 'server stop' EXIT
server stop # that an earlier run may have left, when it was cut off

expect 0 ingest --help
says out 'Exit codes'
plain out
awk 'length > 80 { exit 1 }' out || fail "ingest --help is wider than a terminal"
expect 2 ingest
expect 2 ingest folder
says err "--db"
expect 2 ingest --db lab.sqlite
expect 1 ingest nowhere --db lab.sqlite
says err nowhere
[ -e lab.sqlite ] && fail "a database was made for nothing"
mkdir empty
expect 1 ingest empty --db lab.sqlite
expect 2 compare one two --detector robust-0

"$make_lab" sessions 0 300 40 || fail "the lab could not be made"
expect 3 ingest sessions --db "postgres://nobody@/nothing?host=$work"
says err "is the server running"
url=$(server start) || fail "no PostgreSQL server"
for db in lab.sqlite "$url"; do
    expect 0 ingest sessions/session0 sessions/session1 --db "$db" --device "Phone A"
    says out "2 sessions: 80 results added, 0 there already."
    expect 0 ingest sessions/session0 --db "$db" --json
    says out '"added":0,"there":40'
    json out
    expect 0 ingest sessions/session2 sessions/session3 --db "$db" --device "Phone B" --rig bench2
    expect 0 compare --db "$db" --by device --json
    json out
    says out '"Phone B"'
    cp out "compared$(echo "$db" | cut -c 1-3)"
    expect 1 compare --db "$db" --by build
    says err "only one group"
    expect 1 compare --db "$db" --by device --detector robust-1 # nobody analysed with it
done
cmp -s comparedlab comparedpos || fail "PostgreSQL compares otherwise than SQLite"

# A damaged session is told; the others are in.
cp -r sessions/session4 broken
echo '{' >broken/launches/0003/result.json
expect 1 ingest broken sessions/session5 --db lab.sqlite
says err "broken/launches/0003"
says out "1 session: 40 results added"
rm -r broken

# The server goes away in the middle of many sessions.
"$touchstone" ingest sessions --db "$url" >out 2>err </dev/null &
pid=$!
patience=200
while [ $patience -gt 0 ] && [ "$(psql -At "$url" -c 'SELECT count(*) > 20 FROM session')" != t ]; do
    patience=$((patience - 1))
done
server kill
wait $pid
got=$?
[ "$got" -eq 3 ] || fail "without its server ingest gave $got: $(cat out err)"
says err "sessions are in the database"
plain err
server start >/dev/null
torn=$(psql -At "$url" -c 'SELECT count(*) FROM (SELECT session FROM launches GROUP BY session
    HAVING count(*) <> 40) AS torn')
[ "$torn" = 0 ] || fail "$torn sessions are torn"
expect 0 ingest sessions --db "$url"
says out "300 sessions"
whole=$(psql -At "$url" -c 'SELECT count(*), count(DISTINCT session) FROM launches')
[ "$whole" = "12000|300" ] || fail "in the end there are $whole launches and sessions"

# A stop rule: the quick app has enough early, the other one goes on to the end.
write_plan 12 "stop: launches(6) and width(median) < 12%"
expect 0 plan check plan.yaml
says out "has enough when launches(6)"
expect 0 run plan.yaml --bench sim --seed 1 --out stopped
expect 0 status stopped
says out "Calculator had enough at launch"
says out "width(median) < 12%"
[ "$(find stopped/launches -name result.json | wc -l)" -lt 24 ] || fail "it did not stop"
grep -q '"stop":"launches(6)' stopped/launches/*/events.jsonl || fail "the journal does not say why"
expect 0 replay stopped
expect 0 replay stopped --strict
write_plan 12 "stop: launches(6) and width(median) << 12%"
expect 1 plan check plan.yaml
says err "line 9"
write_plan 12 "stop: launches(13)"
expect 1 plan check plan.yaml
says err "can never be met"
finish
