/* SPDX-License-Identifier: GPL-3.0-or-later */
/* OpenCV's C interface from plain C. Of its C headers only cvdef.h asks for C++11; this one stands
 * in for it: it defines that header's include guard and the little that the others take from it.
 * Include no OpenCV header before this one; OpenCV's folder is a system include of who does. Every
 * call must be sure of its sizes and types first: a check that fails inside OpenCV throws, and from
 * C that ends the program. */
#ifndef TS_MEDIA_OPENCV_C_H
#define TS_MEDIA_OPENCV_C_H

#define OPENCV_CORE_CVDEF_H
#include <math.h>
#include <opencv2/core/hal/interface.h>
#include <stdint.h>

#define CV_EXPORTS
#define CV_EXTERN_C
#define CV_INLINE              static inline
#define CV_NORETURN            _Noreturn
#define CV_MAT_TYPE_MASK       (CV_DEPTH_MAX * CV_CN_MAX - 1)
#define CV_MAT_TYPE(flags)     ((flags)&CV_MAT_TYPE_MASK)
#define CV_MAT_CN_MASK         ((CV_CN_MAX - 1) << CV_CN_SHIFT)
#define CV_MAT_CN(flags)       ((((flags)&CV_MAT_CN_MASK) >> CV_CN_SHIFT) + 1)
#define CV_MAT_CONT_FLAG_SHIFT 14
#define CV_MAT_CONT_FLAG       (1 << CV_MAT_CONT_FLAG_SHIFT)
#define CV_IS_MAT_CONT(flags)  ((flags)&CV_MAT_CONT_FLAG)
/* Bytes of one element of depth 0..7, a hexadecimal digit each. */
#define CV_ELEM_SIZE1(type) ((0x28442211 >> CV_MAT_DEPTH(type) * 4) & 15)
#define CV_ELEM_SIZE(type)  (CV_MAT_CN(type) * CV_ELEM_SIZE1(type))

static inline int cvRound(double value)
{
    return (int)lrint(value);
}
static inline int cvFloor(double value)
{
    return (int)floor(value);
}
static inline int cvCeil(double value)
{
    return (int)ceil(value);
}

#include <opencv2/core/core_c.h>
#include <opencv2/imgproc/imgproc_c.h>

#endif
