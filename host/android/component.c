/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "android/component.h"

#include <string.h>

static size_t package_size(const char *name)
{
    return strcspn(name, "/:");
}

bool ts_component_same_package(const char *a, const char *b)
{
    const size_t size = package_size(a);
    return size > 0 && size == package_size(b) && memcmp(a, b, size) == 0;
}

bool ts_component_has_class(const char *component, const char *name)
{
    const char *slash = strchr(component, '/');
    if (!slash || *name == '\0')
        return false;
    if (slash[1] != '.')
        return strcmp(slash + 1, name) == 0;
    const size_t package = (size_t)(slash - component);
    return strncmp(component, name, package) == 0 && strcmp(slash + 1, name + package) == 0;
}

bool ts_component_equal(const char *a, const char *b)
{
    const char *slash_a = strchr(a, '/'), *slash_b = strchr(b, '/');
    if (!slash_a || !slash_b || !ts_component_same_package(a, b))
        return false;
    if (slash_b[1] == '.' && slash_a[1] == '.')
        return strcmp(slash_a, slash_b) == 0;
    return slash_b[1] == '.' ? ts_component_has_class(b, slash_a + 1)
                             : ts_component_has_class(a, slash_b + 1);
}
