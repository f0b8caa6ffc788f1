#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# finds_clock.sh CC AR NM HERE WORK: pure.sh must refuse an archive that reads a clock, by name.
cc=$1 ar=$2 nm=$3 here=$4 work=$5
mkdir -p "$work" && cd "$work" || exit 1
rm -f impure.a
"$cc" -std=c11 -D_POSIX_C_SOURCE=200809L -c "$here/impure.c" -o impure.o || exit 1
"$ar" rc impure.a impure.o || exit 1
if message=$(sh "$here/pure.sh" "$nm" "$here/allowed_symbols.txt" impure.a); then
    echo "a clock in a pure room was not found"
    exit 1
fi
case $message in
*clock_gettime*) ;;
*)
    echo "refused, but not for the clock: $message"
    exit 1
    ;;
esac
