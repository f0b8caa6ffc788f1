/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside vision only: mains light and pulse-width dimmed displays modulate brightness by up to a
 * tenth, in bands that roll over the picture.
 *
 * A lamp or a backlight goes through its turns at one true frequency, and a row of the picture sees
 * it at the row's time. So in frames t and rows r it is a plane wave cos(w t + s r + phase), of
 * four numbers for the whole film, however little rests in any one row. Lamps act on what the phone
 * reflects and on its surroundings, dimming on what it emits; a block holds both kinds of light,
 * and of which it holds how much is known of it for any later picture, because the light that it
 * reflects stays what it is. */
#ifndef TS_VISION_FLICKER_H
#define TS_VISION_FLICKER_H

#include "vision/window.h"

#define TS_FLICKERS 4

struct ts_flicker_wave {
    double hz;      /* as the frame rate samples it */
    double turn;    /* rad: phase in row 0 at at_ms ... */
    double at_ms;   /* ... which is the middle of what it was learnt from */
    double slope;   /* rad per row of blocks */
    double half_ms; /* how long before and after at_ms it was looked at */
};

struct ts_flicker_source {
    struct ts_flicker_wave wave, known; /* as followed now; when it was last seen clearly */
    double strength; /* relative brightness where it acts alone; 0: it is not known yet */
    bool room;       /* of the room's light, else of the light that the screen emits */
    bool placed;     /* that was told by where it shows */
    bool bright;     /* its strength was seen on a bright screen */
    bool certain;    /* enough of it was seen before the screen may have moved */
};

struct ts_flicker {
    size_t count, blocks, down;
    struct ts_flicker_source source[TS_FLICKERS];
    size_t begun;             /* frames seen before those that may be looked at */
    size_t due, attempts;     /* frames seen when it is next looked for */
    bool moves;               /* the screen may have, in what is looked at */
    size_t restless, rested;  /* frames in a row in which much moved, or little */
    size_t shown;             /* frames of another picture; 0: none has come */
    size_t moved;             /* blocks since then, each as often as it moved */
    size_t changed;           /* the same since the tap */
    size_t looked;            /* frames seen at the last look, ... */
    size_t stretch;           /* ... of which so many were looked at */
    float *lit_of, *dark_of;  /* [blocks] squares of the codes that told lit, dark; 0 */
    uint8_t *steady;          /* [blocks] working memory, like all that follows */
    uint16_t *low, *high;     /* [blocks] sums of one stretch of frames ... */
    uint32_t *total;          /* ... and their sums */
    float *mean;              /* [blocks] in codes */
    float *spread;            /* [blocks] variance, what waves explain taken off */
    float *part[TS_FLICKERS]; /* [blocks] amplitude of each source, codes */
    float *sorted;            /* [blocks] */
    float *ratio, *left;      /* [down][frames]: see ts_flicker_search */
    double none_from;         /* turns: no wave is left that turns as often, or more often */
    float *rows, *totals;     /* [down] of the steady blocks: their number, their sums' mean */
    float *cosine[TS_FLICKERS], *sine[TS_FLICKERS]; /* [down][frames] */
    float *unsure[TS_FLICKERS]; /* [down] variance of part for a variance of 1 */
};

int ts_flicker_open(struct ts_flicker *flicker, struct ts_window *window) TS_MUST_CHECK;
void ts_flicker_close(struct ts_flicker *flicker);
/* After each frame: looks at the latest frames when it is time to. moved: blocks that moved in the
 * latest frame. Whether it knows better now: then ts_flicker_remove() what is in the window. */
bool ts_flicker_watch(struct ts_flicker *flicker, struct ts_window *window, size_t moved,
                      bool tapped);
/* Forgets all of it and looks from frame `from` of the window on: what was before was no rest. */
void ts_flicker_begin(struct ts_flicker *flicker, struct ts_window *window, size_t from);
/* The first frame of the window that may be looked at. */
size_t ts_flicker_from(const struct ts_flicker *flicker, const struct ts_window *window);
/* The waves in one frame of the window, which ts_window_code() takes out. */
void ts_flicker_remove(const struct ts_flicker *flicker, struct ts_window *window, size_t frame);

#endif
