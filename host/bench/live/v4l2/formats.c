/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/live/v4l2/formats.h"

#include <linux/videodev2.h>

const struct ts_v4l2_format ts_v4l2_formats[] = {
    {V4L2_PIX_FMT_GREY, TS_V4L2_BYTES, 1, 0, 0},   {V4L2_PIX_FMT_NV12, TS_V4L2_BYTES, 1, 0, 0},
    {V4L2_PIX_FMT_YUV420, TS_V4L2_BYTES, 1, 0, 0}, {V4L2_PIX_FMT_SRGGB8, TS_V4L2_BAYER, 1, 0, 0},
    {V4L2_PIX_FMT_SGRBG8, TS_V4L2_BAYER, 1, 0, 1}, {V4L2_PIX_FMT_SGBRG8, TS_V4L2_BAYER, 1, 0, 2},
    {V4L2_PIX_FMT_SBGGR8, TS_V4L2_BAYER, 1, 0, 3}, {V4L2_PIX_FMT_YUYV, TS_V4L2_BYTES, 2, 0, 0},
    {V4L2_PIX_FMT_UYVY, TS_V4L2_BYTES, 2, 1, 0},   {V4L2_PIX_FMT_MJPEG, TS_V4L2_JPEG, 1, 0, 0},
    {V4L2_PIX_FMT_JPEG, TS_V4L2_JPEG, 1, 0, 0},    {0, TS_V4L2_BYTES, 0, 0, 0},
};

const struct ts_v4l2_format *ts_v4l2_format_of(uint32_t fourcc)
{
    for (const struct ts_v4l2_format *format = ts_v4l2_formats; format->fourcc; format++) {
        if (format->fourcc == fourcc)
            return format;
    }
    return NULL;
}

void ts_v4l2_format_name(uint32_t fourcc, char *text)
{
    for (int i = 0; i < 4; i++) {
        const char c = (char)(fourcc >> (8 * i) & 0x7f);
        text[i] = c > ' ' && c <= '~' ? c : '?';
    }
    text[4] = 0;
}
