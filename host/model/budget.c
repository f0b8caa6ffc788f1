/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/budget.h"

#include <stddef.h>

const char *const ts_shape_names[] = {"normal", "student", "uniform", NULL};

const struct ts_term_kind ts_term_kinds[TS_TERM_COUNT] = {
#define TS_TERM_KIND(NAME, name, type, common, shape, words)                                       \
    {#name, words, type, common, TS_SHAPE_##shape},
    TS_TERM_LIST(TS_TERM_KIND)
#undef TS_TERM_KIND
};
