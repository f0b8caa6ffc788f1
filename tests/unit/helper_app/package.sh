#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# package.sh SOURCES BUILT WORK: what Android's package manager will be told by the helper app,
# read by Debian's tools, and that it comes out the same again.
set -eu
sources=$1 built=$2 work=$3
apk=$built/touchstone-helper.apk

fail() {
    echo "package.sh: $*" >&2
    exit 1
}
# holds FILE TEXT: a line has this text in it.
holds() { grep -qF -- "$2" "$1" || fail "\"$2\" is missing in $(basename "$1")"; }
lacks() { ! grep -qiE -- "$2" "$1" || fail "\"$2\" is in $(basename "$1")"; }

rm -rf "$work"
mkdir -p "$work"

# Android 7 to 14 take this signature. The archive is aligned, and its resources are not compressed.
apksigner verify -v --min-sdk-version 24 --max-sdk-version 34 "$apk" >"$work/signature" 2>&1
holds "$work/signature" "(APK Signature Scheme v2): true"
holds "$work/signature" "(APK Signature Scheme v3): true"
lacks "$work/signature" "warning"
zipalign -c 4 "$apk" || fail "it is not aligned"
unzip -lv "$apk" >"$work/files"
grep -q 'Stored.* resources.arsc$' "$work/files" || fail "resources.arsc is compressed"

aapt dump badging "$apk" >"$work/badging"
version=$(sed -n 's/#define TS_HELPER_VERSION //p' "$sources/../../host/control/phone.h")
holds "$work/badging" "package: name='org.touchstone.helper' versionCode='$version'"
holds "$work/badging" "sdkVersion:'24'"
holds "$work/badging" "targetSdkVersion:'29'"
holds "$work/badging" "launchable-activity: name='org.touchstone.helper.Button'"
holds "$work/badging" "provides-component:'accessibility'"
lacks "$work/badging" "debuggable"

aapt dump permissions "$apk" | grep uses-permission >"$work/permissions"
[ "$(cat "$work/permissions")" = \
    "uses-permission: name='android.permission.SYSTEM_ALERT_WINDOW'" ] ||
    fail "it asks for: $(cat "$work/permissions")"

# Each component, one line: its name and all of its attributes.
aapt dump xmltree "$apk" AndroidManifest.xml >"$work/manifest"
awk '/ E: /{ print line; line = $2 } / A: /{ line = line " " $2 } END { print line }' \
    "$work/manifest" >"$work/elements"
component() { # element name attribute...
    found=$(grep -F "$1 " "$work/elements" | grep -F "=\".$2\"") || fail "there is no $1 $2"
    shift 2
    for attribute in "$@"; do
        echo "$found" | grep -qF -- "$attribute" || fail "$found lacks $attribute"
    done
}
exported="android:exported(0x01010010)=(type"
for activity in Button Flash Scene; do
    component activity $activity "$exported" "android:launchMode(0x0101001d)=(type" \
        "android:screenOrientation(0x0101001e)=(type"
done
component receiver Orders "$exported" 'android:permission(0x01010006)="android.permission.DUMP"'
component service Recorder "$exported" \
    'android:permission(0x01010006)="android.permission.BIND_ACCESSIBILITY_SERVICE"'
[ "$(grep -c 'exported(0x01010010)=(type 0x12)0xffffffff' "$work/manifest")" = 5 ] ||
    fail "not all of the five components are exported"
grep -A6 'E: queries' "$work/manifest" >"$work/queries" || fail "there are no queries"
holds "$work/queries" '"android.intent.action.MAIN"'
holds "$work/queries" '"android.intent.category.LAUNCHER"'

# 0x1 clicked, 0x20 window state, 0x800 window content; and no right to look into windows.
aapt dump xmltree "$apk" res/xml/recorder.xml >"$work/recorder"
holds "$work/recorder" "accessibilityEventTypes(0x01010380)=(type 0x11)0x821"
holds "$work/recorder" "canRetrieveWindowContent(0x01010385)=(type 0x12)0x0"

# windowAnimationStyle none, windowDisablePreview true; since Android 9 windows reach below the
# camera's cut-out.
aapt dump --values resources "$apk" >"$work/resources"
holds "$work/resources" "(Key=0x010100ae): (reference) 0x00000000"
holds "$work/resources" "(Key=0x01010222): (color) #ffffffff"
sed -n '/config v28:/,$p' "$work/resources" >"$work/resources-28"
holds "$work/resources-28" "(Key=0x01010586): (color) #00000001"

unzip -qo "$apk" classes.dex -d "$work"
cmp "$work/classes.dex" "$built/classes.dex"
dexdump -d "$work/classes.dex" >"$work/dex" 2>"$work/dexdump.log"
for class in Helper Button Flash Scene Orders Recorder; do
    holds "$work/dex" "'Lorg/touchstone/helper/$class;'"
done
# code CLASS.METHOD: its instructions, by name.
code() {
    sed -n "/|\[[0-9a-f]*\] org.touchstone.helper.$1:/,/catches/p" "$work/dex" >"$work/code"
    [ -s "$work/code" ] || fail "there is no method $1"
}
code Pad.onTouchEvent
holds "$work/code" '"touch up "'
holds "$work/code" "Landroid/view/MotionEvent;.getEventTime:()J"
holds "$work/code" "Landroid/util/Log;.i:"
lacks "$work/code" "invalidate|setBackground|setPressed"
code Launch.touched
holds "$work/code" "#10200000"
holds "$work/code" "Landroid/content/Intent;.setSourceBounds:"
code Recorder.onAccessibilityEvent
holds "$work/code" "AccessibilityEvent;.getEventTime:()J"
# What the screen says stays unread; nothing goes anywhere but into the log.
lacks "$work/dex" "getText|getContentDescription|getBeforeText|getSource:|java/net|java/io|SystemClock"

# The same sources give the same bytes: elsewhere, later, and with another key but for its signature.
mkdir "$work/again" "$work/other"
cp -R "$sources" "$work/sources"
find "$work/sources" -type f -exec touch -d '2001-02-03 04:05:06' {} +
cp "$built/key.p12" "$work/again/"
"$work/sources/build.sh" "$work/sources" "$work/again" >"$work/build.log" 2>&1
[ ! -s "$work/build.log" ] || fail "the build has something to say: $(cat "$work/build.log")"
cmp "$work/again/touchstone-helper.apk" "$apk"
"$work/sources/build.sh" "$work/sources" "$work/other" >"$work/build.log" 2>&1
cmp "$work/other/unsigned.apk" "$built/unsigned.apk"
! cmp -s "$work/other/touchstone-helper.apk" "$apk" || fail "two keys sign alike"
