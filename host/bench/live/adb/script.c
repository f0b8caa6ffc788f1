/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "live_adb/script.h"

#include <stdio.h>
#include <stdbool.h>
#include <string.h>

#define WAIT_MOST_NS (200 * TS_NS_PER_MS) /* for a step of /proc/uptime; it comes every 10 ms */

int ts_adb_script_real(struct ts_buf *out, unsigned number)
{
    return ts_buf_printf(out, "echo \"@@%u $EPOCHREALTIME\"\n", number);
}

int ts_adb_script_up(struct ts_buf *out, unsigned number)
{
    return ts_buf_printf(out,
                         "f=$EPOCHREALTIME; read o x </proc/uptime; u=$o; "
                         "while [ \"$u\" = \"$o\" ]; do read u x </proc/uptime; done; "
                         "echo \"@@%u $f $EPOCHREALTIME $u\"\n",
                         number);
}

int ts_adb_script_ending(struct ts_buf *out, unsigned number)
{
    /* The line end in front: the output need not end with one. */
    return ts_buf_printf(out, "; r=$?; echo; echo \"@@%u $r\"", number);
}

int ts_adb_script_command(struct ts_buf *out, unsigned number, const char *quoted)
{
    int err = ts_buf_printf(out, "%s 2>&1 </dev/null", quoted);
    if (!err)
        err = ts_adb_script_ending(out, number);
    return err ? err : ts_buf_append(out, "\n", 1);
}

size_t ts_adb_script_answer(const uint8_t *data, size_t size, unsigned number,
                            struct ts_adb_answer *answer)
{
    char mark[24];
    const size_t mark_size = (size_t)snprintf(mark, sizeof mark, "@@%u ", number);
    *answer = (struct ts_adb_answer){0};
    const uint8_t *end = data + size, *at = data;
    while ((size_t)(end - at) >= mark_size) {
        const uint8_t *stop = memchr(at, '\n', (size_t)(end - at));
        if (!stop)
            return 0;
        if ((size_t)(stop - at) >= mark_size && memcmp(at, mark, mark_size) == 0) {
            answer->body_size = at > data ? (size_t)(at - data) - 1 : 0;
            answer->words = (const char *)at + mark_size;
            answer->words_size = (size_t)(stop - at) - mark_size;
            return (size_t)(stop - data) + 1;
        }
        at = stop + 1;
    }
    return 0;
}

/* The answer's words, terminated; what is too long for them has none. */
static const char *copy_words(const struct ts_adb_answer *answer, char *out, size_t size)
{
    size_t kept = answer->words_size < size ? answer->words_size : 0;
    while (kept && (answer->words[kept - 1] == '\r' || answer->words[kept - 1] == ' '))
        kept--;
    memcpy(out, answer->words, kept);
    out[kept] = '\0';
    return out;
}

/* At most `digits` digits, without a sign; how many, 0 for none or more. */
static int take_digits(const char **at, int digits, int64_t *value)
{
    int count = 0;
    for (*value = 0; **at >= '0' && **at <= '9' && count <= digits; (*at)++, count++)
        *value = *value * 10 + (**at - '0');
    return count > digits ? 0 : count;
}

int ts_adb_script_read_exit(const struct ts_adb_answer *answer, int *exit_code)
{
    char words[16];
    int64_t value;
    const char *at = copy_words(answer, words, sizeof words);
    if (!take_digits(&at, 3, &value) || *at || value > 255)
        return TS_EPROTO;
    *exit_code = (int)value;
    return TS_OK;
}

/* "SECONDS.FRACTION", and the blank behind it. */
static bool take_time(const char **at, int64_t *ns)
{
    int64_t seconds, fraction;
    if (!take_digits(at, 10, &seconds) || *(*at)++ != '.')
        return false;
    int digits = take_digits(at, 9, &fraction);
    if (!digits || seconds >= INT64_MAX / TS_NS_PER_S)
        return false;
    for (; digits < 9; digits++)
        fraction *= 10;
    *ns = seconds * TS_NS_PER_S + fraction;
    *at += **at == ' ';
    return true;
}

int ts_adb_script_read_real(const struct ts_adb_answer *answer, struct ts_item_clock *clock)
{
    char words[64];
    int64_t ns;
    const char *at = copy_words(answer, words, sizeof words);
    if (!take_time(&at, &ns) || *at)
        return TS_EPROTO;
    clock->t2 = clock->t3 = ns;
    return TS_OK;
}

int ts_adb_script_read_up(const struct ts_adb_answer *answer, struct ts_item_clock *clock)
{
    char words[96];
    int64_t from_ns, to_ns, up_ns;
    const char *at = copy_words(answer, words, sizeof words);
    if (!take_time(&at, &from_ns) || !take_time(&at, &to_ns) || !take_time(&at, &up_ns) || *at)
        return TS_EPROTO;
    if (to_ns < from_ns || to_ns - from_ns > WAIT_MOST_NS)
        return TS_ETIMEOUT; /* somebody set the clock, or the phone was busy elsewhere */
    clock->t1.ns += to_ns - from_ns;
    clock->t2 = clock->t3 = up_ns;
    return TS_OK;
}

int ts_adb_script_read_slept(const char *text, int64_t *slept_ns)
{
    int64_t up_ms, real_ms;
    const char *at = strstr(text, "Uptime: ");
    if (!at)
        return TS_EPROTO;
    at += strlen("Uptime: ");
    if (!take_digits(&at, 12, &up_ms) || strncmp(at, " Realtime: ", 11) != 0)
        return TS_EPROTO;
    at += 11;
    if (!take_digits(&at, 12, &real_ms) || real_ms < up_ms)
        return TS_EPROTO;
    *slept_ns = (real_ms - up_ms) * TS_NS_PER_MS;
    return TS_OK;
}
