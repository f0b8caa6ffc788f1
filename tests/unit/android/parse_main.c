/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/parse.h"

int main(int argc, char **argv)
{
    return ts_cli_parse(argc, argv);
}
