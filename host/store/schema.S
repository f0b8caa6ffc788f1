/* SPDX-License-Identifier: GPL-3.0-or-later
   The bytes of schema.sql with a NUL after them; the one copy of the schema is the file. */
    .section .rodata
    .global ts_schema_sql
ts_schema_sql:
    .incbin "store/schema.sql"
    .byte 0
    .section .note.GNU-stack, "", %progbits
