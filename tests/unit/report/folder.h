/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests of the page of a session folder: a folder of the test's own, and what is shown of the
 * session in it. */
#ifndef TEST_REPORT_FOLDER_H
#define TEST_REPORT_FOLDER_H

extern char folder[200], session_dir[260]; /* the session is to be written there */

/* cmocka's setup and teardown. */
int folder_make(void **state);
int folder_remove(void **state);
/* The page of the session, for free(). */
char *folder_page(void);

#endif
