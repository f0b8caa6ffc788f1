# SPDX-License-Identifier: GPL-3.0-or-later
# The outside libraries, each found once. `./dev setup` installs them.
find_package(PkgConfig REQUIRED)
pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson)
pkg_check_modules(CYAML REQUIRED IMPORTED_TARGET libcyaml)
pkg_check_modules(SQLITE REQUIRED IMPORTED_TARGET sqlite3)
pkg_check_modules(POSTGRES REQUIRED IMPORTED_TARGET libpq)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(LIBARCHIVE REQUIRED IMPORTED_TARGET libarchive) # bundles
pkg_check_modules(LIBAV REQUIRED IMPORTED_TARGET libavformat libavcodec libavutil)
pkg_check_modules(LIBAVFILTER REQUIRED IMPORTED_TARGET libavfilter) # a rival in ./dev perf
pkg_check_modules(MICROHTTPD REQUIRED IMPORTED_TARGET libmicrohttpd)
pkg_check_modules(CMOCKA REQUIRED IMPORTED_TARGET cmocka)
pkg_check_modules(SIMAVR REQUIRED IMPORTED_TARGET simavr)
find_library(ELF_LIBRARY elf REQUIRED)
# Debian's opencv4.pc names modules that are not installed, so the libraries are named here.
find_library(OPENCV_CORE_LIBRARY opencv_core REQUIRED)
find_library(OPENCV_IMGPROC_LIBRARY opencv_imgproc REQUIRED)
find_program(AVR_CC avr-gcc REQUIRED)
find_program(AVR_SIZE avr-size REQUIRED)
# Live devices.
pkg_check_modules(SERIALPORT REQUIRED IMPORTED_TARGET libserialport)
pkg_check_modules(LIBJPEG REQUIRED IMPORTED_TARGET libjpeg) # cameras that send MJPEG
pkg_check_modules(LIBUSB REQUIRED IMPORTED_TARGET libusb-1.0)
pkg_check_modules(UMOCKDEV REQUIRED IMPORTED_TARGET umockdev-1.0) # tests: devices without hardware
find_package(Threads REQUIRED)
