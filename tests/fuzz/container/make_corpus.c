/* SPDX-License-Identifier: GPL-3.0-or-later */
/* make_corpus FOLDER: the seeds of corpus/, tiny films of the usual kinds. */
#include "film.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *encoder, *extension;
    enum AVPixelFormat format;
} kinds[] = {
    {"libx264", "mp4", AV_PIX_FMT_YUV420P}, {"libx264", "mkv", AV_PIX_FMT_YUV420P},
    {"libvpx", "webm", AV_PIX_FMT_YUV420P}, {"libvpx-vp9", "webm", AV_PIX_FMT_YUV420P},
    {"mpeg4", "avi", AV_PIX_FMT_YUV420P},   {"mjpeg", "mov", AV_PIX_FMT_YUVJ420P},
    {"ffv1", "mkv", AV_PIX_FMT_GRAY8},      {"ffvhuff", "mkv", AV_PIX_FMT_GRAY8},
    {"flashsv", "nut", AV_PIX_FMT_BGR24},   {"png", "mov", AV_PIX_FMT_RGB24},
    {"qtrle", "mov", AV_PIX_FMT_RGB24},     {"gif", "gif", AV_PIX_FMT_PAL8},
    {"rawvideo", "nut", AV_PIX_FMT_PAL8},   {"y4m", "y4m", AV_PIX_FMT_GRAY8},
    {"libx264", "ts", AV_PIX_FMT_YUV420P},  {"libx264", "flv", AV_PIX_FMT_YUV420P},
};

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
        return 2;
    }
    int failed = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const int large =
            strcmp(kinds[i].encoder, "rawvideo") != 0 && strcmp(kinds[i].encoder, "y4m") != 0;
        const struct film_kind kind = {.encoder = kinds[i].encoder,
                                       .format = kinds[i].format,
                                       .extension = kinds[i].extension,
                                       .width = large ? 48 : 32,
                                       .height = large ? 32 : 16,
                                       .frames = large ? 6 : 4,
                                       .num = 1,
                                       .den = 30};
        char path[512];
        snprintf(path, sizeof path, "%s/%s.%s", argv[1], kind.encoder, kind.extension);
        if (film_write(&kind, path)) {
            fprintf(stderr, "%s cannot be made\n", path);
            failed++;
        }
    }
    return failed > 0;
}
