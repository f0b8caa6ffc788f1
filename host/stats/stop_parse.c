/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stats/stop.h"

#include "base/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER_MAX 32 /* characters */
#define LEAST      1e-6
#define MOST       1e6
#define SHARE_MOST 1000

struct reader {
    const char *text, *at, *end;
    struct ts_stop_rule *rule;
    struct ts_why *why;
    int depth;
};

static int expected(struct reader *reader, const char *what)
{
    char found[24] = "the end";
    size_t size = (size_t)(reader->end - reader->at);
    if (size) {
        size = size < 16 ? size : 16;
        found[0] = '"';
        for (size_t i = 0; i < size; i++)
            found[i + 1] = reader->at[i] < ' ' || reader->at[i] > '~' ? '?' : reader->at[i];
        memcpy(found + size + 1, "\"", 2);
    }
    return ts_fail(reader->why, TS_EPROTO, "stop rule, character %zu: %s was expected, not %s",
                   (size_t)(reader->at - reader->text) + 1, what, found);
}

static void skip_blanks(struct reader *reader)
{
    while (reader->at < reader->end && ts_is_one_of(*reader->at, " \t\r\n"))
        reader->at++;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* A whole word, or a mark of one character. */
static bool take(struct reader *reader, const char *word)
{
    skip_blanks(reader);
    const size_t size = strlen(word), left = (size_t)(reader->end - reader->at);
    if (left < size || memcmp(reader->at, word, size) != 0)
        return false;
    if (is_letter(*word) && left > size && is_letter(reader->at[size]))
        return false;
    reader->at += size;
    return true;
}

static int need(struct reader *reader, const char *mark, const char *what)
{
    return take(reader, mark) ? TS_OK : expected(reader, what);
}

static int take_number(struct reader *reader, const char *what, double *number)
{
    char text[NUMBER_MAX + 1], *end;
    size_t size = 0;
    skip_blanks(reader);
    while (reader->at + size < reader->end && size < NUMBER_MAX &&
           ts_is_one_of(reader->at[size], "0123456789.eE+-"))
        size++;
    memcpy(text, reader->at, size);
    text[size] = '\0';
    *number = strtod(text, &end);
    if (!size || *end || !(*number >= LEAST) || *number > MOST)
        return expected(reader, what);
    reader->at += size;
    return TS_OK;
}

static int take_launches(struct reader *reader, struct ts_stop_node *node)
{
    static const char what[] = "a whole number from 1 to 9999";
    const char *before = reader->at;
    double number;
    const int err = take_number(reader, what, &number);
    if (!err && (number > TS_STOP_LAUNCHES_MAX || floor(number) < number)) {
        reader->at = before;
        return expected(reader, what);
    }
    node->launches = err ? 0 : (int)number;
    return err;
}

static int take_share(struct reader *reader, struct ts_stop_node *node)
{
    int err = take_number(reader, "a share above 0, as 5%", &node->limit);
    if (!err && take(reader, "%"))
        node->limit /= 100;
    if (!err && node->limit > SHARE_MOST)
        err = ts_fail(reader->why, TS_EPROTO, "stop rule: a share above %d", SHARE_MOST);
    return err;
}

/* Gives the node's index. */
static int add(struct reader *reader, struct ts_stop_node node)
{
    struct ts_stop_rule *rule = reader->rule;
    if (rule->count >= TS_STOP_NODES_MAX)
        return ts_fail(reader->why, TS_EPROTO, "stop rule: more than %d tests and words",
                       TS_STOP_NODES_MAX);
    rule->nodes[rule->count] = node;
    return rule->count++;
}

static int take_rule(struct reader *reader);

/* (N) */
static int take_launches_test(struct reader *reader, struct ts_stop_node *node)
{
    int err = need(reader, "(", "(");
    if (!err)
        err = take_launches(reader, node);
    return err ? err : need(reader, ")", ")");
}

/* (X) */
static int take_minutes_test(struct reader *reader, struct ts_stop_node *node)
{
    int err = need(reader, "(", "(");
    if (!err)
        err = take_number(reader, "minutes above 0", &node->limit);
    return err ? err : need(reader, ")", ")");
}

/* [(median)] < P */
static int take_spread_test(struct reader *reader, struct ts_stop_node *node)
{
    if (node->kind == TS_STOP_WIDTH &&
        !(take(reader, "(") && take(reader, "median") && take(reader, ")")))
        return expected(reader, "(median)");
    const int err = need(reader, "<", "<");
    return err ? err : take_share(reader, node);
}

/* (N, P) or (N, rule) */
static int take_window_test(struct reader *reader, struct ts_stop_node *node)
{
    int err = need(reader, "(", "(");
    if (!err)
        err = take_launches(reader, node);
    if (!err)
        err = need(reader, ",", "a comma");
    if (!err && node->kind == TS_STOP_STABLE)
        err = take_share(reader, node);
    else if (!err)
        err = node->left = take_rule(reader);
    return err < 0 ? err : need(reader, ")", ")");
}

static int take_test(struct reader *reader)
{
    static const struct {
        const char *word;
        enum ts_stop_kind kind;
        int (*take)(struct reader *reader, struct ts_stop_node *node);
    } tests[] = {
        {"launches", TS_STOP_LAUNCHES, take_launches_test},
        {"minutes", TS_STOP_MINUTES, take_minutes_test},
        {"variation", TS_STOP_VARIATION, take_spread_test},
        {"width", TS_STOP_WIDTH, take_spread_test},
        {"stable", TS_STOP_STABLE, take_window_test},
        {"last", TS_STOP_LAST, take_window_test},
    };
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
        if (!take(reader, tests[i].word))
            continue;
        struct ts_stop_node node = {.kind = tests[i].kind};
        const int err = tests[i].take(reader, &node);
        return err < 0 ? err : add(reader, node);
    }
    return expected(reader, "launches, minutes, variation, width, stable, last, not or (");
}

static int take_one(struct reader *reader)
{
    if (reader->depth >= TS_STOP_DEPTH_MAX)
        return ts_fail(reader->why, TS_EPROTO, "stop rule: brackets more than %d deep",
                       TS_STOP_DEPTH_MAX);
    reader->depth++;
    int index;
    if (take(reader, "not")) {
        index = take_one(reader);
        if (index >= 0)
            index = add(reader, (struct ts_stop_node){.kind = TS_STOP_NOT, .left = index});
    } else if (take(reader, "(")) {
        index = take_rule(reader);
        const int err = index < 0 ? index : need(reader, ")", ")");
        index = err ? err : index;
    } else {
        index = take_test(reader);
    }
    reader->depth--;
    return index;
}

static int take_both(struct reader *reader)
{
    int left = take_one(reader);
    while (left >= 0 && take(reader, "and")) {
        const int right = take_one(reader);
        left = right < 0
                   ? right
                   : add(reader,
                         (struct ts_stop_node){.kind = TS_STOP_AND, .left = left, .right = right});
    }
    return left;
}

static int take_rule(struct reader *reader)
{
    int left = take_both(reader);
    while (left >= 0 && take(reader, "or")) {
        const int right = take_both(reader);
        left = right < 0
                   ? right
                   : add(reader,
                         (struct ts_stop_node){.kind = TS_STOP_OR, .left = left, .right = right});
    }
    return left;
}

int ts_stop_parse(const char *text, size_t size, struct ts_stop_rule *out, struct ts_why *why)
{
    struct reader reader = {text, text, text + size, out, why, 0};
    *out = (struct ts_stop_rule){.count = 0};
    const int root = take_rule(&reader);
    if (root < 0)
        return root;
    skip_blanks(&reader);
    return reader.at < reader.end ? expected(&reader, "and, or, or the end") : TS_OK;
}

/* Text that may not fit: what does not is counted all the same. */
struct printer {
    char *text;
    size_t size, used;
};

static void print(struct printer *printer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void print(struct printer *printer, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const size_t room = printer->used < printer->size ? printer->size - printer->used : 0;
    const int size = vsnprintf(room ? printer->text + printer->used : NULL, room, format, args);
    printer->used += size > 0 ? (size_t)size : 0;
    va_end(args);
}

static void print_node(const struct ts_stop_rule *rule, int index, struct printer *printer)
{
    const struct ts_stop_node *node = &rule->nodes[index];
    const enum ts_stop_kind left = rule->nodes[node->left].kind;
    switch (node->kind) {
    case TS_STOP_OR:
    case TS_STOP_AND: {
        const enum ts_stop_kind kinds[] = {left, rule->nodes[node->right].kind};
        for (int side = 0; side < 2; side++) {
            const bool bracket = kinds[side] < node->kind || (side && kinds[side] == node->kind);
            print(printer, "%s%s", side ? node->kind == TS_STOP_AND ? " and " : " or " : "",
                  bracket ? "(" : "");
            print_node(rule, side ? node->right : node->left, printer);
            print(printer, "%s", bracket ? ")" : "");
        }
        break;
    }
    case TS_STOP_NOT:
        print(printer, left <= TS_STOP_AND ? "not (" : "not ");
        print_node(rule, node->left, printer);
        print(printer, left <= TS_STOP_AND ? ")" : "");
        break;
    case TS_STOP_LAST:
        print(printer, "last(%d, ", node->launches);
        print_node(rule, node->left, printer);
        print(printer, ")");
        break;
    case TS_STOP_LAUNCHES:
        print(printer, "launches(%d)", node->launches);
        break;
    case TS_STOP_MINUTES:
        print(printer, "minutes(%.9g)", node->limit);
        break;
    case TS_STOP_VARIATION:
        print(printer, "variation < %.9g%%", 100 * node->limit);
        break;
    case TS_STOP_WIDTH:
        print(printer, "width(median) < %.9g%%", 100 * node->limit);
        break;
    case TS_STOP_STABLE:
        print(printer, "stable(%d, %.9g%%)", node->launches, 100 * node->limit);
        break;
    }
}

size_t ts_stop_print(const struct ts_stop_rule *rule, char *text, size_t size)
{
    struct printer printer = {text, size, 0};
    if (size)
        *text = '\0';
    if (rule->count > 0)
        print_node(rule, rule->count - 1, &printer);
    return printer.used;
}
