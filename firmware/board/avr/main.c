/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "board/board.h"
#include "core/app.h"

int main(void)
{
    board_init();
    fw_init();
    for (;;)
        if (!fw_poll())
            board_wait();
}
