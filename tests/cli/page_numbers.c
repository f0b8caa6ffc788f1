/* SPDX-License-Identifier: GPL-3.0-or-later */
/* page_numbers DOM DATABASE: every number of the table of launches, and each app's median at the
 * top, as the browser holds them, against the rows of results.sqlite. Says what differs; exit code
 * 0: nothing does. */
#include <math.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define APPS_MOST   16
#define VALUES_MOST 200
#define PAGE_MOST   (32u << 20)

struct app {
    char name[64];
    double settled[VALUES_MOST];
    int count;
};

static char *page;
static struct app apps[APPS_MOST];
static int app_count, rows, failures;

static void read_page(const char *path)
{
    FILE *file = fopen(path, "rb");
    page = calloc(PAGE_MOST, 1);
    if (!file || !page || !fread(page, 1, PAGE_MOST - 1, file)) {
        fprintf(stderr, "%s: cannot be read\n", path);
        exit(1);
    }
    fclose(file);
}

static void must_say(const char *text, const char *what)
{
    if (strstr(page, text))
        return;
    printf("%s: the page does not say %s\n", what, text);
    failures++;
}

/* One cell; a text that is not NULL stands for a number that is not there. */
static void add_cell(char *row, size_t size, double value, int decimals, const char *otherwise)
{
    const size_t used = strlen(row);
    char digits[40];
    snprintf(digits, sizeof digits, "%.*f", decimals, fabs(value));
    const bool minus = value < 0 && strspn(digits, "0.") < strlen(digits);
    if (isnan(value))
        snprintf(digits, sizeof digits, "%s", otherwise);
    snprintf(row + used, size - used, "<td class=\"number\">%s%s</td>", minus ? "\u2212" : "",
             digits);
}

static double column(sqlite3_stmt *statement, int i)
{
    return sqlite3_column_type(statement, i) == SQLITE_NULL ? NAN
                                                            : sqlite3_column_double(statement, i);
}

static void add_settled(const char *name, double settled)
{
    int at = 0;
    while (at < app_count && strcmp(apps[at].name, name) != 0)
        at++;
    if (at == app_count)
        snprintf(apps[app_count++].name, sizeof apps[at].name, "%s", name);
    apps[at].settled[apps[at].count++] = settled;
}

static void check_row(sqlite3_stmt *statement)
{
    const char *app = (const char *)sqlite3_column_text(statement, 1);
    const double last = column(statement, 4), settled = column(statement, 5);
    const double android = column(statement, 7);
    char row[2000] = "", name[160];
    add_cell(row, sizeof row, column(statement, 3), 1, "\u2013");
    add_cell(row, sizeof row, last, 1, isfinite(settled) ? "never rests" : "\u2013");
    add_cell(row, sizeof row, settled, 1, "\u2013");
    add_cell(row, sizeof row, column(statement, 6), 1, "\u2013");
    add_cell(row, sizeof row, android, 0, "\u2013");
    add_cell(row, sizeof row, settled - android, 1, "\u2013");
    for (int i = 8; i < 15; i++) /* literal .. speed index, temperature */
        add_cell(row, sizeof row, column(statement, i), 1, "\u2013");
    for (int i = 15; i < 17; i++) /* clocks */
        add_cell(row, sizeof row, column(statement, i), 0, "\u2013");
    must_say(row, app);
    snprintf(name, sizeof name, "<td class=\"number\">%d</td><th scope=\"row\"><bdi>%s</bdi></th>",
             sqlite3_column_int(statement, 0), app);
    must_say(name, app);
    if (sqlite3_column_int(statement, 2) && isfinite(settled))
        add_settled(app, settled);
    rows++;
}

static int compare(const void *one, const void *other)
{
    const double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

static void check_median(struct app *app)
{
    char text[80];
    qsort(app->settled, (size_t)app->count, sizeof *app->settled, compare);
    const double median = (app->settled[(app->count - 1) / 2] + app->settled[app->count / 2]) / 2;
    snprintf(text, sizeof text, "<td class=\"big\">%.0f<span>", median);
    must_say(text, app->name);
}

int main(int argc, char **argv)
{
    static const char query[] =
        "SELECT launch, app, usable, first_visual_change_ms, last_visual_change_ms, settled_ms,"
        " settled_u_ms, time_to_initial_display_ms, literal_settled_ms, splash_ms,"
        " first_app_frame_ms, main_content_ms, visually_complete_85_ms, speed_index_ms,"
        " temperature_c, cpu_mhz, cpu_most_mhz"
        " FROM launches ORDER BY launch";
    sqlite3 *database = NULL;
    sqlite3_stmt *statement = NULL;
    if (argc != 3)
        return 2;
    read_page(argv[1]);
    if (sqlite3_open_v2(argv[2], &database, SQLITE_OPEN_READONLY, NULL) ||
        sqlite3_prepare_v2(database, query, -1, &statement, NULL)) {
        fprintf(stderr, "%s: %s\n", argv[2], sqlite3_errmsg(database));
        return 1;
    }
    while (sqlite3_step(statement) == SQLITE_ROW)
        check_row(statement);
    for (int i = 0; i < app_count; i++)
        check_median(&apps[i]);
    sqlite3_finalize(statement);
    sqlite3_close(database);
    free(page);
    if (!rows || !app_count)
        printf("the database has no launches\n");
    return failures || !rows || !app_count;
}
