/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "film.h"

#include "media/record.h"

#include <dirent.h>
#include <libavcodec/avcodec.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

uint8_t film_pixel(int seed, int n, int x, int y)
{
    return (uint8_t)(seed * 37 + n * 3 + x + 2 * y);
}

static void keep(struct ts_frame *frame)
{
    (void)frame;
}

void film_write(const char *path, int seed)
{
    static const struct ts_frame_ops ops = {keep, keep};
    static uint8_t pixels[FILM_FRAMES][FILM_WIDTH * FILM_HEIGHT];
    static struct ts_frame frames[FILM_FRAMES];
    const struct ts_camera_geometry geometry = {FILM_WIDTH, FILM_HEIGHT, FILM_WIDTH / TS_BLOCK_PX,
                                                FILM_HEIGHT / TS_BLOCK_PX, 8000000};
    struct ts_record *record;
    struct ts_why why = {""};
    if (ts_record_create(path, &geometry, &record, &why))
        fail_msg("%s", why.text);
    for (int n = 0; n < FILM_FRAMES; n++) {
        for (int y = 0; y < FILM_HEIGHT; y++) {
            for (int x = 0; x < FILM_WIDTH; x++)
                pixels[n][y * FILM_WIDTH + x] = film_pixel(seed, n, x, y);
        }
        frames[n] = (struct ts_frame){.ops = &ops, .sequence = (uint32_t)n, .pixels = pixels[n]};
        assert_int_equal(ts_record_frame(record, &frames[n]), TS_OK);
    }
    assert_int_equal(ts_record_finish(record), TS_OK);
}

void png_read(const uint8_t *png, size_t size, int *width, int *height, uint8_t *pixels,
              size_t capacity)
{
    AVCodecContext *codec = avcodec_alloc_context3(avcodec_find_decoder(AV_CODEC_ID_PNG));
    AVFrame *frame = av_frame_alloc();
    AVPacket *packet = av_packet_alloc();
    assert_int_equal(av_new_packet(packet, (int)size), 0);
    memcpy(packet->data, png, size);
    codec->thread_count = 1;
    assert_int_equal(avcodec_open2(codec, codec->codec, NULL), 0);
    assert_int_equal(avcodec_send_packet(codec, packet), 0);
    assert_int_equal(avcodec_receive_frame(codec, frame), 0);
    const size_t row = (size_t)frame->width * (frame->format == AV_PIX_FMT_GRAY8 ? 1 : 3);
    assert_true(row * (size_t)frame->height <= capacity);
    for (int y = 0; y < frame->height; y++)
        memcpy(pixels + (size_t)y * row, frame->data[0] + (ptrdiff_t)y * frame->linesize[0], row);
    *width = frame->width;
    *height = frame->height;
    av_packet_free(&packet);
    av_frame_free(&frame);
    avcodec_free_context(&codec);
}

void folder_make(char path[64])
{
    snprintf(path, 64, "/tmp/touchstone-annotate-XXXXXX");
    assert_non_null(mkdtemp(path));
}

void folder_remove(const char *path)
{
    DIR *folder = opendir(path);
    assert_non_null(folder);
    for (const struct dirent *entry; (entry = readdir(folder));) {
        char file[512];
        snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
        if (entry->d_name[0] != '.')
            assert_int_equal(unlink(file), 0);
    }
    closedir(folder);
    assert_int_equal(rmdir(path), 0);
}
