/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/certificate.h"

const char *const ts_measurand_names[] = {"first_visual_change", "settled", NULL};
