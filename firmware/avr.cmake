# SPDX-License-Identifier: GPL-3.0-or-later
# One cross-compiled image per board, and its size against the caps.

set(TS_FIRMWARE_DIR ${CMAKE_CURRENT_LIST_DIR})
set(TS_AVR_FLAGS -std=gnu11 -Os -flto -DF_CPU=16000000UL -DFW_BUILD="${PROJECT_VERSION}"
    -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes -ffunction-sections
    -fdata-sections -Wl,--gc-sections -fno-jump-tables -mcall-prologues)

# ts_firmware(BOARD MCU flash-bytes ram-bytes flash-cap-% ram-cap-%)
function(ts_firmware board mcu flash ram flash_cap ram_cap)
    set(elf ${CMAKE_BINARY_DIR}/firmware/touchstone-${board}.elf)
    file(GLOB sources CONFIGURE_DEPENDS ${TS_FIRMWARE_DIR}/wire/*.c ${TS_FIRMWARE_DIR}/core/*.c
        ${TS_FIRMWARE_DIR}/board/avr/*.c)
    file(GLOB headers CONFIGURE_DEPENDS ${TS_FIRMWARE_DIR}/wire/*.h ${TS_FIRMWARE_DIR}/core/*.h
        ${TS_FIRMWARE_DIR}/board/*.h ${TS_FIRMWARE_DIR}/board/${board}/*.h)
    add_custom_command(OUTPUT ${elf}
        COMMAND ${AVR_CC} ${TS_AVR_FLAGS} -mmcu=${mcu} -I${TS_FIRMWARE_DIR}
            -I${TS_FIRMWARE_DIR}/board/${board} ${sources} -o ${elf}.new
        COMMAND ${CMAKE_COMMAND} -DAVR_SIZE=${AVR_SIZE} -DELF=${elf}.new -DNAME=${board}
            -DFLASH=${flash} -DRAM=${ram} -DFLASH_CAP=${flash_cap} -DRAM_CAP=${ram_cap}
            -P ${TS_FIRMWARE_DIR}/size.cmake
        COMMAND ${CMAKE_COMMAND} -E rename ${elf}.new ${elf}
        DEPENDS ${sources} ${headers} ${TS_FIRMWARE_DIR}/size.cmake
        COMMENT "Firmware for ${board}" VERBATIM)
    add_custom_target(firmware_${board} ALL DEPENDS ${elf})
endfunction()
