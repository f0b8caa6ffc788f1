/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "folder.h"

#include "report/html.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

char folder[200], session_dir[260];

int folder_make(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "%s/test_report_XXXXXX", TS_BUILD_DIR);
    snprintf(session_dir, sizeof session_dir, "%s/session", mkdtemp(folder));
    return 0;
}

int folder_remove(void **state)
{
    (void)state;
    char command[300];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

char *folder_page(void)
{
    struct ts_report_data data;
    struct ts_out out = {0};
    struct ts_why why = {""};
    assert_int_equal(ts_report_data_load(session_dir, &data, &why), TS_OK);
    assert_int_equal(ts_report_page(&data, NULL, true, &out), TS_OK);
    ts_out_bytes(&out, "", 1);
    ts_report_data_free(&data);
    return (char *)out.text.data;
}
