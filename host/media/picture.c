/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "media/picture.h"

#include "media/opencv_c.h"

#include <libavcodec/avcodec.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define SIDE_MIN_PX    4
#define AREA_MIN_PX    64.0
#define CORNER_MOST_PX (2.0 * TS_PICTURE_SIDE_MAX)
#define PNG_EFFORT     2 /* of zlib's 9: a picture is looked at once, on the same computer */

void ts_picture_free(struct ts_picture *picture)
{
    free(picture->pixels);
    *picture = (struct ts_picture){0};
}

static bool is_sound(const struct ts_picture *picture)
{
    return picture->pixels && picture->width_px >= 1 && picture->height_px >= 1 &&
           picture->width_px <= TS_PICTURE_SIDE_MAX && picture->height_px <= TS_PICTURE_SIDE_MAX &&
           (picture->channels == 1 || picture->channels == 3);
}

static int make(int width_px, int height_px, int channels, struct ts_picture *out)
{
    *out = (struct ts_picture){width_px, height_px, channels,
                               malloc((size_t)width_px * (size_t)height_px * (size_t)channels)};
    return out->pixels ? TS_OK : TS_ENOMEM;
}

static CvMat header(const struct ts_picture *picture)
{
    return cvMat(picture->height_px, picture->width_px, CV_MAKETYPE(CV_8U, picture->channels),
                 picture->pixels);
}

/* Twice the signed area of the corner at b. */
static double turn(const double a[2], const double b[2], const double c[2])
{
    return (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]);
}

/* Clockwise as the picture is seen (y points down), and every corner turns the same way. */
static bool is_quadrilateral(const double corners[4][2])
{
    double twice_area = 0;
    for (int i = 0; i < 4; i++) {
        const double *a = corners[i], *b = corners[(i + 1) % 4], *c = corners[(i + 2) % 4];
        if (!(fabs(a[0]) <= CORNER_MOST_PX && fabs(a[1]) <= CORNER_MOST_PX))
            return false;
        if (!(turn(a, b, c) > 0))
            return false;
        twice_area += a[0] * b[1] - a[1] * b[0];
    }
    return twice_area >= 2 * AREA_MIN_PX;
}

static double side(const double a[2], const double b[2])
{
    return hypot(b[0] - a[0], b[1] - a[1]);
}

int ts_picture_rectify(const struct ts_picture *picture, const double corners_px[4][2],
                       struct ts_picture *out, struct ts_why *why)
{
    *out = (struct ts_picture){0};
    if (!is_sound(picture) || !is_quadrilateral(corners_px))
        return ts_fail(why, TS_EINVAL, "these four corners are no screen");
    const int width =
        cvRound(fmax(side(corners_px[0], corners_px[1]), side(corners_px[3], corners_px[2])));
    const int height =
        cvRound(fmax(side(corners_px[0], corners_px[3]), side(corners_px[1], corners_px[2])));
    if (width < SIDE_MIN_PX || height < SIDE_MIN_PX || width > TS_PICTURE_SIDE_MAX ||
        height > TS_PICTURE_SIDE_MAX)
        return ts_fail(why, TS_EINVAL, "a screen of %d x %d pixels cannot be shown", width, height);
    const int err = make(width, height, picture->channels, out);
    if (err)
        return err;
    /* OpenCV counts from the middle of the first pixel. */
    const CvPoint2D32f to[4] = {{-0.5f, -0.5f},
                                {(float)width - 0.5f, -0.5f},
                                {(float)width - 0.5f, (float)height - 0.5f},
                                {-0.5f, (float)height - 0.5f}};
    CvPoint2D32f from[4];
    for (int i = 0; i < 4; i++)
        from[i] = cvPoint2D32f(corners_px[i][0] - 0.5, corners_px[i][1] - 0.5);
    double numbers[9];
    CvMat map = cvMat(3, 3, CV_64FC1, numbers), source = header(picture), target = header(out);
    cvGetPerspectiveTransform(to, from, &map);
    cvWarpPerspective(&source, &target, &map,
                      CV_INTER_LINEAR | CV_WARP_INVERSE_MAP | CV_WARP_FILL_OUTLIERS,
                      cvScalarAll(0));
    return TS_OK;
}

int ts_picture_from_bayer(const uint8_t *mosaic, int width_px, int height_px, enum ts_bayer pattern,
                          struct ts_picture *out)
{
    /* OpenCV names a mosaic by the second and third pixel of its second row. */
    static const int codes[] = {[TS_BAYER_RGGB] = CV_BayerBG2RGB,
                                [TS_BAYER_GRBG] = CV_BayerGB2RGB,
                                [TS_BAYER_GBRG] = CV_BayerGR2RGB,
                                [TS_BAYER_BGGR] = CV_BayerRG2RGB};
    *out = (struct ts_picture){0};
    if (!mosaic || width_px < SIDE_MIN_PX || height_px < SIDE_MIN_PX ||
        width_px > TS_PICTURE_SIDE_MAX || height_px > TS_PICTURE_SIDE_MAX ||
        (size_t)pattern >= sizeof codes / sizeof *codes)
        return TS_EINVAL;
    const int err = make(width_px, height_px, 3, out);
    if (err)
        return err;
    /* A header over borrowed bytes that OpenCV only reads. */
    const CvMat source = cvMat(height_px, width_px, CV_8UC1, (void *)(uintptr_t)mosaic);
    CvMat target = header(out);
    cvCvtColor(&source, &target, codes[pattern]);
    return TS_OK;
}

static int encode(AVCodecContext *codec, AVFrame *frame, AVPacket *packet, struct ts_buf *out)
{
    if (avcodec_open2(codec, codec->codec, NULL) < 0 || avcodec_send_frame(codec, frame) < 0 ||
        avcodec_send_frame(codec, NULL) < 0 || avcodec_receive_packet(codec, packet) < 0)
        return TS_ENOTSUP;
    return ts_buf_append(out, packet->data, (size_t)packet->size);
}

int ts_picture_png(const struct ts_picture *picture, struct ts_buf *out, struct ts_why *why)
{
    const AVCodec *png = avcodec_find_encoder(AV_CODEC_ID_PNG);
    if (!is_sound(picture))
        return ts_fail(why, TS_EINVAL, "this is no picture");
    if (!png)
        return ts_fail(why, TS_ENOTSUP, "this libavcodec cannot write PNG");
    AVCodecContext *codec = avcodec_alloc_context3(png);
    AVFrame *frame = av_frame_alloc();
    AVPacket *packet = av_packet_alloc();
    int err = TS_ENOMEM;
    if (!codec || !frame || !packet)
        goto end;
    codec->width = frame->width = picture->width_px;
    codec->height = frame->height = picture->height_px;
    codec->pix_fmt = picture->channels == 1 ? AV_PIX_FMT_GRAY8 : AV_PIX_FMT_RGB24;
    codec->time_base = (AVRational){1, 1};
    codec->thread_count = 1;
    codec->compression_level = PNG_EFFORT;
    frame->format = codec->pix_fmt;
    frame->data[0] = picture->pixels; /* not reference-counted: libavcodec copies it */
    frame->linesize[0] = picture->width_px * picture->channels;
    err = encode(codec, frame, packet, out);
    if (err)
        ts_fail(why, err, "a picture cannot be written as PNG: %s", ts_err_text(err));
end:
    av_packet_free(&packet);
    av_frame_free(&frame);
    avcodec_free_context(&codec);
    return err;
}
