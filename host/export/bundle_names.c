/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/bundle_names.h"

#include <stdio.h>
#include <string.h>

static const char *const fixed[] = {
    "README.txt",
    "CITATION.cff",
    "dictionary.csv",
    "session/session.json",
    "session/exclusions.jsonl",
    "session/campaign.json",
    "session/rig/given.json",
    "session/rig/clock.json",
    "session/rig/camera.json",
    "session/rig/stylus.json",
    "session/rig/screen.json",
    "session/rig/noise.json",
    "session/rig/observers.json",
    "session/rig/forced.txt",
    "session/checks/certificate.json",
    "session/checks/verdict.json",
    "session/calibration/calibration.json",
    "session/calibration/events.jsonl",
    "session/calibration/blocks.bin",
};
static const char *const of_launch[] = {"result.json", "events.jsonl", "blocks.bin",
                                        "annotations.json", "video.mkv"};
#define FIXED     (sizeof fixed / sizeof *fixed)
#define OF_LAUNCH (sizeof of_launch / sizeof *of_launch)

bool ts_bundle_name(size_t n, int launches, char *name, size_t size)
{
    if (n < FIXED) {
        snprintf(name, size, "%s", fixed[n]);
        return true;
    }
    const size_t launch = (n - FIXED) / OF_LAUNCH + 1;
    if (launches < 0 || launch > (size_t)launches)
        return false;
    snprintf(name, size, "session/launches/%04zu/%s", launch, of_launch[(n - FIXED) % OF_LAUNCH]);
    return true;
}

bool ts_bundle_is_name(const char *name)
{
    static const char launches[] = "session/launches/";
    for (size_t i = 0; i < FIXED; i++) {
        if (strcmp(name, fixed[i]) == 0)
            return true;
    }
    if (strcmp(name, "manifest.json") == 0)
        return true;
    if (strncmp(name, launches, sizeof launches - 1) != 0)
        return false;
    name += sizeof launches - 1;
    if (strspn(name, "0123456789") != 4 || name[4] != '/')
        return false;
    for (size_t i = 0; i < OF_LAUNCH; i++) {
        if (strcmp(name + 5, of_launch[i]) == 0)
            return true;
    }
    return false;
}
