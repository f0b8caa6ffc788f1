/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a plan: a plan that passes the check, or a reason. */
#include "store/plan_file.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ts_plan plan;
    struct ts_why why = {""};
    const int err = ts_plan_parse((const char *)data, size, &plan, &why);
    if (err) {
        if (!why.text[0])
            abort();
        return 0;
    }
    if (ts_plan_check(&plan, &why))
        abort();
    ts_plan_free(&plan);
    return 0;
}
