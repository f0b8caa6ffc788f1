/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files of the annotation page (pages.S), each ended by a NUL. */
#ifndef TS_WEB_PAGES_H
#define TS_WEB_PAGES_H

extern const char ts_page_html[];
extern const char ts_page_css[];
extern const char ts_page_js[];
extern const char ts_page_view_js[];

#endif
