#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A campaign on the live bench, with the simulated one as its devices, in real time; judged over all
# launches, and computed again from its journal.
#   campaign.sh TOUCHSTONE_BENCH TOUCHSTONE JUDGE PLAN FOLDER v4l2|ps3eye SEED LAUNCHES
set -eu
bench=$1 touchstone=$2 judge=$3 plan=$4 folder=$5 camera=$6 seed=$7 launches=$8
case $camera in
v4l2) spec='v4l2:/dev/video0' ;;
ps3eye) spec='ps3eye?size=320x240\&rate=125' ;;
esac
# The programs of a build with sanitizers find umockdev's library before their own.
export ASAN_OPTIONS="verify_asan_link_order=0:detect_leaks=0"
rm -rf "$folder"
mkdir -p "$folder"
sed "s|CAMERA|$spec|" "$plan" >"$folder/plan.yaml"
code=0
"$bench" exec --seed "$seed" --camera "$camera" --truth "$folder/truth" --health -- \
    "$touchstone" run "$folder/plan.yaml" --bench live --out "$folder/session" \
    >"$folder/out.txt" 2>"$folder/err.txt" </dev/null || code=$?
tail -n 1 "$folder/err.txt"
if [ $code -ne 0 ]; then
    cat "$folder/out.txt" "$folder/err.txt"
    exit $code
fi
"$judge" "$folder/session" "$folder/truth" "$launches" 0
"$touchstone" replay "$folder/session"
"$touchstone" replay --strict "$folder/session"
rm -rf "$folder"
