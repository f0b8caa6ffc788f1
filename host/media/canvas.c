/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "media/canvas.h"

#include "media/opencv_c.h"

#include <stdbool.h>
#include <stdlib.h>

#define TEXT_SCALE 1.3 /* of OpenCV's small font: letters about 13 px high */
#define TEXT_MOST  80

static bool is_grey(const struct ts_picture *picture)
{
    return picture->pixels && picture->channels == 1 && picture->width_px >= 1 &&
           picture->height_px >= 1 && picture->width_px <= TS_PICTURE_SIDE_MAX &&
           picture->height_px <= TS_PICTURE_SIDE_MAX;
}

static CvMat header(const struct ts_picture *picture)
{
    return cvMat(picture->height_px, picture->width_px, CV_8UC1, picture->pixels);
}

int ts_canvas_make(int width_px, int height_px, struct ts_picture *out)
{
    *out = (struct ts_picture){0};
    if (width_px < 1 || height_px < 1 || width_px > TS_PICTURE_SIDE_MAX ||
        height_px > TS_PICTURE_SIDE_MAX)
        return TS_EINVAL;
    *out = (struct ts_picture){width_px, height_px, 1, calloc((size_t)width_px, (size_t)height_px)};
    return out->pixels ? TS_OK : TS_ENOMEM;
}

int ts_canvas_put(struct ts_picture *canvas, const struct ts_picture *picture,
                  struct ts_canvas_place place)
{
    if (!is_grey(canvas) || !is_grey(picture) || place.x < 0 || place.y < 0 || place.width_px < 1 ||
        place.height_px < 1 || place.width_px > canvas->width_px - place.x ||
        place.height_px > canvas->height_px - place.y)
        return TS_EINVAL;
    CvMat whole = header(canvas), source = header(picture), target;
    cvGetSubRect(&whole, &target, cvRect(place.x, place.y, place.width_px, place.height_px));
    cvResize(&source, &target,
             place.width_px < picture->width_px ? CV_INTER_AREA : CV_INTER_LINEAR);
    return TS_OK;
}

void ts_canvas_write(struct ts_picture *canvas, const char *text, int x, int y, int width_px,
                     uint8_t grey)
{
    char plain[TEXT_MOST + 1];
    size_t size = 0;
    for (; *text && size < TEXT_MOST; text++) {
        const unsigned char byte = (unsigned char)*text;
        if ((byte & 0xc0) != 0x80) /* one '?' for all bytes of a character */
            plain[size++] = byte >= ' ' && byte < 0x7f ? *text : '?';
    }
    plain[size] = '\0';
    if (!is_grey(canvas) || !size)
        return;
    CvFont font;
    CvSize box;
    int below;
    cvInitFont(&font, CV_FONT_HERSHEY_PLAIN, TEXT_SCALE, TEXT_SCALE, 0, 1, CV_AA);
    cvGetTextSize(plain, &font, &box, &below);
    const double scale = box.width > width_px ? TEXT_SCALE * width_px / box.width : TEXT_SCALE;
    cvInitFont(&font, CV_FONT_HERSHEY_PLAIN, scale, scale, 0, 1, CV_AA);
    CvMat target = header(canvas);
    cvPutText(&target, plain, cvPoint(x, y), &font, cvScalarAll(grey));
}
