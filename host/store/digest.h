/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SHA-256 (FIPS 180-4), by libavutil. */
#ifndef TS_STORE_DIGEST_H
#define TS_STORE_DIGEST_H

#include "base/err.h"

#include <stddef.h>

#define TS_DIGEST_SIZE 65 /* hexadecimal, with its NUL */

int ts_digest_of(const void *bytes, size_t size, char text[TS_DIGEST_SIZE]) TS_MUST_CHECK;

#endif
