/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page's part on what people marked: whose marks it takes, what it makes of them, and that
 * there is none where nobody marked anything. */
#include "report/html.h"
#include "folder.h"
#include "session.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static double settled_of(int launch)
{
    struct ts_session *session;
    struct ts_result result;
    struct ts_why why;
    assert_int_equal(ts_session_open(session_dir, &session, &why), TS_OK);
    assert_int_equal(ts_session_load_result(session, launch, &result, &why), TS_OK);
    ts_session_free(session);
    return result.settled.value;
}

struct mark {
    const char *by, *superseded, *zero;
    double off_ms; /* from what the program says */
};

static void write_marks(int launch, const struct mark *marks, int count)
{
    char path[400];
    snprintf(path, sizeof path, "%s/launches/%04d/annotations.json", session_dir, launch);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("[", file);
    for (int i = 0; i < count; i++)
        fprintf(file,
                "%s{\"by\": \"%s\", \"when\": \"2026-03-01T09:30:00Z\", \"first_change_frame\": "
                "null, \"settled_frame\": 50, \"first_change_ms\": null, \"settled_ms\": %.3f, "
                "\"zero\": \"%s\", \"frames\": 60, \"cannot_tell\": false, \"note\": \"\", "
                "\"superseded\": %s}",
                i ? ", " : "", marks[i].by, settled_of(launch) + marks[i].off_ms, marks[i].zero,
                marks[i].superseded);
    fputs("]\n", file);
    fclose(file);
}

static void says_nothing_where_nobody_marked(void **state)
{
    (void)state;
    session_write(session_dir, &(struct session_shape){2, 4, 0, 0});
    char *page = folder_page();
    assert_null(strstr(page, "Camera against people"));
    free(page);
}

/* Launch 1: 10 late and 4 early, so 3 late on the mean; 2 and 3: 10 late; 4: 7 early. What was
 * superseded, and what counts from elsewhere, is left out. */
static void takes_the_marks_that_count(void **state)
{
    (void)state;
    static const struct mark both[] = {{"Ada", "\"2026-03-01T10:00:00Z\"", "lift", 500},
                                       {"Ben", "null", "lift", -4},
                                       {"Ada", "null", "lift", 10},
                                       {"Eve", "null", "first frame", 900}};
    static const struct mark early[] = {{"Ben & <b>", "null", "lift", -7}};
    session_write(session_dir, &(struct session_shape){2, 4, 0, 0});
    write_marks(1, both, 4);
    write_marks(2, &both[2], 1);
    write_marks(3, &both[2], 1);
    write_marks(4, early, 1);
    char *page = folder_page();
    const char *section = strstr(page, "<section id=\"people\">");
    assert_non_null(section);
    assert_non_null(strstr(section, "<p>3 people marked 4 of the launches that count"));
    assert_non_null(strstr(section, "settled: <b>8\u00a0ms</b>")); /* (3 + 10 + 10 + 7) / 4 */
    assert_non_null(strstr(section,
                           "<th scope=\"row\"><bdi>all launches</bdi></th>"
                           "<td class=\"number\">4</td><td class=\"number\">\u22124</td>"));
    assert_non_null(strstr(section, "Each launch as a point: settled, marked by people across"));
    assert_null(strstr(section, "cannot be read"));
    free(page);
}

static void tells_of_marks_that_cannot_be_read(void **state)
{
    (void)state;
    static const struct mark one[] = {{"Ada", "null", "lift", 10}};
    session_write(session_dir, &(struct session_shape){2, 4, 0, 0});
    write_marks(1, one, 1);
    char command[500];
    snprintf(command, sizeof command, "echo '[{' >'%s/launches/0003/annotations.json'",
             session_dir);
    assert_int_equal(system(command), 0);
    char *page = folder_page();
    assert_non_null(strstr(page, "<p>1 person marked 1 of the launches that count"));
    assert_non_null(strstr(page, "What people marked in launch 3 cannot be read"));
    free(page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(says_nothing_where_nobody_marked, folder_make,
                                        folder_remove),
        cmocka_unit_test_setup_teardown(takes_the_marks_that_count, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(tells_of_marks_that_cannot_be_read, folder_make,
                                        folder_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
