# SPDX-License-Identifier: GPL-3.0-or-later
# Prints what an image takes of its chip and fails above the caps. RAM counts data and bss; the
# stack has what is left.
execute_process(COMMAND ${AVR_SIZE} ${ELF} OUTPUT_VARIABLE table COMMAND_ERROR_IS_FATAL ANY)
if(NOT table MATCHES "\n *([0-9]+)[ \t]+([0-9]+)[ \t]+([0-9]+)")
    message(FATAL_ERROR "cannot read the size of ${ELF}")
endif()
math(EXPR flash_used "${CMAKE_MATCH_1} + ${CMAKE_MATCH_2}")
math(EXPR ram_used "${CMAKE_MATCH_2} + ${CMAKE_MATCH_3}")
math(EXPR flash_percent "(100 * ${flash_used} + ${FLASH} - 1) / ${FLASH}")
math(EXPR ram_percent "(100 * ${ram_used} + ${RAM} - 1) / ${RAM}")
message("   ${NAME}: flash ${flash_used} of ${FLASH} (${flash_percent} %, cap ${FLASH_CAP} %), "
    "RAM ${ram_used} of ${RAM} (${ram_percent} %, cap ${RAM_CAP} %)")
if(flash_percent GREATER FLASH_CAP OR ram_percent GREATER RAM_CAP)
    message(FATAL_ERROR "the ${NAME} image is over its cap")
endif()
