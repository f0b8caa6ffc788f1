/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pipes and films as cameras. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "bench/live/stream/pipe.h"
#include "sim_live_camera/picture.h"
#include "watch.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define WIDTH  80
#define HEIGHT 60

static char folder[] = "/tmp/touchstone-stream-XXXXXX";

static const char *in_folder(const char *name)
{
    static char path[100];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void write_picture(FILE *file, uint32_t number, bool y4m)
{
    uint8_t picture[WIDTH * HEIGHT], chroma[WIDTH * HEIGHT / 2];
    sim_picture_test(NULL, number, picture, WIDTH, HEIGHT);
    memset(chroma, 128, sizeof chroma);
    if (y4m)
        fputs("FRAME\n", file);
    fwrite(picture, sizeof picture, 1, file);
    if (y4m)
        fwrite(chroma, sizeof chroma, 1, file);
    fflush(file);
}

static const char *make_y4m(const char *name, uint32_t count)
{
    const char *path = in_folder(name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fprintf(file, "YUV4MPEG2 W%d H%d F50:1 Ip A1:1 C420jpeg XCOLORRANGE=FULL\n", WIDTH, HEIGHT);
    for (uint32_t i = 0; i < count; i++)
        write_picture(file, i, true);
    fclose(file);
    return path;
}

struct writer {
    const char *path;
    bool y4m;
};

/* 100 pictures, one every 10 ms. */
static void *write_slowly(void *context)
{
    const struct writer *writer = context;
    FILE *file = fopen(writer->path, "wb");
    if (writer->y4m)
        fprintf(file, "YUV4MPEG2 W%d H%d F100:1 C420jpeg\n", WIDTH, HEIGHT);
    fflush(file);
    for (uint32_t i = 0; i < 100; i++) {
        write_picture(file, i, writer->y4m);
        nanosleep(&(struct timespec){0, 10000000}, NULL);
    }
    fclose(file);
    return NULL;
}

static void fifo(bool y4m, const char *options)
{
    struct writer writer = {in_folder(y4m ? "y4m" : "raw"), y4m};
    pthread_t thread;
    char spec[200];
    struct watch watch;
    assert_int_equal(mkfifo(writer.path, 0600), 0);
    pthread_create(&thread, NULL, write_slowly, &writer);
    snprintf(spec, sizeof spec, "stream:%s%s", writer.path, options);
    watch_open(&watch, spec, WATCH_EXACT);
    assert_int_equal(watch.camera->ops->geometry(watch.camera)->nominal_period_ns, 10000000);
    watch.camera->ops->set(watch.camera, true);
    watch_until(&watch, 1000, 1);
    pthread_join(thread, NULL);
    assert_int_equal(watch.fault_detail, TS_EOF);
    /* What came before it was switched on is not kept. */
    assert_in_range(watch.frames, 50, 100);
    assert_int_equal(watch.wrong, 0);
    watch_close(&watch);
}

static void fifo_of_y4m(void **unused)
{
    (void)unused;
    fifo(true, "");
}

static void fifo_of_bare_pictures(void **unused)
{
    (void)unused;
    fifo(false, "?format=grey&size=80x60&rate=100");
}

static void command(void **unused)
{
    (void)unused;
    struct watch watch;
    char spec[300];
    const char *path = make_y4m("command.y4m", 20);
    snprintf(spec, sizeof spec, "stream:|head -n 1 %s; sleep 1; tail -n +2 %s; sleep 60", path,
             path);
    watch_open(&watch, spec, WATCH_EXACT);
    watch.camera->ops->set(watch.camera, true);
    watch_until(&watch, 20, 1);
    assert_int_equal(watch.wrong, 0);
    assert_int_equal(watch.faults, 0);
    watch_close(&watch); /* and does not wait for the minute */
}

static void film_at_its_own_times(void **unused)
{
    (void)unused;
    struct watch watch;
    char spec[200];
    snprintf(spec, sizeof spec, "file:%s", make_y4m("film.y4m", 30));
    watch_open(&watch, spec, WATCH_EXACT);
    assert_int_equal(watch.camera->ops->geometry(watch.camera)->nominal_period_ns, 20000000);
    watch_for(&watch, 100);
    assert_int_equal(watch.frames, 0);
    watch.camera->ops->set(watch.camera, true);
    watch_until(&watch, 1000, 1);
    assert_int_equal(watch.fault_detail, TS_EOF);
    assert_int_equal(watch.frames, 30);
    assert_int_equal(watch.wrong, 0);
    /* The inbox raises an arrival only past what it has handed out: alone, never. */
    assert_int_equal(watch.last_ns - watch.first_ns, 29 * 20000000LL);
    watch_close(&watch);
}

static void refusals(void **unused)
{
    (void)unused;
    watch_refused("stream:/nowhere", TS_EIO, "No such file");
    watch_refused("stream:|echo hello", TS_EPROTO, "no Y4M");
    watch_refused("stream:|true", TS_EIO, "ends before it begins");
    watch_refused("stream:|echo YUV4MPEG2 W8 H8 C420p10", TS_ENOTSUP, "convert it");
    watch_refused("stream:x?format=grey", TS_EINVAL, "size=WIDTHxHEIGHT");
    watch_refused("stream:x?format=h264", TS_ENOTSUP, "y4m, grey");
    watch_refused("file:/nowhere.mkv", TS_EIO, "No such file");
    watch_refused("file:", TS_EINVAL, "which film");
    watch_refused("stream:", TS_EINVAL, "which pipe");
}

/* Cut anywhere, the same pictures come out. */
static void pipe_in_any_pieces(void **unused)
{
    (void)unused;
    static uint8_t whole[64000];
    uint8_t got[WIDTH * HEIGHT], expected[WIDTH * HEIGHT];
    FILE *file = fopen(make_y4m("pieces.y4m", 8), "rb");
    const size_t size = fread(whole, 1, sizeof whole, file);
    fclose(file);
    for (size_t piece = 1; piece < 9000; piece += 97) {
        struct ts_pipe pipe;
        uint32_t pictures = 0;
        ts_pipe_open_y4m(&pipe);
        pipe.to = got;
        for (size_t at = 0; at < size;) {
            size_t used;
            const size_t part = size - at < piece ? size - at : piece;
            const int event = ts_pipe_feed(&pipe, whole + at, part, &used, NULL);
            assert_true(event >= 0);
            at += used;
            if (event != TS_PIPE_PICTURE)
                continue;
            sim_picture_test(NULL, pictures++, expected, WIDTH, HEIGHT);
            assert_memory_equal(got, expected, sizeof expected);
        }
        assert_int_equal(pictures, 8);
    }
}

static int setup(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    static const char *const names[] = {"y4m", "raw", "command.y4m", "film.y4m", "pieces.y4m", ""};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        remove(in_folder(names[i]));
    return 0;
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(fifo_of_y4m), cmocka_unit_test(fifo_of_bare_pictures),
        cmocka_unit_test(command),     cmocka_unit_test(film_at_its_own_times),
        cmocka_unit_test(refusals),    cmocka_unit_test(pipe_in_any_pieces),
    };
    return cmocka_run_group_tests_name("stream", tests, setup, teardown);
}
