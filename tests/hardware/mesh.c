/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mesh [--fits X,Y,Z] [--overhang MM2] FILE.stl...: is each text STL the surface of a body that a
 * printer can make? Closed and orientable: every edge is passed exactly once in each direction.
 * Prints a line a file: name, least and greatest x y z, volume in mm3, overhang in mm2 (faces that
 * look down by more than 45 degrees and do not lie on the bed). Exit code 1: one of them is not. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct point {
    double at[3];
};

struct mesh {
    struct point *corners; /* owned: three a facet */
    size_t count, room;    /* of corners */
    double low[3], high[3], volume, overhang;
};

struct edge {
    struct point from, to; /* in order: from < to */
    int passed;            /* +1 from -> to, -1 to -> from */
};

static int by_place(const struct point *left, const struct point *right)
{
    return memcmp(left->at, right->at, sizeof left->at);
}

static int by_edge(const void *left, const void *right)
{
    const struct edge *a = left, *b = right;
    const int from = by_place(&a->from, &b->from);
    return from != 0 ? from : by_place(&a->to, &b->to);
}

static bool add(struct mesh *mesh, const double at[3])
{
    if (mesh->count == mesh->room) {
        mesh->room = mesh->room ? 2 * mesh->room : 3072;
        struct point *more = realloc(mesh->corners, mesh->room * sizeof *more);
        if (!more)
            return false;
        mesh->corners = more;
    }
    for (int i = 0; i < 3; i++) {
        mesh->corners[mesh->count].at[i] = at[i] + 0.0; /* -0 and 0 are one place */
        mesh->low[i] = fmin(mesh->low[i], at[i]);
        mesh->high[i] = fmax(mesh->high[i], at[i]);
    }
    mesh->count++;
    return true;
}

static bool read_mesh(const char *name, struct mesh *mesh)
{
    char line[256];
    FILE *file = fopen(name, "r");
    if (!file)
        return false;
    for (int i = 0; i < 3; i++) {
        mesh->low[i] = INFINITY;
        mesh->high[i] = -INFINITY;
    }
    bool good = true;
    while (good && fgets(line, sizeof line, file)) {
        double at[3];
        if (sscanf(line, " vertex %lf %lf %lf", &at[0], &at[1], &at[2]) == 3)
            good = add(mesh, at);
    }
    fclose(file);
    return good && mesh->count > 0 && mesh->count % 3 == 0;
}

static void weigh(struct mesh *mesh)
{
    for (size_t i = 0; i < mesh->count; i += 3) {
        const double *a = mesh->corners[i].at, *b = mesh->corners[i + 1].at,
                     *c = mesh->corners[i + 2].at;
        double u[3], v[3];
        for (int k = 0; k < 3; k++) {
            u[k] = b[k] - a[k];
            v[k] = c[k] - a[k];
        }
        const double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2],
                             u[0] * v[1] - u[1] * v[0]};
        const double size = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        mesh->volume += (a[0] * n[0] + a[1] * n[1] + a[2] * n[2]) / 6;
        const double lowest = fmin(a[2], fmin(b[2], c[2]));
        if (size > 0 && n[2] / size < -0.72 && lowest > mesh->low[2] + 0.3)
            mesh->overhang += size / 2;
    }
}

/* How many edges are not passed once in each direction. */
static long open_edges(const struct mesh *mesh)
{
    struct edge *edges = malloc(mesh->count * sizeof *edges);
    if (!edges)
        return -1;
    for (size_t i = 0; i < mesh->count; i++) {
        const struct point a = mesh->corners[i], b = mesh->corners[i % 3 == 2 ? i - 2 : i + 1];
        const bool forth = by_place(&a, &b) < 0;
        edges[i] = (struct edge){forth ? a : b, forth ? b : a, forth ? 1 : -1};
    }
    qsort(edges, mesh->count, sizeof *edges, by_edge);
    long wrong = 0;
    for (size_t i = 0, n; i < mesh->count; i += n) {
        int sum = 0;
        for (n = 0; i + n < mesh->count && by_edge(&edges[i], &edges[i + n]) == 0; n++)
            sum += edges[i + n].passed;
        wrong += n != 2 || sum != 0;
    }
    free(edges);
    return wrong;
}

static bool judge(const char *name, const double fits[3], double overhang_most)
{
    struct mesh mesh = {0};
    bool good = read_mesh(name, &mesh);
    if (!good) {
        fprintf(stderr, "%s: no text STL\n", name);
        goto end;
    }
    weigh(&mesh);
    printf("%s  %.2f %.2f %.2f  %.2f %.2f %.2f  %.0f  %.0f\n", name, mesh.low[0], mesh.low[1],
           mesh.low[2], mesh.high[0], mesh.high[1], mesh.high[2], mesh.volume, mesh.overhang);
    const long wrong = open_edges(&mesh);
    if (wrong != 0 || mesh.volume <= 0) {
        fprintf(stderr, "%s: no closed surface: %ld edges are open, volume %.1f mm3\n", name, wrong,
                mesh.volume);
        good = false;
    }
    for (int i = 0; i < 3; i++) {
        if (mesh.high[i] - mesh.low[i] > fits[i]) {
            fprintf(stderr, "%s: %.1f mm along %c, the printer has %.0f\n", name,
                    mesh.high[i] - mesh.low[i], 'x' + i, fits[i]);
            good = false;
        }
    }
    if (mesh.overhang > overhang_most) {
        fprintf(stderr, "%s: %.0f mm2 hang over, more than %.0f\n", name, mesh.overhang,
                overhang_most);
        good = false;
    }
end:
    free(mesh.corners);
    return good;
}

int main(int argc, char **argv)
{
    double fits[3] = {INFINITY, INFINITY, INFINITY}, overhang = INFINITY;
    bool good = true;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--fits") == 0 && i + 1 < argc) {
            if (sscanf(argv[++i], "%lf,%lf,%lf", &fits[0], &fits[1], &fits[2]) != 3)
                return 2;
        } else if (strcmp(argv[i], "--overhang") == 0 && i + 1 < argc) {
            overhang = strtod(argv[++i], NULL);
        } else {
            good &= judge(argv[i], fits, overhang);
        }
    }
    return good ? 0 : 1;
}
