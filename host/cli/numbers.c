/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/numbers.h"

#include <errno.h>
#include <stdlib.h>

double ts_cli_number(struct argp_state *state, const char *name, const char *text, double low,
                     double high)
{
    char *end;
    errno = 0;
    const double value = strtod(text, &end);
    if (end == text || *end || errno || !(value >= low && value <= high))
        argp_error(state, "%s: '%s' is not a number from %g to %g", name, text, low, high);
    return value;
}

long long ts_cli_whole_number(struct argp_state *state, const char *name, const char *text,
                              long long low, long long high)
{
    char *end;
    errno = 0;
    const long long value = strtoll(text, &end, 10);
    if (end == text || *end || errno || value < low || value > high)
        argp_error(state, "%s: '%s' is not a whole number from %lld to %lld", name, text, low,
                   high);
    return value;
}
