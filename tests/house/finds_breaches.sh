#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# finds_breaches.sh HERE WORK: sources.sh must pass a clean tree and refuse each breach in turn.
here=$1 work=$2
spdx='/* SPDX-License-Identifier: GPL-3.0-or-later */'
fresh() {
    rm -rf "$work"
    mkdir -p "$work/host/clock" "$work/fixtures/bench"
    printf '%s\n#include "base/err.h"\n' "$spdx" >"$work/host/clock/fit.c"
    printf '%s\n#include "fixtures/x.h"\n' "$spdx" >"$work/fixtures/bench/x.c"
}
must() { # pass|fail WHAT
    if message=$(sh "$here/sources.sh" "$work"); then verdict=pass; else verdict=fail; fi
    if [ "$verdict" != "$1" ]; then
        echo "$2: $verdict, expected $1"
        echo "$message"
        exit 1
    fi
}
bad="$work/host/clock/bad.c"
fresh
must pass 'a clean tree'
printf '#include "base/err.h"\n' >"$bad"
must fail 'a file without SPDX line'
fresh
printf '%s\n#include "../base/err.h"\n' "$spdx" >"$bad"
must fail 'an include with ..'
fresh
{ echo "$spdx"; yes '' | head -n 450; } >"$bad"
must fail 'a file of 451 lines'
fresh
{ echo "$spdx"; yes '' | head -n 449; } >"$bad"
must pass 'a file of 450 lines'
for line in '#include "fixtures/bench/scene.h"' '#include "sim_phone.h"' \
    '#include "phone/sim_phone.h"' 'const char *p = "fixtures/plans/x.yaml";' \
    'FILE *f = fopen(truth_path, "r");' '#include "judge/truth.h"'; do
    fresh
    printf '%s\n%s\n' "$spdx" "$line" >"$bad"
    must fail "$line"
done
rm -rf "$work"
