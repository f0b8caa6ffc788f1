/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TS_BASE_TEXT_H
#define TS_BASE_TEXT_H

#include <stdbool.h>
#include <string.h>

/* NUL is in no set. */
static inline bool ts_is_one_of(char c, const char *set)
{
    return c && strchr(set, c);
}

#endif
