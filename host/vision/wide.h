/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside vision only: loops over all blocks that compilers vectorise are compiled twice, for AVX2
 * and for any CPU; which one runs is decided when the program is loaded. Both give the same bits,
 * since AVX2 alone fuses no multiplications with additions. */
#ifndef TS_VISION_WIDE_H
#define TS_VISION_WIDE_H

/* ThreadSanitizer is not there yet when that is decided; Clang wants such functions to be inlined
 * as it sees fit. */
#if defined(__x86_64__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__)
#define TS_WIDE __attribute__((noinline, target_clones("avx2", "default")))
#else
#define TS_WIDE __attribute__((noinline))
#endif

#endif
