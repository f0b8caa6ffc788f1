/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/live/v4l2/formats.h"

#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>

struct ts_jpeg {
    struct jpeg_decompress_struct decompress;
    struct jpeg_error_mgr errors;
    jmp_buf out; /* libjpeg must not return from an error */
};

static void on_error(j_common_ptr common)
{
    struct ts_jpeg *jpeg = common->client_data;
    longjmp(jpeg->out, 1);
}

/* What libjpeg mends (data that ends too early, a bad code) is a torn picture here. */
static void on_message(j_common_ptr common, int level)
{
    if (level < 0)
        on_error(common);
}

/* A function of its own, so that no variable lives across setjmp(). */
static bool set_up(struct ts_jpeg *jpeg)
{
    if (setjmp(jpeg->out))
        return false;
    jpeg_create_decompress(&jpeg->decompress);
    return true;
}

struct ts_jpeg *ts_jpeg_create(void)
{
    struct ts_jpeg *jpeg = calloc(1, sizeof *jpeg);
    if (!jpeg)
        return NULL;
    jpeg->decompress.err = jpeg_std_error(&jpeg->errors);
    jpeg->decompress.client_data = jpeg;
    jpeg->errors.error_exit = on_error;
    jpeg->errors.emit_message = on_message;
    if (set_up(jpeg))
        return jpeg;
    free(jpeg);
    return NULL;
}

void ts_jpeg_destroy(struct ts_jpeg *jpeg)
{
    if (!jpeg)
        return;
    jpeg_destroy_decompress(&jpeg->decompress);
    free(jpeg);
}

int ts_jpeg_grey(struct ts_jpeg *jpeg, const uint8_t *from, size_t size, int width_px,
                 int height_px, uint8_t *to)
{
    struct jpeg_decompress_struct *it = &jpeg->decompress;
    if (setjmp(jpeg->out)) {
        jpeg_abort_decompress(it);
        return TS_EPROTO;
    }
    jpeg_mem_src(it, from, size);
    jpeg_read_header(it, TRUE);
    if (it->image_width != (unsigned)width_px || it->image_height != (unsigned)height_px ||
        (it->jpeg_color_space != JCS_YCbCr && it->jpeg_color_space != JCS_GRAYSCALE)) {
        jpeg_abort_decompress(it);
        return TS_EPROTO;
    }
    it->out_color_space = JCS_GRAYSCALE; /* the chroma is not even transformed back */
    it->dct_method = JDCT_ISLOW;
    jpeg_start_decompress(it);
    while (it->output_scanline < it->output_height) {
        JSAMPROW row = to + (size_t)it->output_scanline * (size_t)width_px;
        jpeg_read_scanlines(it, &row, 1);
    }
    jpeg_finish_decompress(it);
    return TS_OK;
}
