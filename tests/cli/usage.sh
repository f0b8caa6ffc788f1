#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Help, wrong usage, and that nothing happens then.
. "$(dirname "$0")/common.sh"

expect 0 --help
says out "Exit codes"
expect 0 help
expect 2
says err "Usage: touchstone"
expect 2 frobnicate
says err "frobnicate"
expect 2 ""
expect 0 --version
says out "touchstone "

commands="run replay plan show ls status report exclude analyze annotate agreement ready parse
    outliers stop rig flash calibrate verify doctor estimate version explain export bundle reproduce
    compare ingest phone"
for command in $commands; do
    expect 0 "$command" --help
    grep -qE 'Exit (codes|status)' out || fail "$command --help does not tell its exit codes"
    plain out
    awk 'length > 80 { exit 1 }' out || fail "$command --help is wider than a terminal"
    # A word alone at the left, below a longer line: the line was too long by that word.
    awk 'before > 58 && !/^ ? ?[^ ]/ && word != "" { print word }
        { word = /^ ? ?[^ ]/ && length < 22 && last ~ /^  / && !/:$/ && !/^  -/ ? $0 : ""
          before = length(last); last = $0 }' out >words
    [ -s words ] && fail "$command --help breaks lines before: $(tr '\n' ',' <words)"
    [ -s err ] && fail "$command --help writes to standard error"
    expect 2 "$command" --frobnicate
    [ -s out ] && fail "$command --frobnicate writes to standard output"
    says err "frobnicate"
    # Each is in the list of commands.
    "$touchstone" --help | grep -q "^  $command " || fail "$command is not in --help"
done

for command in replay show status report exclude analyze annotate agreement ready parse plan run \
    outliers stop rig flash calibrate verify estimate; do
    expect 2 "$command"
done
expect 2 replay one two
expect 2 show folder 0
expect 2 show folder x
expect 2 show folder 99999999999
expect 2 version now
expect 2 exclude folder 1
expect 2 exclude folder 1 --why ""
expect 2 exclude folder 1 --why text --undo
expect 2 plan dance
expect 2 parse sonnet file
expect 2 analyze --rule fair video
expect 2 analyze --gamma x video
expect 2 analyze --screen 1,2,3 video
expect 2 analyze --screen 0,0,0,9,9,9,9,0 video
says err clockwise

expect 2 flash nano
says err "neither uno nor mega"
expect 1 flash mega /dev/ttyNOWHERE
says err "plugged in"
expect 1 flash uno /dev/null --image nowhere.elf
says err "build it"
expect 0 flash mega /dev/ttyUSB7 --dry-run
says out "avrdude -q -c wiring -p m2560 -b 115200 -P /dev/ttyUSB7 -D -U flash:w:"

expect 2 annotate film.mp4 --first-change 3
says err "--by"
expect 2 annotate film.mp4 --by Ada --settled x
expect 2 annotate film.mp4 other.mp4 --by Ada --settled 3
expect 2 annotate film.mp4 --json
expect 2 annotate film.mp4 other.mp4 --tap-ns 5
expect 2 annotate film.mp4 --exposure-ms x
expect 1 annotate missing.mp4 --list
says err missing.mp4
expect 2 agreement --annotations pairs.csv --of lift
expect 1 agreement --annotations missing.csv
says err missing.csv
expect 2 ready guess
says err guess

# What a rig's commands refuse before they touch anything, and what is not there.
expect 2 rig dance here
says err dance
expect 2 rig new
expect 2 rig new here there
expect 2 rig new here --bench dream
says err dream
expect 1 rig show nowhere
says err nowhere
expect 0 rig new here --bench sim
says out "calibrate all"
expect 1 rig new here --bench sim
says err here
expect 0 rig show here
says out "stylus: not calibrated"
expect 0 rig show here --json
json out
grep -qx options keys || fail "rig show --json has no options"
expect 2 calibrate nothing --rig here
says err nothing
expect 2 calibrate all
says err "--rig"
expect 2 calibrate stylus --rig here --drops 3
expect 2 calibrate camera --rig here --edges x
expect 2 calibrate clock --rig here --seconds 0
expect 2 calibrate all --rig here --seed -1
expect 2 calibrate observers stylus --rig here --plan plan.yaml
expect 2 calibrate observers --rig here
says err "--plan"
expect 2 calibrate observers --rig here --plan plan.yaml --pairs 1
expect 1 calibrate all --rig nowhere
says err nowhere
expect 2 verify --rig here --scenes 3
expect 2 verify --rig here --scenes x
expect 2 verify --rig here --refresh 5000
expect 2 verify --rig here --response x
expect 2 verify --rig here --chart --repeatability
expect 2 verify --repeatability here
expect 2 verify --rig here there
expect 1 verify --rig nowhere
says err nowhere
expect 1 verify --rig here
says err "calibrate all"
expect 1 verify --chart --rig nowhere
expect 2 doctor --rig here --bench sim
expect 2 run plan.yaml --rig here --bench sim --out there
says err "a rig has its bench"
echo "no archive" >bundle
expect 1 reproduce bundle -o made
[ ! -e made ] || fail "reproduce left an empty folder"
expect 2 doctor --bench dream
says err dream
expect 2 doctor --bench sim --space much
expect 2 doctor --bench sim --seed x
expect 2 doctor here
expect 1 doctor --rig nowhere
says err nowhere

# Estimates: what is wrong is said before anything is read or written.
for action in features train predict evaluate study early follow resources shift emit; do
    expect 2 estimate $action
    says err "$action"
done
expect 2 estimate train f.csv
says err "-o"
expect 2 estimate evaluate f.csv --kind crystal
says err crystal
expect 2 estimate evaluate --study night
says err night
expect 2 estimate evaluate f.csv --trees 0
expect 1 estimate evaluate f.csv
says err f.csv

# Outliers: one of ten values.
printf '%s\n' ms 10 11 12 11 10 12 11 10 12 900 >values.csv
expect 2 outliers values.csv --method magic
says err magic
expect 2 outliers values.csv --percentile x
expect 2 outliers values.csv --ratio -1
expect 2 outliers values.csv other.csv
expect 1 outliers missing.csv
says err missing.csv
expect 1 outliers values.csv --column size
says err size
expect 0 outliers values.csv
says out 900
expect 0 outliers values.csv --json
json out
expect 0 outliers values.csv --marks
says out "9,900,1"
expect 1 outliers -

write_plan 1 ""
expect 2 run plan.yaml
says err "--out"
expect 2 run --out o --bench sim
for seed in x -1 "" 1x 99999999999999999999; do
    expect 2 run plan.yaml --bench sim --out o --seed "$seed"
    says err "--seed"
done
expect 2 run plan.yaml --bench dream --out o
says err "dream"
expect 1 run plan.yaml --bench live --out o
says err "live bench"
expect 1 run plan.yaml --out o
says err "live bench"
[ -e o ] && fail "a run that could not begin left a folder"

for command in replay show status report; do
    expect 1 "$command" nowhere
    says err "nowhere"
done
expect 1 exclude nowhere 1 --why because
expect 1 ls nowhere
mkdir empty
for command in replay show status report; do
    expect 1 "$command" empty
done
finish
