/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "examples.h"

#include "store/blocks_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[] = "/tmp/touchstone-blocks-XXXXXX";

static int set_up(void **state)
{
    (void)state;
    const int fd = mkstemp(path);
    return fd < 0 ? -1 : close(fd);
}

static int tear_down(void **state)
{
    (void)state;
    return unlink(path);
}

/* Half of the frames are noise over all 16 bits, which no camera gives. */
static void draw(struct ts_rng *rng, uint16_t *blocks, size_t count)
{
    const bool wild = ts_rng_below(rng, 2) != 0;
    for (size_t i = 0; i < count; i++)
        blocks[i] = (uint16_t)(wild ? ts_rng_next(rng) : 3000 + ts_rng_below(rng, 40));
}

static void write_frames(const struct ts_camera_geometry *camera, int frames, uint64_t seed)
{
    struct ts_blocks_writer *writer;
    struct ts_why why;
    struct ts_rng rng;
    static uint16_t blocks[1 << 16];
    const size_t count = (size_t)(camera->blocks_x * camera->blocks_y);
    ts_rng_seed(&rng, seed, 0);
    assert_int_equal(ts_blocks_create(path, camera, &writer, &why), 0);
    for (int i = 0; i < frames; i++) {
        draw(&rng, blocks, count);
        assert_int_equal(ts_blocks_write(writer, blocks), 0);
    }
    assert_int_equal(ts_blocks_finish(writer), 0);
}

static void test_comes_back(void **state)
{
    static const struct ts_camera_geometry cameras[] = {
        {320, 240, 64, 48, 8333333}, {5, 5, 1, 1, 0}, {643, 481, 128, 96, INT64_MAX}};
    static const int counts[] = {0, 1, 63, 64, 65, 200};
    static uint16_t blocks[1 << 16], expected[1 << 16];
    (void)state;
    for (int c = 0; c < 3; c++) {
        for (int n = 0; n < 6; n++) {
            struct ts_blocks_reader *reader;
            struct ts_why why;
            struct ts_rng rng;
            const size_t count = (size_t)(cameras[c].blocks_x * cameras[c].blocks_y);
            write_frames(&cameras[c], counts[n], 5);
            assert_int_equal(ts_blocks_open(path, &reader, &why), 0);
            assert_memory_equal(ts_blocks_camera(reader), &cameras[c], sizeof *cameras);
            ts_rng_seed(&rng, 5, 0);
            for (int i = 0; i < counts[n]; i++) {
                draw(&rng, expected, count);
                assert_int_equal(ts_blocks_read(reader, blocks), 0);
                assert_memory_equal(blocks, expected, count * 2);
            }
            assert_int_equal(ts_blocks_read(reader, blocks), TS_EOF);
            assert_int_equal(ts_blocks_read(reader, blocks), TS_EOF);
            ts_blocks_close(reader);
        }
    }
}

/* How many frames can be read, and how the file ends. */
static int read_all(int *frames)
{
    static uint16_t blocks[1 << 16];
    struct ts_blocks_reader *reader;
    *frames = 0;
    int err = ts_blocks_open(path, &reader, NULL);
    if (err)
        return err;
    while (!(err = ts_blocks_read(reader, blocks)))
        ++*frames;
    ts_blocks_close(reader);
    return err;
}

static size_t load(uint8_t *bytes, size_t most)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    const size_t size = fread(bytes, 1, most, file);
    fclose(file);
    return size;
}

static void save(const uint8_t *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

/* Any changed byte and any cut is seen: no wrong sums, no missing frames without a word. */
static void test_damage_is_seen(void **state)
{
    static const struct ts_camera_geometry small = {20, 15, 4, 3, 8333333};
    static uint8_t bytes[1 << 16];
    int frames;
    (void)state;
    write_frames(&small, 150, 6);
    const size_t size = load(bytes, sizeof bytes);
    assert_int_equal(read_all(&frames), TS_EOF);
    assert_int_equal(frames, 150);
    for (size_t at = 0; at < size; at++) {
        bytes[at] ^= (uint8_t)(1u << at % 8);
        save(bytes, size);
        if (read_all(&frames) != TS_EPROTO)
            fail_msg("byte %zu of %zu", at, size);
        bytes[at] ^= (uint8_t)(1u << at % 8);
    }
    for (size_t cut = 0; cut < size; cut++) {
        save(bytes, cut);
        if (read_all(&frames) != TS_EPROTO)
            fail_msg("cut at %zu of %zu", cut, size);
    }
    bytes[size] = 0;
    save(bytes, size + 1);
    assert_int_equal(read_all(&frames), TS_EPROTO);
}

static void test_wrong_geometry_is_refused(void **state)
{
    static const struct ts_camera_geometry wrong[] = {
        {0, 0, 0, 0, 1}, {320, 240, 63, 48, 1}, {320, 240, 64, 48, -1}, {40000, 5, 8000, 1, 1}};
    (void)state;
    for (int i = 0; i < 4; i++) {
        struct ts_blocks_writer *writer;
        assert_int_equal(ts_blocks_create(path, &wrong[i], &writer, NULL), TS_EINVAL);
    }
}

static void test_full_disk_is_told(void **state)
{
    struct ts_blocks_writer *writer;
    struct ts_rng rng;
    uint16_t blocks[64 * 48];
    (void)state;
    ts_rng_seed(&rng, 1, 0);
    if (ts_blocks_create("/dev/full", &example_camera, &writer, NULL))
        skip();
    int err = 0;
    for (int i = 0; i < 200 && !err; i++) {
        draw(&rng, blocks, 64 * 48);
        err = ts_blocks_write(writer, blocks);
    }
    assert_int_equal(err, TS_EIO);
    assert_int_equal(ts_blocks_finish(writer), TS_EIO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_comes_back),
        cmocka_unit_test(test_damage_is_seen),
        cmocka_unit_test(test_wrong_geometry_is_refused),
        cmocka_unit_test(test_full_disk_is_told),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
