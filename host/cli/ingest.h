/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `touchstone ingest DIR... --db WHERE`: sessions into a lab's database. */
#ifndef TS_CLI_INGEST_H
#define TS_CLI_INGEST_H

int ts_cli_ingest(int argc, char **argv);

#endif
