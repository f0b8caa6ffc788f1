/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json_keys FILE (or -): fails unless FILE is one valid JSON value; prints the paths of all its
 * members, one a line, in the order of the file. Arrays are not entered but for their first
 * element. */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

static void print_keys(const char *path, json_t *value)
{
    char longer[512];
    const char *key;
    json_t *member;
    if (json_is_array(value) && json_array_size(value) > 0) {
        snprintf(longer, sizeof longer, "%s[]", path);
        print_keys(longer, json_array_get(value, 0));
    }
    json_object_foreach(value, key, member)
    {
        snprintf(longer, sizeof longer, "%s%s%s", path, *path ? "." : "", key);
        puts(longer);
        print_keys(longer, member);
    }
}

int main(int argc, char **argv)
{
    json_error_t error;
    if (argc != 2)
        return 2;
    const size_t flags = JSON_REJECT_DUPLICATES | JSON_DECODE_ANY;
    json_t *root = strcmp(argv[1], "-") == 0 ? json_loadf(stdin, flags, &error)
                                             : json_load_file(argv[1], flags, &error);
    if (!root) {
        fprintf(stderr, "%s: line %d: %s\n", argv[1], error.line, error.text);
        return 1;
    }
    print_keys("", root);
    json_decref(root);
    return 0;
}
