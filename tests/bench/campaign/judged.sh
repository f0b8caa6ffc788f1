#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Campaigns on the simulated bench, judged over all launches.
#   judged.sh TOUCHSTONE JUDGE PLAN LAUNCHES FOLDER SEED...
set -eu
touchstone=$1 judge=$2 plan=$3 launches=$4 folder=$5
shift 5
rm -rf "$folder"
mkdir -p "$folder"
sed "s/^launches: .*/launches: $launches/" "$plan" >"$folder/plan.yaml"
pairs=
for seed in "$@"; do
    "$touchstone" run "$folder/plan.yaml" --bench sim --seed "$seed" --out "$folder/$seed" \
        --truth "$folder/$seed.truth" >"$folder/$seed.txt" 2>"$folder/$seed.err"
    rm -f "$folder/$seed"/launches/*/video.mkv
    pairs="$pairs $folder/$seed $folder/$seed.truth"
done
# shellcheck disable=SC2086 # the folders have no blanks
"$judge" $pairs
rm -rf "$folder"
