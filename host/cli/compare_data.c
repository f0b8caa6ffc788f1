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
    return err;
}

void ts_compare_data_free(struct ts_compare_data *data)
{
    for (size_t i = 0; i < data->count; i++) {
        free(data->groups[i].name);
        free(data->groups[i].rows);
    }
    free(data->groups);
    ts_names_free(&data->apps);
    *data = (struct ts_compare_data){0};
}
