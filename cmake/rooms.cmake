# SPDX-License-Identifier: GPL-3.0-or-later
# A room is a folder, a static library, and a fence: a source of the room finds the headers of the
# rooms it USES and of no other, because each room's headers are reached through a folder of links
# of their own (build/include/ROOM/ROOM -> the room). So `#include "vision/blocks.h"` compiles only
# in a room that says USES vision. tests/house/ shows that the fence holds.

set(TS_WARNINGS -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes
    -Wvla -Werror)

function(ts_compile_rules target)
    target_compile_options(${target} PRIVATE ${TS_WARNINGS} -fno-strict-aliasing
        -ffp-contract=off -ffile-prefix-map=${CMAKE_SOURCE_DIR}/=)
    target_compile_definitions(${target} PRIVATE _POSIX_C_SOURCE=200809L)
    if(TS_SANITIZE)
        target_compile_options(${target} PRIVATE -fsanitize=${TS_SANITIZE}
            -fno-sanitize-recover=all -fno-omit-frame-pointer)
        target_link_options(${target} PUBLIC -fsanitize=${TS_SANITIZE})
    endif()
    if(TS_FUZZ)
        target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
    endif()
endfunction()

# The folder through which ROOM's headers are seen.
function(ts_room_view room folder)
    file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/include/${room})
    get_filename_component(parent ${CMAKE_BINARY_DIR}/include/${room}/${room} DIRECTORY)
    file(MAKE_DIRECTORY ${parent})
    file(CREATE_LINK ${folder} ${CMAKE_BINARY_DIR}/include/${room}/${room} SYMBOLIC)
endfunction()

# Let TARGET include and link ROOMs.
function(ts_use target)
    foreach(room ${ARGN})
        target_include_directories(${target} PRIVATE ${CMAKE_BINARY_DIR}/include/${room})
        target_link_libraries(${target} PRIVATE ts_${room})
    endforeach()
endfunction()

# ts_room(NAME [PURE] FOLDER dir SOURCES ... USES rooms... LIBRARIES libs...)
# PURE rooms are checked for undefined symbols by tests/house/.
function(ts_room name)
    cmake_parse_arguments(ROOM "PURE" "FOLDER" "SOURCES;USES;LIBRARIES" ${ARGN})
    if(NOT ROOM_FOLDER)
        set(ROOM_FOLDER ${CMAKE_CURRENT_SOURCE_DIR}/${name})
    endif()
    ts_room_view(${name} ${ROOM_FOLDER})
    list(TRANSFORM ROOM_SOURCES PREPEND ${ROOM_FOLDER}/)
    add_library(ts_${name} STATIC ${ROOM_SOURCES})
    ts_compile_rules(ts_${name})
    target_include_directories(ts_${name} PRIVATE ${CMAKE_BINARY_DIR}/include/${name})
    ts_use(ts_${name} ${ROOM_USES})
    target_link_libraries(ts_${name} PRIVATE ${ROOM_LIBRARIES})
    if(ROOM_PURE)
        set_property(GLOBAL APPEND PROPERTY TS_PURE_ROOMS ts_${name})
    endif()
endfunction()

add_custom_target(live_tests) # what ThreadSanitizer looks at, and nothing else

# ts_test(NAME LABEL unit|bench|live|fuzz-smoke SOURCES ... USES rooms... LIBRARIES libs...)
# A cmocka program, run by CTest under NAME.
function(ts_test name)
    cmake_parse_arguments(TEST "" "LABEL;TIMEOUT" "SOURCES;USES;LIBRARIES" ${ARGN})
    add_executable(test_${name} ${TEST_SOURCES})
    set_target_properties(test_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
    ts_compile_rules(test_${name})
    ts_use(test_${name} ${TEST_USES})
    target_link_libraries(test_${name} PRIVATE ${TEST_LIBRARIES} PkgConfig::CMOCKA m)
    target_compile_definitions(test_${name} PRIVATE TS_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
        TS_BIN_DIR="${CMAKE_BINARY_DIR}/bin" TS_BUILD_DIR="${CMAKE_BINARY_DIR}")
    if(NOT TEST_TIMEOUT)
        set(TEST_TIMEOUT 120)
    endif()
    if(TEST_LABEL STREQUAL live)
        add_dependencies(live_tests test_${name})
    endif()
    if(NOT TS_FUZZ)
        add_test(NAME ${name} COMMAND test_${name})
        set_tests_properties(${name} PROPERTIES LABELS "${TEST_LABEL}" TIMEOUT ${TEST_TIMEOUT}
            ENVIRONMENT "UBSAN_OPTIONS=print_stacktrace=1")
    endif()
endfunction()

add_custom_target(fuzzers) # all of them, and nothing else

# ts_fuzz(NAME SOURCES fuzz_x.c CORPUS dir USES rooms...)
# One file with LLVMFuzzerTestOneInput serves twice: with clang as a libFuzzer program, and
# everywhere as a replayer of its corpus (with mutations from a fixed seed), label fuzz-smoke.
function(ts_fuzz name)
    cmake_parse_arguments(FUZZ "" "CORPUS" "SOURCES;USES;LIBRARIES" ${ARGN})
    if(TS_FUZZ)
        add_executable(fuzz_${name} ${FUZZ_SOURCES})
        target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
    else()
        add_executable(fuzz_${name} ${FUZZ_SOURCES} ${CMAKE_SOURCE_DIR}/tests/fuzz/smoke_main.c)
    endif()
    add_dependencies(fuzzers fuzz_${name})
    set_target_properties(fuzz_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/fuzz)
    ts_compile_rules(fuzz_${name})
    ts_use(fuzz_${name} ${FUZZ_USES})
    target_link_libraries(fuzz_${name} PRIVATE ${FUZZ_LIBRARIES} m)
    if(NOT TS_FUZZ)
        add_test(NAME fuzz_${name} COMMAND fuzz_${name} ${FUZZ_CORPUS})
        set_tests_properties(fuzz_${name} PROPERTIES LABELS fuzz-smoke TIMEOUT 180)
    endif()
endfunction()
