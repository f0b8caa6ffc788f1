/* SPDX-License-Identifier: GPL-3.0-or-later
   The bytes of the page's files, each with a NUL after it; the one copy of each is the file. */
    .macro page symbol, file
    .global \symbol
\symbol:
    .incbin "\file"
    .byte 0
    .endm
    .section .rodata
    page ts_page_html, "web/annotate.html"
    page ts_page_css, "web/annotate.css"
    page ts_page_js, "web/annotate.js"
    page ts_page_view_js, "web/annotate_view.js"
    .section .note.GNU-stack, "", %progbits
