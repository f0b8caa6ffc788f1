/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "examples.h"

#include "media/record.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FRAMES 150
#define SIZE   (320 * 240)

static char folder[64];
static int references[FRAMES];

static int set_up(void **state)
{
    (void)state;
    example_folder(folder);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    example_remove(folder);
    return 0;
}

static void retain(struct ts_frame *frame)
{
    references[frame->sequence]++;
}

static void release(struct ts_frame *frame)
{
    references[frame->sequence]--;
}

static uint8_t *draw_pixels(uint64_t seed)
{
    struct ts_rng rng;
    uint8_t *pixels = malloc((size_t)FRAMES * SIZE);
    assert_non_null(pixels);
    ts_rng_seed(&rng, seed, 0);
    for (size_t i = 0; i < (size_t)FRAMES * SIZE; i++)
        pixels[i] = (uint8_t)(i % 320 / 2 + ts_rng_below(&rng, 13));
    return pixels;
}

static int record(const char *path, const uint8_t *pixels)
{
    static const struct ts_frame_ops ops = {retain, release};
    static struct ts_frame frames[FRAMES];
    struct ts_record *writer;
    struct ts_why why;
    int err = ts_record_create(path, &example_camera, &writer, &why);
    if (err)
        return err;
    for (uint32_t i = 0; i < FRAMES && !err; i++) {
        frames[i] = (struct ts_frame){&ops, i, {0}, pixels + (size_t)i * SIZE, NULL};
        err = ts_record_frame(writer, &frames[i]);
    }
    const int last = ts_record_finish(writer);
    for (int i = 0; i < FRAMES; i++)
        assert_int_equal(references[i], 0);
    return last;
}

/* Counts the pictures that are equal to those that were recorded. */
static int equal_pictures(const char *path, const uint8_t *pixels)
{
    AVFormatContext *file = NULL;
    assert_int_equal(avformat_open_input(&file, path, NULL, NULL), 0);
    const AVCodecParameters *parameters = file->streams[0]->codecpar;
    AVCodecContext *decoder = avcodec_alloc_context3(avcodec_find_decoder(parameters->codec_id));
    assert_int_equal(avcodec_parameters_to_context(decoder, parameters), 0);
    assert_int_equal(avcodec_open2(decoder, NULL, NULL), 0);
    AVPacket *packet = av_packet_alloc();
    AVFrame *picture = av_frame_alloc();
    int equal = 0, total = 0;
    while (av_read_frame(file, packet) == 0) {
        assert_int_equal(avcodec_send_packet(decoder, packet), 0);
        av_packet_unref(packet);
        while (avcodec_receive_frame(decoder, picture) == 0) {
            bool same = picture->format == AV_PIX_FMT_GRAY8 && total < FRAMES;
            for (int y = 0; y < 240 && same; y++)
                same = memcmp(picture->data[0] + y * picture->linesize[0],
                              pixels + (size_t)total * SIZE + y * 320, 320) == 0;
            equal += same;
            total++;
        }
    }
    av_frame_free(&picture);
    av_packet_free(&packet);
    avcodec_free_context(&decoder);
    avformat_close_input(&file);
    assert_int_equal(total, FRAMES);
    return equal;
}

static void test_every_pixel_comes_back(void **state)
{
    char path[128];
    uint8_t *pixels = draw_pixels(3);
    (void)state;
    snprintf(path, sizeof path, "%s/a.mkv", folder);
    assert_int_equal(record(path, pixels), 0);
    assert_int_equal(equal_pictures(path, pixels), FRAMES);
    free(pixels);
}

static void test_same_frames_same_bytes(void **state)
{
    char command[256], path[128];
    uint8_t *pixels = draw_pixels(4);
    (void)state;
    snprintf(path, sizeof path, "%s/a.mkv", folder);
    assert_int_equal(record(path, pixels), 0);
    snprintf(path, sizeof path, "%s/b.mkv", folder);
    assert_int_equal(record(path, pixels), 0);
    snprintf(command, sizeof command, "cmp %s/a.mkv %s/b.mkv", folder, folder);
    assert_int_equal(system(command), 0);
    free(pixels);
}

static void test_full_disk_is_told(void **state)
{
    uint8_t *pixels = draw_pixels(5);
    (void)state;
    assert_int_equal(record("/dev/full", pixels), TS_EIO);
    free(pixels);
}

static void test_why_no_file_opens_is_told(void **state)
{
    (void)state;
    struct ts_record *writer;
    struct ts_why why;
    assert_int_equal(ts_record_create("/nonexistent/a.mkv", &example_camera, &writer, &why),
                     TS_EIO);
    assert_non_null(strstr(why.text, "/nonexistent/a.mkv: "));
    assert_non_null(strstr(why.text, "No such file or directory"));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_every_pixel_comes_back),
        TEST(test_same_frames_same_bytes),
        TEST(test_full_disk_is_told),
        TEST(test_why_no_file_opens_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
