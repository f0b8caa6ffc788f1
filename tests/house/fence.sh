#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# fence.sh accepts|refuses HEADER FOLDER:FOLDER:... CC
# Does a file of the room that has these include folders compile when it includes HEADER?
expected=$1 header=$2 folders=$3 cc=$4
set --
IFS=:
for folder in $folders; do
    set -- "$@" -I "$folder"
done
unset IFS
if message=$(printf '#include "%s"\nextern int house;\n' "$header" |
    "$cc" "$@" -std=c11 -D_POSIX_C_SOURCE=200809L -x c -fsyntax-only - 2>&1); then
    found=accepts
else
    found=refuses
fi
if [ "$found" != "$expected" ]; then
    echo "the compiler $found #include \"$header\"; expected: $expected"
    echo "$message"
    exit 1
fi
# Refused for the right reason: not found, and not because the header itself is broken.
case $found:$message in
refuses:*"No such file"* | refuses:*"file not found"* | accepts:*) ;;
*)
    echo "refused, but not by the fence: $message"
    exit 1
    ;;
esac
