#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A disk that takes no more: a clear message, and nothing that was finished is lost.
. "$(dirname "$0")/common.sh"

write_plan 1 ""
expect 0 run plan.yaml --bench sim --seed 1 --out session
recording=$source/fixtures/recordings/xterm.nut

for arguments in "show session" "show session 1 --json" "status session" "ls" "version" \
    "plan new -" "replay session" "replay session --json" "report session" \
    "parse logcat $source/fixtures/logs/android-13.log" "analyze $recording" \
    "analyze $recording --json"; do
    # shellcheck disable=SC2086 # split on purpose
    "$touchstone" $arguments >/dev/full 2>err
    got=$?
    [ "$got" -eq 1 ] || fail "touchstone $arguments >/dev/full: exit code $got instead of 1"
    [ -s err ] || fail "touchstone $arguments >/dev/full: no message"
done

"$touchstone" run plan.yaml --bench sim --seed 1 --out unprinted >/dev/full 2>err
got=$?
[ "$got" -eq 1 ] || fail "run >/dev/full: exit code $got instead of 1"
says err "results are kept"
expect 0 replay unprinted

# No file longer than this many bytes: the first launch's video fits, the second's does not. Where
# the signal for that is ignored, the write fails as on a full disk.
limited() { # bytes, folder
    (
        trap '' XFSZ
        ulimit -f $(($1 / 512))
        exec "$touchstone" run plan.yaml --bench sim --seed 1 --out "$2" >out 2>err </dev/null
    )
    got=$?
}
sed -i 's/^keep_video:.*/keep_video: all/' plan.yaml
expect 0 run plan.yaml --bench sim --seed 1 --out whole
first=$(wc -c <whole/launches/0001/video.mkv)
second=$(wc -c <whole/launches/0002/video.mkv)
[ "$second" -gt $((first + 1048576)) ] || fail "this test wants a longer second video"
limited $(((first + second) / 2)) video
[ "$got" -eq 1 ] || fail "disk full in a video: exit code $got instead of 1"
grep -qiE 'full|space|large|write' err || fail "disk full in a video: $(cat err)"
says_not err "out of memory"
cmp -s whole/launches/0001/result.json video/launches/0001/result.json ||
    fail "the finished launch was lost"
[ -e video/launches/0002 ] && fail "a launch that could not be kept looks finished"
expect 0 show video
expect 0 replay video
expect 3 status video

# So small that not even the calibration fits.
limited 100000 nothing
[ "$got" -eq 1 ] || fail "disk full at the start: exit code $got instead of 1"
grep -qiE 'full|space|large|write' err || fail "disk full at the start: $(cat err)"

# The reference values' file.
"$touchstone" run plan.yaml --bench sim --seed 1 --out truth --truth /dev/full >out 2>err
got=$?
[ "$got" -eq 1 ] || fail "--truth /dev/full: exit code $got instead of 1"
[ -s err ] || fail "--truth /dev/full: no message"

# A real full disk, where one can be had.
mkdir small
if mount -t tmpfs -o size=3m tmpfs small 2>/dev/null; then
    sed -i 's/^keep_video:.*/keep_video: none/' plan.yaml
    expect 1 run plan.yaml --bench sim --seed 1 --out small/session
    grep -qiE 'full|space|write' err || fail "full disk: $(cat err)"
    if [ -e small/session/launches/0001 ]; then
        expect 0 show small/session
        expect 0 replay small/session
    fi
    umount small
fi
finish
