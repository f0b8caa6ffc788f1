/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A film of any length through a pipe: what the process keeps does not grow with it. */
#include "cli/analyze_video.h"

#include "base/rng.h"

#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define EARLY      200 /* frames from which growth counts ... */
#define AHEAD      24  /* ... and that the reader may be behind the writer */
#define PICTURES   16  /* of noise, taken in turns */
#define MOST_BYTES (8l << 20)

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define CHECKED false /* sanitizers keep freed memory for a while */
#else
#define CHECKED true
#endif

struct feed {
    const char *path;
    int width, height, frames, fps;
    long early_bytes, last_bytes; /* resident */
};

static long resident_bytes(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%*d %ld", &pages) != 1)
        pages = 0;
    if (file)
        fclose(file);
    return pages * sysconf(_SC_PAGESIZE);
}

static uint8_t *draw_noise(size_t pixels)
{
    uint8_t *noise = malloc(PICTURES * pixels);
    struct ts_rng rng;
    ts_rng_seed(&rng, 1, 1);
    for (size_t i = 0; i < PICTURES * pixels; i++)
        noise[i] = (uint8_t)(100 + ts_rng_below(&rng, 5));
    return noise;
}

/* Rest, a launch, then rest with something that turns in a corner. */
static void *write_film(void *argument)
{
    struct feed *feed = argument;
    const size_t pixels = (size_t)feed->width * (size_t)feed->height;
    uint8_t *noise = draw_noise(pixels), *picture = malloc(pixels);
    FILE *pipe = fopen(feed->path, "wb");
    fprintf(pipe, "YUV4MPEG2 W%d H%d F%d:1 Ip A1:1 Cmono\n", feed->width, feed->height, feed->fps);
    for (int n = 0; n < feed->frames; n++) {
        memcpy(picture, noise + (size_t)(n % PICTURES) * pixels, pixels);
        if (n >= 150) {
            for (size_t i = pixels / 4; i < pixels; i++)
                picture[i] = (uint8_t)(picture[i] + 90);
            for (int y = 0; y < 20; y++)
                memset(picture + (ptrdiff_t)y * feed->width, n / 12 % 2 ? 60 : 160, 20);
        }
        fputs("FRAME\n", pipe);
        if (fwrite(picture, 1, pixels, pipe) != pixels)
            break;
        if (n == EARLY + AHEAD)
            feed->early_bytes = resident_bytes();
    }
    feed->last_bytes = resident_bytes();
    fclose(pipe);
    free(noise);
    free(picture);
    return NULL;
}

static void check_growth(int width, int height, int fps, int frames)
{
    char path[256];
    snprintf(path, sizeof path, TS_BUILD_DIR "/tests/memory_%d.y4m", (int)getpid());
    remove(path);
    assert_int_equal(mkfifo(path, 0600), 0);
    struct feed feed = {path, width, height, CHECKED ? frames : 500, fps, 0, 0};
    pthread_t writer;
    assert_int_equal(pthread_create(&writer, NULL, write_film, &feed), 0);
    struct ts_analyze_options options = ts_analyze_usual(path);
    options.given.tap_given = true;
    options.given.tap_ns = 100 * 1000000000LL / fps;
    struct ts_analyze_result result;
    struct ts_why why = {""};
    const int err = ts_analyze_video(&options, &result, &why);
    pthread_join(writer, NULL);
    remove(path);
    assert_int_equal(err, TS_OK);
    assert_int_equal(result.frames, feed.frames);
    assert_int_equal(result.dropped, 0);
    const long growth = feed.last_bytes - feed.early_bytes;
    printf("  %dx%d, %d frames: %.1f MB, %.2f MB more at the end\n", width, height, feed.frames,
           (double)feed.early_bytes / 1e6, (double)growth / 1e6);
    if (CHECKED)
        assert_true(growth <= MOST_BYTES);
    assert_true(fabs(result.changes.first.value - 50.0 * 1000 / fps) < 2000.0 / fps);
}

static void does_not_grow_at_320x240(void **state)
{
    (void)state;
    check_growth(320, 240, 120, 20000);
}

static void does_not_grow_at_1280x720(void **state)
{
    (void)state;
    check_growth(1280, 720, 240, 2500);
}

int main(void)
{
    signal(SIGPIPE, SIG_IGN);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(does_not_grow_at_320x240),
        cmocka_unit_test(does_not_grow_at_1280x720),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
