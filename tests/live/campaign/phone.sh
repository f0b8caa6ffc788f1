#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A phone that has never seen Touchstone is set up over adb, helper app and all, and given back.
#   phone.sh TOUCHSTONE_BENCH TOUCHSTONE FOLDER
# Under the bench it calls itself:
#   phone.sh inside TOUCHSTONE FOLDER
set -eu
bench=$1 touchstone=$2 folder=$3
state=$folder/state
out=$folder/out
export ASAN_OPTIONS="verify_asan_link_order=0:detect_leaks=0"

expect() { # exit code, command...
    wanted=$1 code=0
    shift
    "$@" >"$out" 2>&1 </dev/null || code=$?
    if [ "$code" -ne "$wanted" ]; then
        echo "$*: exit $code, not $wanted"
        cat "$out"
        exit 1
    fi
}
phone() { # exit code, arguments of `touchstone phone`
    wanted_of_phone=$1
    shift
    expect "$wanted_of_phone" "$touchstone" phone "$@" --options camera=v4l2:/dev/video0
}
says() { grep -qF -- "$1" "$out" || { echo "\"$1\" is not said:"; cat "$out"; exit 1; }; }
holds() { grep -qxF -- "$1" "$state" || { echo "the phone has no \"$1\":"; cat "$state"; exit 1; }; }
values() { grep -v -e ' $' -e helper_version "$state" | sort; } # those that are not deleted

if [ "$bench" = inside ]; then
    phone 1 check
    says "helper app: is not installed, should be version 1 or later"
    phone 1 setup --helper /etc/passwd
    says "is no Android package"
    holds "own/helper_version "
    phone 0 setup
    says "The helper app was installed."
    holds "own/helper_version 1"
    holds "own/helper_may_start allow"
    holds "secure/immersive_mode_confirmations confirmed"
    phone 0 setup --json
    says '"helper_installed": false'
    phone 0 restore
    exit 0
fi

rm -rf "$folder"
mkdir -p "$folder"
expect 1 "$touchstone" phone check --bench sim --options "phone_state=$state"
values >"$folder/owner"
without_helper() { sed -i 's/^own\/helper_version .*/own\/helper_version /' "$state"; }
under_bench() { "$bench" exec --camera v4l2 --options "phone_state=$state,android=14" -- "$@"; }

without_helper
under_bench "$0" inside "$touchstone" "$folder"
values | cmp - "$folder/owner"

# A campaign says at once that the helper is not there.
without_helper
cat >"$folder/plan.yaml" <<'PLAN'
name: no helper
apps:
  - {name: Contacts, component: com.android.contacts/.activities.PeopleActivity}
launches: 1
bench: {camera: 'v4l2:/dev/video0'}
PLAN
expect 1 under_bench "$touchstone" run "$folder/plan.yaml" --bench live --out "$folder/session"
says "the helper app is not on the phone"
values | cmp - "$folder/owner"
rm -rf "$folder"
