/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of activities: "pkg/.Act", short for "pkg/pkg.Act", or "pkg/other.pkg.Act". */
#ifndef TS_ANDROID_COMPONENT_H
#define TS_ANDROID_COMPONENT_H

#include <stdbool.h>

/* The same activity, however it is spelt. */
bool ts_component_equal(const char *a, const char *b);

/* Both begin with the same package: components, process names ("pkg:remote") or bare packages. */
bool ts_component_same_package(const char *a, const char *b);

/* `name` is the component's class alone, as activities print it about themselves. */
bool ts_component_has_class(const char *component, const char *name);

#endif
