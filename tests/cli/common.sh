# SPDX-License-Identifier: GPL-3.0-or-later
# Read by the scripts beside it, which are called with
#   TOUCHSTONE SOURCE_FOLDER WORK_FOLDER JSON_KEYS
set -u
touchstone=$1 source=$2 work=$3 json_keys=$4
failures=0
rm -rf "$work"
mkdir -p "$work"
cd "$work" || exit 1

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# expect CODE ARGUMENT...: runs touchstone; its output is in the files out and err.
expect() {
    code=$1
    shift
    "$touchstone" "$@" >out 2>err </dev/null
    got=$?
    if [ "$got" -ne "$code" ]; then
        fail "touchstone $*: exit code $got instead of $code"
        sed 's/^/    /' out err | head -n 20
    fi
}

# says FILE TEXT: FILE holds TEXT somewhere.
says() {
    if ! grep -qF -- "$2" "$1"; then
        fail "\"$2\" is not in $1, which says:"
        sed 's/^/    /' "$1" | head -n 20
    fi
}

says_not() {
    if grep -qF -- "$2" "$1"; then
        fail "\"$2\" is in $1"
        grep -nF -- "$2" "$1" | cut -c 1-200 | head -n 5
    fi
}

# plain FILE: nothing that drives a terminal.
plain() {
    if LC_ALL=C grep -q "$(printf '\033')" "$1" || LC_ALL=C grep -q "$(printf '\r')" "$1"; then
        fail "$1 holds escape sequences or carriage returns"
    fi
}

# json FILE: valid JSON; its keys are in the file keys.
json() {
    "$json_keys" "$1" >keys 2>keys.err || fail "$1 is not JSON: $(cat keys.err)"
}

# A plan of two apps, $1 launches each, with the lines $2 added.
write_plan() {
    cat >plan.yaml <<PLAN
name: two
apps:
  - {name: Calculator, component: com.android.calculator2/.Calculator}
  - {name: Mail, component: org.example.mail/.InboxActivity}
launches: $1
plate_taps: 5
keep_video: none
bench: {faults: 0}
$2
PLAN
}

finish() {
    [ "$failures" -eq 0 ] || exit 1
    cd / && rm -rf "$work"
    exit 0
}
