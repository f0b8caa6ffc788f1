#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The report in a real browser: its numbers, its width, its colours, its requests.
. "$(dirname "$0")/common.sh"
page_numbers=$(dirname "$json_keys")/page_numbers
command -v chromium >/dev/null || {
    fail "chromium is not installed: ./dev lists it"
    finish
}

cat >plan.yaml <<PLAN
name: browser
apps:
  - {name: Calculator, component: com.android.calculator2/.Calculator}
  - {name: Mail, component: org.example.mail/.InboxActivity}
  - {name: Radio, component: org.example.radio/.PlayerActivity}
launches: 7
plate_taps: 5
keep_video: all
bench: {faults: 0.25}
PLAN
expect 0 run plan.yaml --bench sim --seed 5 --out session
expect 0 report session --base session -o report.html
[ "$(wc -c <report.html)" -lt 1000000 ] || fail "the page of 21 launches is larger than 1 MB"

# browse NAME WIDTH HEIGHT [OPTION]: the page as the browser holds it is in NAME.dom.
browse() {
    name=$1 size=$2,$3
    shift 3
    timeout 100 chromium --headless --no-sandbox --disable-gpu --hide-scrollbars \
        --user-data-dir="$work/profile" --no-first-run --disable-background-networking \
        --disable-component-update --disable-sync \
        --enable-logging=stderr --window-size="$size" --virtual-time-budget=2000 "$@" \
        --dump-dom "file://$work/$page" >"$name.dom" 2>"$name.log" ||
        fail "$name: chromium failed: $(tail -n 2 "$name.log")"
    ! grep -a CONSOLE "$name.log" >"$name.console" || fail "$name: $(head -n 3 "$name.console")"
}

# As it is: the browser says nothing on its console, which is where it would tell of a request that
# the page's policy refused.
page=report.html
browse whole 1280 900
says whole.dom "How long each app takes to launch"
says whole.dom "<b>0&nbsp;ms</b> <small>against the base"
"$page_numbers" whole.dom session/results.sqlite >numbers 2>&1 || fail "$(head -n 5 numbers)"

# With a probe in place of the policy, in frames as wide as a phone, a tablet and a desk, since a
# browser's window is never as narrow as a phone.
sed -e '/Content-Security-Policy/d' -e '/<\/body>/d' report.html >probed.html
cat "$source/tests/cli/browser_probe.html" >>probed.html
page=frames.html
cat >frames.html <<'PAGE'
<html><body><script>
addEventListener("message", e => document.body.append(JSON.stringify(e.data), "\n"));
for (const width of [360, 390, 600, 700, 820, 900, 1280])
    document.write(`<iframe src=probed.html width=${width} height=800 style=border:0></iframe>`);
</script></body></html>
PAGE
for scheme in 0 1; do
    browse frames-$scheme 1400 900 --blink-settings=preferredColorScheme=$scheme
    grep -o '{"width":.*}' frames-$scheme.dom >told
    [ "$(wc -l <told)" -eq 7 ] || fail "not seven widths answered: $(cat told)"
    dark=true
    [ $scheme = 0 ] || dark=false
    while read -r line; do
        # field NAME: of that line.
        field() { echo "$line" | sed "s/.*\"$1\":\"\{0,1\}\([^,\"}]*\).*/\1/"; }
        [ "$(field scroll)" -le "$(field width)" ] || fail "wider than its window: $line"
        [ -z "$(field out)" ] || fail "sticks out of the window: $line"
        [ "$(field dark)" = $dark ] || fail "light and dark are mixed up: $line"
        [ "$(field unseen)$(field nameless)" = 00 ] || fail "pictures are broken or nameless: $line"
        [ "$(field requests)" = 0 ] || fail "the page asks for something: $line"
        [ "$(field images)" -ge 30 ] && [ "$(field figures)" -eq 5 ] || fail "pictures lack: $line"
        [ "$(field texts)" -gt 300 ] || fail "texts lack: $line"
        field contrast | awk '{ exit !($1 >= 4.5) }' || fail "poor contrast: $line"
    done <told
done
finish
