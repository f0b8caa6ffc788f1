/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A small lossless film whose every pixel is known. */
#ifndef TESTS_ANNOTATE_FILM_H
#define TESTS_ANNOTATE_FILM_H

#include <stddef.h>
#include <stdint.h>

#define FILM_WIDTH  64
#define FILM_HEIGHT 40
#define FILM_FRAMES 50

/* What pixel x, y of frame n is; `seed` tells films apart. */
uint8_t film_pixel(int seed, int n, int x, int y);
/* Writes a Matroska film of FILM_FRAMES frames. */
void film_write(const char *path, int seed);
/* Reads a PNG file back by libav; rows packed. */
void png_read(const uint8_t *png, size_t size, int *width, int *height, uint8_t *pixels,
              size_t capacity);
/* A new folder under /tmp, and what removes it with all the files in it. */
void folder_make(char path[64]);
void folder_remove(const char *path);

#endif
