/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/compare_data.h"

#include "base/buf.h"
#include "store/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define APPS_MOST 4096

#define NAME(NAME, name, needed)   #name,
#define NEEDED(NAME, name, needed) needed,
const char *const ts_condition_names[] = {TS_CONDITION_LIST(NAME)};
const bool ts_condition_needed[] = {TS_CONDITION_LIST(NEEDED)};
#undef NAME
#undef NEEDED

long ts_names_find(struct ts_names *names, const char *name)
{
    for (size_t i = 0; i < names->count; i++) {
        if (strcmp(names->items[i], name) == 0)
            return (long)i;
    }
    void *items = names->items;
    if (names->count >= APPS_MOST)
        return TS_EOVERRUN;
    char *copy = strdup(name);
    char **item = copy ? ts_grow(&items, &names->count, &names->capacity, sizeof *item) : NULL;
    names->items = items;
    if (!item) {
        free(copy);
        return TS_ENOMEM;
    }
    *item = copy;
    return (long)names->count - 1;
}

void ts_names_free(struct ts_names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->items[i]);
    free(names->items);
    *names = (struct ts_names){0};
}

struct ts_group *ts_group_new(struct ts_compare_data *data, const char *name)
{
    void *groups = data->groups;
    char *copy = strdup(name);
    struct ts_group *group =
        copy ? ts_grow(&groups, &data->count, &data->capacity, sizeof *group) : NULL;
    data->groups = groups;
    if (group)
        group->name = copy;
    else
        free(copy);
    return group;
}

int ts_group_put(struct ts_group *group, struct ts_row row)
{
    void *rows = group->rows;
    struct ts_row *to = ts_grow(&rows, &group->count, &group->capacity, sizeof *to);
    group->rows = rows;
    if (!to)
        return TS_ENOMEM;
    *to = row;
    return TS_OK;
}

/* Counting: the order within an app stays. */
static int sort_group(struct ts_group *group, size_t apps)
{
    size_t *places = calloc(apps + 1, sizeof *places);
    struct ts_row *rows = calloc(group->count + 1, sizeof *rows);
    if (!places || !rows) {
        free(places);
        free(rows);
        return TS_ENOMEM;
    }
    for (size_t i = 0; i < group->count; i++)
        places[group->rows[i].app + 1]++;
    for (size_t app = 0; app < apps; app++)
        places[app + 1] += places[app];
    for (size_t i = 0; i < group->count; i++)
        rows[places[group->rows[i].app]++] = group->rows[i];
    free(places);
    free(group->rows);
    group->rows = rows;
    group->capacity = group->count + 1;
    return TS_OK;
}

int ts_compare_sort(struct ts_compare_data *data)
{
    int err = TS_OK;
    for (size_t i = 0; i < data->count && !err; i++)
        err = sort_group(&data->groups[i], data->apps.count);
    return err;
}

/* The first row of this app or of a later one. */
static size_t first_row(const struct ts_group *group, size_t app)
{
    size_t low = 0, high = group->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (group->rows[middle].app < app)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct ts_row *ts_group_rows(const struct ts_group *group, size_t app, size_t *count)
{
    const size_t first = first_row(group, app);
    *count = first_row(group, app + 1) - first;
    return group->rows + first;
}

void ts_group_condition(struct ts_group *group, enum ts_condition which, const char *value)
{
    char *all = group->conditions[which];
    const size_t used = strlen(all), size = strlen(value);
    if (!size)
        return;
    for (const char *at = all; (at = strstr(at, value)); at++) {
        const bool begins = at == all || at[-1] == ' ';
        if (begins && (!at[size] || at[size] == ','))
            return;
    }
    snprintf(all + used, TS_CONDITION_MAX - used, "%s%s", used ? ", " : "", value);
}

void ts_group_rig(struct ts_group *group, const char *rig)
{
    if (*group->rig && strcmp(group->rig, rig) != 0)
        rig = "several";
    memmove(group->rig, rig, strlen(rig) + 1);
}

static bool is_folder(const char *path)
{
    struct stat stat_of;
    return stat(path, &stat_of) == 0 && S_ISDIR(stat_of.st_mode);
}

int ts_compare_add(struct ts_compare_data *data, const char *paths,
                   const struct ts_compare_source *source, struct ts_why *why)
{
    struct ts_group *group = ts_group_new(data, paths);
    int err = group ? TS_OK : TS_ENOMEM;
    /* A path may hold a comma itself. */
    const bool one = ts_file_exists(paths);
    for (const char *at = paths; !err && *at;) {
        const size_t size = one ? strlen(at) : strcspn(at, ",");
        struct ts_path path;
        err = ts_path_format(&path, why, "%.*s", (int)size, at);
        if (!err && is_folder(path.text))
            err = ts_compare_add_session(data, group, path.text, source, why);
        else if (!err)
            err = ts_compare_add_csv(data, group, path.text, source, why);
        at += size + (at[size] == ',');
    }
    return err ? err : ts_compare_sort(data);
}

void ts_compare_data_free(struct ts_compare_data *data)
{
    for (size_t i = 0; i < data->count; i++) {
        free(data->groups[i].name);
        free(data->groups[i].rows);
    }
    free(data->groups);
    ts_names_free(&data->apps);
    ts_names_free(&data->sessions);
    *data = (struct ts_compare_data){0};
}
