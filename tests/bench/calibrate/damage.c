/* SPDX-License-Identifier: GPL-3.0-or-later */
/* damage FILE...: spoils every byte of calibration files, one at a time. Each time the file must be
 * refused, or say exactly what it said before (a blank for a line end changes nothing). */
#include "store/files.h"
#include "store/record_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const unsigned char flips[] = {0x01, 0x02, 0x10, 0x20, 0x80, 0xff};

/* Printed again: the same bytes mean the same values. */
static int means(const char *text, size_t size, struct ts_buf *printed, struct ts_why *why)
{
    struct ts_record record;
    *printed = (struct ts_buf){0};
    const int err = ts_record_parse(text, size, &record, why);
    return err ? err : ts_record_print(&record, printed);
}

static bool same(const struct ts_buf *a, const struct ts_buf *b)
{
    return a->size == b->size && memcmp(a->data, b->data, a->size) == 0;
}

static int damage(const char *path)
{
    struct ts_buf bytes = {0}, whole, spoilt;
    struct ts_why why = {""};
    int refused = 0, harmless = 0, believed = 0;
    if (ts_file_read(path, 1 << 20, &bytes, &why) ||
        means((const char *)bytes.data, bytes.size - 1, &whole, &why)) {
        fprintf(stderr, "damage: %s: %s\n", path, why.text);
        return 1;
    }
    for (size_t at = 0; at + 1 < bytes.size; at++) {
        for (size_t i = 0; i < sizeof flips; i++) {
            bytes.data[at] ^= flips[i];
            struct ts_why reason = {""};
            const int err = means((const char *)bytes.data, bytes.size - 1, &spoilt, &reason);
            bytes.data[at] ^= flips[i];
            refused += err == TS_EPROTO && *reason.text;
            harmless += !err && same(&whole, &spoilt);
            if (err ? !*reason.text : !same(&whole, &spoilt)) {
                printf("%s: byte %zu (%c) ^ %02x is believed\n", path, at, bytes.data[at],
                       flips[i]);
                believed++;
            }
            ts_buf_free(&spoilt);
        }
    }
    printf("%s: %zu bytes, %d refused, %d without effect, %d believed\n", path, bytes.size - 1,
           refused, harmless, believed);
    ts_buf_free(&whole);
    ts_buf_free(&bytes);
    return believed > 0;
}

int main(int argc, char **argv)
{
    int failures = argc < 2;
    for (int i = 1; i < argc; i++)
        failures += damage(argv[i]);
    return failures != 0;
}
