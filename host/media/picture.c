/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "media/picture.h"

#include "media/opencv_c.h"

#include <libavcodec/avcodec.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define SIDE_MIN_PX     4
#define AREA_MIN_PX     64.0
#define CORNER_MOST_PX  (2.0 * TS_PICTURE_SIDE_MAX)
#define JPEG_COARSENESS 5 /* of 1 to 31: about 5 kB for a screen of 200 x 100 px */
#define PNG_EFFORT      2 /* of zlib's 9: a picture is looked at once, on the same computer */

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

/* Lines of a picture that the encoder reads and never writes to. */
static void lend(AVFrame *frame, int plane, uint8_t *bytes, int line)
{
    frame->data[plane] = bytes; /* not reference-counted: libavcodec copies it */
    frame->linesize[plane] = line;
}

/* frame: its format and planes are filled in. */
static int write(const struct ts_picture *picture, enum AVCodecID id, AVFrame *frame, int quality,
                 struct ts_buf *out)
{
    const AVCodec *found = avcodec_find_encoder(id);
    AVCodecContext *codec = found ? avcodec_alloc_context3(found) : NULL;
    AVPacket *packet = av_packet_alloc();
    int err = found ? TS_ENOMEM : TS_ENOTSUP;
    if (!codec || !packet)
        goto end;
    codec->width = frame->width = picture->width_px;
    codec->height = frame->height = picture->height_px;
    codec->pix_fmt = frame->format;
    codec->color_range = frame->color_range;
    codec->time_base = (AVRational){1, 1};
    codec->thread_count = 1;
    codec->flags |= AV_CODEC_FLAG_BITEXACT;
    if (quality) {
        codec->flags |= AV_CODEC_FLAG_QSCALE;
        codec->global_quality = frame->quality = quality * FF_QP2LAMBDA;
    } else {
        codec->compression_level = PNG_EFFORT;
    }
    err = encode(codec, frame, packet, out);
end:
    av_packet_free(&packet);
    avcodec_free_context(&codec);
    return err;
}

int ts_picture_png(const struct ts_picture *picture, struct ts_buf *out, struct ts_why *why)
{
    if (!is_sound(picture))
        return ts_fail(why, TS_EINVAL, "this is no picture");
    AVFrame *frame = av_frame_alloc();
    if (!frame)
        return ts_fail(why, TS_ENOMEM, "out of memory");
    frame->format = picture->channels == 1 ? AV_PIX_FMT_GRAY8 : AV_PIX_FMT_RGB24;
    lend(frame, 0, picture->pixels, picture->width_px * picture->channels);
    const int err = write(picture, AV_CODEC_ID_PNG, frame, 0, out);
    av_frame_free(&frame);
    return err ? ts_fail(why, err, "a picture cannot be written as PNG: %s", ts_err_text(err))
               : TS_OK;
}

int ts_picture_jpeg(const struct ts_picture *picture, struct ts_buf *out, struct ts_why *why)
{
    if (!is_sound(picture) || picture->channels != 1)
        return ts_fail(why, TS_EINVAL, "this is no grey picture");
    /* The encoder takes no grey: it gets two planes of colour, which are one that is the same
     * everywhere and packs to almost nothing. */
    const int line = (picture->width_px + 1) / 2;
    const size_t size = (size_t)line * (size_t)((picture->height_px + 1) / 2);
    uint8_t *colourless = malloc(size);
    AVFrame *frame = av_frame_alloc();
    int err = TS_ENOMEM;
    if (!colourless || !frame)
        goto end;
    memset(colourless, 128, size);
    frame->format = AV_PIX_FMT_YUVJ420P;
    frame->color_range = AVCOL_RANGE_JPEG;
    lend(frame, 0, picture->pixels, picture->width_px);
    lend(frame, 1, colourless, line);
    lend(frame, 2, colourless, line);
    err = write(picture, AV_CODEC_ID_MJPEG, frame, JPEG_COARSENESS, out);
end:
    av_frame_free(&frame);
    free(colourless);
    return err ? ts_fail(why, err, "a picture cannot be written as JPEG: %s", ts_err_text(err))
               : TS_OK;
}

int ts_picture_shrink(const struct ts_picture *picture, int side_px, struct ts_picture *out)
{
    *out = (struct ts_picture){0};
    if (!is_sound(picture) || side_px < 1)
        return TS_EINVAL;
    const int longest =
        picture->width_px > picture->height_px ? picture->width_px : picture->height_px;
    const double scale = side_px < longest ? (double)side_px / longest : 1;
    const int err = make(cvRound(fmax(1, picture->width_px * scale)),
                         cvRound(fmax(1, picture->height_px * scale)), picture->channels, out);
    if (err)
        return err;
    CvMat source = header(picture), target = header(out);
    cvResize(&source, &target, CV_INTER_AREA);
    return TS_OK;
}
