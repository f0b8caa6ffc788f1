/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results. 0 is success, a positive value a count, a negative one says whose fault it was. */
#ifndef TS_BASE_ERR_H
#define TS_BASE_ERR_H

enum ts_err {
    TS_OK = 0,
    TS_EINVAL = -1,   /* our caller's mistake */
    TS_EIO = -2,      /* the device or the operating system said no */
    TS_ETIMEOUT = -3, /* no answer in time */
    TS_EOF = -4,      /* the source has ended */
    TS_EPROTO = -5,   /* outside data is malformed */
    TS_EOVERRUN = -6, /* data came faster than it was taken */
    TS_ENOTSUP = -7,  /* this build, device or version cannot do it */
    TS_ENOMEM = -8,
    TS_ELATCHED = -9, /* refused until a latched fault is cleared */
};

#define TS_MUST_CHECK __attribute__((warn_unused_result))

/* A short lower-case description of an error code; static storage. */
const char *ts_err_text(int err);

/* Why something failed, for the person in front of the screen: what is wrong and what to do. */
struct ts_why {
    char text[400];
};

/* Fills *why, which may be NULL. */
void ts_why_say(struct ts_why *why, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Fills *why and gives err, so that `return ts_fail(why, err, format, ...)` reads well. A macro, so
 * that an analyser sees that what comes back is err. */
#define ts_fail(why, err, ...) (ts_why_say((why), __VA_ARGS__), ts_err_of(err))

static inline int ts_err_of(int err)
{
    return err;
}

#endif
