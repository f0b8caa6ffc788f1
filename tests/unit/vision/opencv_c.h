/* SPDX-License-Identifier: GPL-3.0-or-later */
/* OpenCV's C interface from plain C. Its headers are still C but for one, cvdef.h, which wants
 * C++11; this one takes that one's place by defining its include guard and what the others need of
 * it. Include no OpenCV header before this one. */
#ifndef TESTS_OPENCV_C_H
#define TESTS_OPENCV_C_H

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
/* bytes of a depth 0..7 (8U 8S 16U 16S 32S 32F 64F 16F), one hexadecimal digit each */
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
