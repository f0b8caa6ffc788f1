/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "android/meters.h"

#include "android/scan.h"

#include <math.h>
#include <string.h>

#define TICK_MS 10

static struct ts_scan whole(const char *text)
{
    return ts_scan_of(text, strlen(text));
}

static bool next_line(struct ts_scan *text, struct ts_scan *line)
{
    if (text->at == text->end)
        return false;
    *line = ts_scan_word(text, "\n");
    ts_scan_char(text, '\n');
    return true;
}

static bool skip_to(struct ts_scan *text, const char *words)
{
    struct ts_scan before;
    return ts_scan_until(text, words, &before);
}

/* A number after spaces. */
static bool take_number(struct ts_scan *s, int64_t *value)
{
    ts_scan_spaces(s);
    return ts_scan_number(s, 18, value);
}

double ts_meters_read_pss_kb(const char *text)
{
    /* The summary's words of later versions first: the table's row is older than they. */
    static const char *const words[] = {"TOTAL PSS:", "TOTAL:", "TOTAL "};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        struct ts_scan rest = whole(text);
        int64_t kb;
        while (skip_to(&rest, words[i])) {
            struct ts_scan number = rest;
            if (take_number(&number, &kb))
                return (double)kb;
        }
    }
    return NAN;
}

double ts_meters_read_cpu_ms(const char *text, int *pid)
{
    struct ts_scan rest = whole(text);
    int64_t number, ticks[2];
    *pid = strstr(text, "No such file") ? 0 : -1;
    ts_scan_spaces(&rest);
    if (!ts_scan_number(&rest, 9, &number) || !ts_scan_past_last(&rest, ")"))
        return NAN;
    ts_scan_spaces(&rest);
    for (int field = 3; field < 14; field++) { /* the state is a letter, the group may be -1 */
        ts_scan_word(&rest, " \n");
        if (!ts_scan_char(&rest, ' '))
            return NAN;
    }
    if (!take_number(&rest, &ticks[0]) || !take_number(&rest, &ticks[1]))
        return NAN;
    *pid = (int)number;
    return (double)(ticks[0] + ticks[1]) * TICK_MS;
}

/* idx iface acct_tag_hex uid_tag_int cnt_set rx_bytes rx_packets tx_bytes ... */
static bool take_row(struct ts_scan line, int uid, int64_t *bytes)
{
    int64_t number, of, set, packets, received, sent;
    if (!take_number(&line, &number))
        return false;
    ts_scan_spaces(&line);
    ts_scan_word(&line, " "); /* interface */
    ts_scan_spaces(&line);
    if (!ts_scan_text(&line, "0x0 ")) /* what is tagged is counted without its tag too */
        return false;
    if (!take_number(&line, &of) || of != uid || !take_number(&line, &set) ||
        !take_number(&line, &received) || !take_number(&line, &packets) ||
        !take_number(&line, &sent))
        return false;
    *bytes = received + sent;
    return true;
}

double ts_meters_read_qtaguid(const char *text, int uid)
{
    struct ts_scan rest = whole(text), line;
    double sum = 0;
    int64_t bytes;
    if (!next_line(&rest, &line) || !ts_scan_text(&line, "idx iface"))
        return NAN;
    while (next_line(&rest, &line)) {
        if (take_row(line, uid, &bytes))
            sum += (double)bytes;
    }
    return sum;
}

/* "st=1 rb=2 rp=3 tb=4 tp=5 op=6" */
static double bucket(struct ts_scan line)
{
    struct ts_scan sent = line;
    int64_t bytes[2];
    if (!skip_to(&line, " rb=") || !take_number(&line, &bytes[0]) || !skip_to(&sent, " tb=") ||
        !take_number(&sent, &bytes[1]))
        return 0;
    return (double)bytes[0] + (double)bytes[1];
}

/* The last words of an ident line: a network's name before them may hold anything. What is tagged
 * is counted without its tag too. */
static bool is_of(struct ts_scan line, int uid)
{
    int64_t of;
    struct ts_scan tag = line;
    return ts_scan_past_last(&line, " uid=") && ts_scan_number(&line, 9, &of) && of == uid &&
           ts_scan_past_last(&tag, " tag=0x") && ts_scan_is(&tag, "0");
}

double ts_meters_read_netstats(const char *text, int uid)
{
    struct ts_scan rest = whole(text), line;
    bool ours = false, any = false;
    double sum = 0;
    while (next_line(&rest, &line)) {
        struct ts_scan search = line;
        any |= skip_to(&search, "UID stats:");
        search = line;
        if (skip_to(&search, "ident="))
            ours = is_of(search, uid);
        sum += ours ? bucket(line) : 0;
    }
    return any ? sum : NAN;
}
