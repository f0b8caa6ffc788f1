/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TS_STORE_SCHEMA_H
#define TS_STORE_SCHEMA_H

/* The text of schema.sql. */
extern const char ts_schema_sql[];

#endif
