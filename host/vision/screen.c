/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The display is what gets brighter between the black picture and the white one. Its four edges
 * are straight lines; each is fitted to where, block row by block row, the light ends. The share
 * of a block that is lit says where in the block that is, and blur does not change the sum. */
#include "vision/screen.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#define LIT_SHARE   0.5 /* of the display's own brightness */
#define EDGE_BLOCKS 3   /* around an edge that are partly lit */
#define LEAST_SIDE  4   /* blocks */
#define CORNER_SKIP 0.12
#define ROUNDS      3
#define OUTLIER_PX  3.0
#define FILL_LEAST  0.85

struct lit {
    const struct ts_camera_geometry *camera;
    const double *white, *black;
    double full; /* difference of a whole lit block */
};

static double share_at(const struct lit *lit, int x, int y)
{
    if (x < 0 || y < 0 || x >= lit->camera->blocks_x || y >= lit->camera->blocks_y)
        return 0;
    const size_t block = (size_t)y * (size_t)lit->camera->blocks_x + (size_t)x;
    return fmin(1, fmax(0, (lit->white[block] - lit->black[block]) / lit->full));
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
