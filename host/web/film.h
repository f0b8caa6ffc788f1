/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A video whose frames are asked for in any order. Decoders only go forward, so decoded frames are
 * kept in a ring of at most `memory` bytes: a launch filmed at 320x240 fits whole; of a larger film
 * the ring holds the stretch around the frame asked for last, and a frame before that stretch costs
 * decoding from the start. */
#ifndef TS_WEB_FILM_H
#define TS_WEB_FILM_H

#include "media/picture.h"

#define TS_FILM_MEMORY     ((size_t)256 << 20) /* bytes; the default of the commands */
#define TS_FILM_FRAMES_MAX 200000

struct ts_film;

/* Decodes it once to its end, to know how many frames there are and when. TS_EIO, TS_EPROTO,
 * TS_ENOTSUP as media/decode.h; TS_ENOMEM. */
int ts_film_open(const char *path, size_t memory, struct ts_film **out,
                 struct ts_why *why) TS_MUST_CHECK;
void ts_film_close(struct ts_film *film); /* NULL is fine */

int ts_film_count(const struct ts_film *film);                /* frames, at least 1 */
const int64_t *ts_film_stamps_ns(const struct ts_film *film); /* [count], on the container's axis */
/* Frame `index` from 0, grey; its pixels belong to the film until the next call. TS_EINVAL: there
 * is no such frame; TS_EPROTO: the file is no longer what it was. */
int ts_film_frame(struct ts_film *film, int index, struct ts_picture *out,
                  struct ts_why *why) TS_MUST_CHECK;

#endif
