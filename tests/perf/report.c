/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long the report takes: of a campaign with pictures, and of a large one. */
#include "perf.h"

#include "report/html.h"
#include "session.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#define VALIDATION_LIMIT_S 5  /* 16 apps x 10, two videos of each app */
#define LARGE_LIMIT_S      20 /* 16 apps x 313: 5,008 launches */
#define SIZE_LIMIT         5e6

struct work {
    char dir[80], page[80];
};

static void report(void *context)
{
    const struct work *work = context;
    struct ts_why why = {""};
    if (ts_report_write(work->dir, NULL, work->page, &why)) {
        fprintf(stderr, "perf: %s\n", why.text);
        exit(1);
    }
}

static void measure(const char *folder, struct session_shape shape, double limit_s, bool sized)
{
    struct work work;
    struct stat page;
    char line[60];
    struct perf_racer racer = {"report", report, 0};
    const int launches = shape.apps * shape.launches;
    snprintf(work.dir, sizeof work.dir, "%s/%d", folder, launches);
    snprintf(work.page, sizeof work.page, "%s/%d.html", folder, launches);
    session_write(work.dir, &shape);
    perf_race(&racer, 1, 3, &work);
    if (stat(work.page, &page))
        exit(1);
    snprintf(line, sizeof line, "%d launches: time / %.0f s", launches, limit_s);
    perf_say_ratio(line, racer.best_s / limit_s, PERF_AT_MOST, 1);
    snprintf(line, sizeof line, "%d launches: size / 5 MB", launches);
    if (sized)
        perf_say_ratio(line, (double)page.st_size / SIZE_LIMIT, PERF_AT_MOST, 1);
}

int perf_report(int argc, char **argv)
{
    char folder[] = "/tmp/touchstone-perf-XXXXXX", command[80];
    (void)argc;
    (void)argv;
    if (!mkdtemp(folder)) {
        fprintf(stderr, "perf: no folder in /tmp\n");
        return 1;
    }
    measure(folder, (struct session_shape){16, 10, 2, 300}, VALIDATION_LIMIT_S, true);
    measure(folder, (struct session_shape){16, 313, 0, 0}, LARGE_LIMIT_S, false);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command) != 0;
}
