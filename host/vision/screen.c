/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The display is what gets brighter between the black picture and the white one. Its four edges
 * are straight lines; each is fitted to where, block row by block row, the light ends. The share
 * of a block that is lit says where in the block that is, and blur does not change the sum. */
#include "vision/screen.h"

#include <math.h>
#include <stddef.h>

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

/* Half of the brightest tells lit from dark; the mean of what is lit tells it better. */
static double full_difference(const struct ts_camera_geometry *camera, const double *white,
                              const double *black)
{
    const size_t count = (size_t)camera->blocks_x * (size_t)camera->blocks_y;
    double full = 0;
    for (size_t i = 0; i < count; i++)
        full = fmax(full, white[i] - black[i]);
    for (int round = 0; round < ROUNDS; round++) {
        double sum = 0, lit = 0;
        for (size_t i = 0; i < count; i++) {
            if (white[i] - black[i] > 0.6 * full) {
                sum += white[i] - black[i];
                lit++;
            }
        }
        full = lit > 0 ? sum / lit : 0;
    }
    return full;
}

/* Along a row (or, with `upright`, a column) of blocks: where the light begins (side 0) or ends
 * (side 1), in pixels. NAN: no light there. */
static double end_of_light(const struct lit *lit, bool upright, int line, int side)
{
    const int length = upright ? lit->camera->blocks_y : lit->camera->blocks_x;
    const int step = side ? -1 : 1;
    int edge = side ? length - 1 : 0;
    while (edge >= 0 && edge < length &&
           (upright ? share_at(lit, line, edge) : share_at(lit, edge, line)) < LIT_SHARE)
        edge += step;
    if (edge < 0 || edge >= length)
        return NAN;
    double sum = 0;
    for (int i = -EDGE_BLOCKS; i < EDGE_BLOCKS; i++) {
        const int at = edge + step * i;
        sum += upright ? share_at(lit, line, at) : share_at(lit, at, line);
    }
    const double inside = side ? edge + 1 - EDGE_BLOCKS : edge + EDGE_BLOCKS;
    return TS_BLOCK_PX * (inside - step * sum);
}

/* across = at + slope * along, both in pixels. */
struct edge_line {
    double at, slope;
};

static bool fit_edge(const struct lit *lit, bool upright, int side, double from, double to,
                     struct edge_line *edge)
{
    const double skip = CORNER_SKIP * (to - from);
    const int first = (int)ceil((from + skip) / TS_BLOCK_PX);
    const int last = (int)floor((to - skip) / TS_BLOCK_PX) - 1;
    if (last - first + 1 < LEAST_SIDE)
        return false;
    for (int round = 0; round < ROUNDS; round++) {
        double n = 0, x1 = 0, y1 = 0, xx = 0, xy = 0;
        for (int line = first; line <= last; line++) {
            const double x = (line + 0.5) * TS_BLOCK_PX, y = end_of_light(lit, upright, line, side);
            if (isnan(y) || (round > 0 && fabs(y - edge->at - edge->slope * x) > OUTLIER_PX))
                continue;
            n++, x1 += x, y1 += y, xx += x * x, xy += x * y;
        }
        const double det = n * xx - x1 * x1;
        if (n < LEAST_SIDE || det <= 0)
            return false;
        edge->slope = (n * xy - x1 * y1) / det;
        edge->at = (y1 - edge->slope * x1) / n;
    }
    return true;
}

/* Outermost lit blocks along the diagonals: top left, top right, bottom right, bottom left. */
static bool rough_corners(const struct lit *lit, double corners[4][2])
{
    static const int direction[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    double best[4] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY};
    for (int y = 0; y < lit->camera->blocks_y; y++) {
        for (int x = 0; x < lit->camera->blocks_x; x++) {
            if (share_at(lit, x, y) < LIT_SHARE)
                continue;
            for (int i = 0; i < 4; i++) {
                const double far = direction[i][0] * x + direction[i][1] * y;
                if (far <= best[i])
                    continue;
                best[i] = far;
                corners[i][0] = (x + 0.5) * TS_BLOCK_PX;
                corners[i][1] = (y + 0.5) * TS_BLOCK_PX;
            }
        }
    }
    return !isinf(best[0]);
}

static bool inside(const double corners[4][2], double x, double y, double margin)
{
    for (int i = 0; i < 4; i++) {
        const double *a = corners[i], *b = corners[(i + 1) % 4];
        const double dx = b[0] - a[0], dy = b[1] - a[1];
        const double left = dx * (y - a[1]) - dy * (x - a[0]);
        if (left < -margin * hypot(dx, dy))
            return false;
    }
    return true;
}

/* The quadrilateral must be lit, and hold what is lit. */
static bool is_full(const struct lit *lit, const double corners[4][2])
{
    double within = 0, lit_within = 0, lit_in_all = 0;
    for (int y = 0; y < lit->camera->blocks_y; y++) {
        for (int x = 0; x < lit->camera->blocks_x; x++) {
            const double share = share_at(lit, x, y);
            lit_in_all += share;
            if (!inside(corners, (x + 0.5) * TS_BLOCK_PX, (y + 0.5) * TS_BLOCK_PX, 0))
                continue;
            within++;
            lit_within += share;
        }
    }
    return lit_within > FILL_LEAST * within && lit_within > FILL_LEAST * lit_in_all;
}

static void cross(const struct edge_line *side, const struct edge_line *level, double corner[2])
{
    /* x = side.at + side.slope y, y = level.at + level.slope x */
    corner[0] = (side->at + side->slope * level->at) / (1 - side->slope * level->slope);
    corner[1] = level->at + level->slope * corner[0];
}

static bool fine_corners(const struct lit *lit, double c[4][2])
{
    struct edge_line left, right, top, bottom;
    if (!fit_edge(lit, false, 0, c[0][1], c[3][1], &left) ||
        !fit_edge(lit, false, 1, c[1][1], c[2][1], &right) ||
        !fit_edge(lit, true, 0, c[0][0], c[1][0], &top) ||
        !fit_edge(lit, true, 1, c[3][0], c[2][0], &bottom))
        return false;
    cross(&left, &top, c[0]);
    cross(&right, &top, c[1]);
    cross(&right, &bottom, c[2]);
    cross(&left, &bottom, c[3]);
    return true;
}

int ts_screen_find(const struct ts_camera_geometry *camera, const double *white,
                   const double *black, double corners[4][2], struct ts_why *why)
{
    const struct lit lit = {camera, white, black, full_difference(camera, white, black)};
    double found[4][2] = {{0}};
    if (!(lit.full > 0) || !rough_corners(&lit, found))
        return ts_fail(
            why, TS_EPROTO,
            "nothing in the picture lights up: is the phone in view, is its display on?");
    if (!fine_corners(&lit, found) || !is_full(&lit, (const double(*)[2])found))
        return ts_fail(why, TS_EPROTO,
                       "what lights up is not a display of four straight edges: clear the view of "
                       "the phone and of reflections");
    /* Lying on its side, with its top towards x = 0, the display's own top left is the picture's
     * bottom left. */
    const double wide = hypot(found[1][0] - found[0][0], found[1][1] - found[0][1]);
    const double high = hypot(found[3][0] - found[0][0], found[3][1] - found[0][1]);
    const int start = wide > high ? 3 : 0;
    for (int i = 0; i < 4; i++) {
        corners[i][0] = found[(start + i) % 4][0];
        corners[i][1] = found[(start + i) % 4][1];
    }
    return TS_OK;
}

void ts_screen_mask(const struct ts_camera_geometry *camera, const double corners[4][2],
                    double margin_px, uint8_t *outside)
{
    for (int y = 0; y < camera->blocks_y; y++) {
        for (int x = 0; x < camera->blocks_x; x++)
            outside[y * camera->blocks_x + x] =
                !inside(corners, (x + 0.5) * TS_BLOCK_PX, (y + 0.5) * TS_BLOCK_PX, margin_px);
    }
}

/* A camera that looks from aside by a few degrees bends this by less than a block. */
static double along(double from, double to, double share)
{
    return from + share * (to - from);
}

void ts_screen_part(const struct ts_camera_geometry *camera, const double corners[4][2], double x0,
                    double y0, double x1, double y1, uint8_t *part)
{
    const double x[4] = {x0, x1, x1, x0}, y[4] = {y0, y0, y1, y1};
    double strip[4][2];
    for (int corner = 0; corner < 4; corner++) {
        for (int i = 0; i < 2; i++)
            strip[corner][i] = along(along(corners[0][i], corners[1][i], x[corner]),
                                     along(corners[3][i], corners[2][i], x[corner]), y[corner]);
    }
    /* A block touches when its middle is at most half a block away. */
    for (int by = 0; by < camera->blocks_y; by++) {
        for (int bx = 0; bx < camera->blocks_x; bx++)
            part[by * camera->blocks_x + bx] =
                x1 > x0 && y1 > y0 &&
                inside((const double(*)[2])strip, (bx + 0.5) * TS_BLOCK_PX,
                       (by + 0.5) * TS_BLOCK_PX, TS_BLOCK_PX / 2.0);
    }
}

void ts_screen_status_bar(const struct ts_camera_geometry *camera, const double corners[4][2],
                          double share, uint8_t *bar)
{
    ts_screen_part(camera, corners, 0, 0, 1, share, bar);
}
