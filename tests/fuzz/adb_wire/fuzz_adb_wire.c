/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as the adb server's answers: statuses, blocks, device lists, the open shell's answers,
 * and a log that is taken up again in the middle. */
#include "live_adb/resume.h"
#include "live_adb/script.h"
#include "live_adb/wire.h"
#include "live_adb/words.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void read_words(const uint8_t *data, size_t size)
{
    struct ts_adb_text text;
    struct ts_adb_device devices[4];
    int taken = ts_adb_read_status(data, size, &text);
    require(taken <= (int)size);
    require(taken <= 0 || text.size <= size);
    taken = ts_adb_read_block(data, size, &text);
    require(taken <= (int)size);
    require(taken <= 0 || text.size == (size_t)taken - 4);
    text = (struct ts_adb_text){(const char *)data, size};
    const size_t count = ts_adb_read_devices(text, devices, 4);
    for (size_t i = 0; i < count && i < 4; i++)
        require(*devices[i].serial && memchr(devices[i].model, '\0', sizeof devices[i].model));
    ts_adb_has_feature(text, "shell_v2");
}

static void read_answers(const uint8_t *data, size_t size)
{
    struct ts_adb_answer answer;
    struct ts_item_clock clock = {0};
    int code;
    const size_t taken = ts_adb_script_answer(data, size, 1, &answer);
    require(taken <= size);
    if (!taken)
        return;
    require(answer.body_size < taken && answer.words_size < taken);
    if (ts_adb_script_read_exit(&answer, &code) == TS_OK)
        require(code >= 0 && code <= 255);
    if (ts_adb_script_read_real(&answer, &clock) == TS_OK)
        require(clock.t2 >= 0 && clock.t2 == clock.t3);
    if (ts_adb_script_read_up(&answer, &clock) == TS_OK)
        require(clock.t1.ns >= 0);
}

/* Whatever comes, and comes again after a break. */
static void take_up(const char *text, size_t size)
{
    struct ts_adb_resume resume = {0};
    for (int pass = 0; pass < 2; pass++) {
        for (size_t at = 0; at < size;) {
            const char *end = memchr(text + at, '\n', size - at);
            const size_t length = (end ? (size_t)(end - text) : size) - at;
            const int result = ts_adb_resume_line(&resume, text + at, length);
            require(result >= 0);
            at += length + 1;
        }
        char from[48];
        ts_adb_resume_from(&resume, from, sizeof from);
        require(!strpbrk(from, "'\n"));
        ts_adb_resume_break(&resume);
    }
    ts_adb_resume_free(&resume);
}

static void quote(const char *text)
{
    struct ts_buf out = {0};
    if (ts_adb_quote(text, &out, NULL) == TS_OK)
        require(out.size && !memchr(out.data, '\n', out.size));
    else
        require(!out.size);
    ts_buf_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* Copies of the exact size, so that a sanitizer sees the first byte read too many. */
    uint8_t *copy = malloc(size + !size), *text = malloc(size + 1);
    if (copy && text) {
        int64_t slept_ns;
        memcpy(copy, data, size);
        memcpy(text, data, size);
        text[size] = '\0';
        read_words(copy, size);
        read_answers(copy, size);
        take_up((const char *)copy, size);
        quote((const char *)text);
        if (ts_adb_script_read_slept((const char *)text, &slept_ns) == TS_OK)
            require(slept_ns >= 0);
    }
    free(copy);
    free(text);
    return 0;
}
