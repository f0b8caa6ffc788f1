/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whatever is taken for a rule prints as the same rule, and can be judged. */
#include "stats/stop.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define PRINTED 8192

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void judge(const struct ts_stop_rule *rule)
{
    const double values[] = {100, 103, 98, 101, 140, 99, 100, 102, 97, 100, 101, 100};
    struct ts_stop_reason reason;
    for (size_t count = 0; count <= sizeof values / sizeof *values; count++) {
        const int met = ts_stop_met(rule, values, count, (double)count, &reason);
        if (met < 0 || met > 1 || memchr(reason.text, 0, sizeof reason.text) == NULL)
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ts_stop_rule rule, again;
    struct ts_why why = {""};
    static char printed[PRINTED], second[PRINTED];
    /* A copy without a 0 behind it, so that reading on is seen. */
    char *text = malloc(size + !size);
    if (!text)
        return 0;
    memcpy(text, data, size);
    const int err = ts_stop_parse(text, size, &rule, &why);
    free(text);
    if (err) {
        if (!why.text[0])
            abort(); /* a refusal says why */
        return 0;
    }
    const size_t length = ts_stop_print(&rule, printed, sizeof printed);
    if (length >= sizeof printed || ts_stop_parse(printed, length, &again, &why))
        abort();
    ts_stop_print(&again, second, sizeof second);
    if (strcmp(printed, second) != 0 || again.count != rule.count)
        abort();
    ts_stop_ends(&rule);
    judge(&rule);
    return 0;
}
