/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which files a bundle has. Inside this room only. */
#ifndef TS_EXPORT_BUNDLE_NAMES_H
#define TS_EXPORT_BUNDLE_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#define TS_BUNDLE_FORMAT     2 /* 1 had no rig and no marks */
#define TS_BUNDLE_FILES_MOST ((size_t)50000)

/* The n-th file of a bundle of so many launches, in the archive's order; false: no more. Some of
 * them need not be there. */
bool ts_bundle_name(size_t n, int launches, char *name, size_t size);
/* It is the name of such a file. */
bool ts_bundle_is_name(const char *name);

#endif
