/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several questions asked of the same campaign. */
#ifndef TS_STATS_MULTIPLE_H
#define TS_STATS_MULTIPLE_H

#include "base/err.h"

#include <stddef.h>

/* adjusted[count]: each p so that rejecting those below 0.05 makes a single false rejection among
 * all of them no likelier than that, whatever their dependence. S. Holm, "A simple sequentially
 * rejective multiple test procedure", Scandinavian J. Statistics 6 (1979) 65-70, section 3: of m
 * ascending p, adjusted p_(i) = max over j <= i of min(1, (m - j + 1) p_(j)).
 * NAN (no test) stays and does not count. TS_ENOMEM. */
int ts_holm(const double *p, size_t count, double *adjusted) TS_MUST_CHECK;

#endif
