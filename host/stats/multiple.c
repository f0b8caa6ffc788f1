/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stats/multiple.h"

#include <math.h>
#include <stdlib.h>

struct question {
    double p;
    size_t index;
};

static int compare(const void *a, const void *b)
{
    const struct question *x = a, *y = b;
    return (x->p > y->p) - (x->p < y->p);
}

int ts_holm(const double *p, size_t count, double *adjusted)
{
    struct question *questions = calloc(count + 1, sizeof *questions);
    size_t asked = 0;
    double so_far = 0;
    if (!questions)
        return TS_ENOMEM;
    for (size_t i = 0; i < count; i++) {
        adjusted[i] = (double)NAN;
        if (!isnan(p[i]))
            questions[asked++] = (struct question){p[i], i};
    }
    qsort(questions, asked, sizeof *questions, compare);
    for (size_t i = 0; i < asked; i++) {
        so_far = fmax(so_far, fmin(1, questions[i].p * (double)(asked - i)));
        adjusted[questions[i].index] = so_far;
    }
    free(questions);
    return TS_OK;
}
