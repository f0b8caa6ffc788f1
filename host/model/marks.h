/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a person marks in a film, frame by frame. */
#ifndef TS_MODEL_MARKS_H
#define TS_MODEL_MARKS_H

#include <stdbool.h>

#define TS_MARKS_BY_MAX   80   /* bytes of a person's name, with its NUL */
#define TS_MARKS_NOTE_MAX 2000 /* bytes of a note, with its NUL */

/* A mark is the first frame that shows the change, or from which nothing changes any more. */
struct ts_marks {
    int first_change_frame, settled_frame; /* from 0; -1: not marked */
    bool cannot_tell;
    char note[TS_MARKS_NOTE_MAX];
};

#endif
