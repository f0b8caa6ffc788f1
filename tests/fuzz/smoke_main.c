/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs a fuzz target without libFuzzer: every file of the corpus as it is, then mutations of them
 * from a fixed seed. Finds what a change broke in seconds, with any compiler. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MUTATIONS 400

static uint64_t state = 0x2545f4914f6cdd1du;

static uint32_t draw(uint32_t n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 32) % n;
}

static size_t mutate(uint8_t *data, size_t size)
{
    const uint32_t changes = 1 + draw(8);
    for (uint32_t i = 0; i < changes && size; i++) {
        const uint32_t at = draw((uint32_t)size);
        switch (draw(4)) {
        case 0:
            data[at] = (uint8_t)draw(256);
            break;
        case 1:
            data[at] ^= (uint8_t)(1u << draw(8));
            break;
        case 2:
            size = at;
            break;
        default:
            memmove(data + at, data + at + 1, size - at - 1);
            size--;
        }
    }
    return size;
}

static int run_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return -1;
    static uint8_t whole[1 << 20], copy[1 << 20];
    const size_t size = fread(whole, 1, sizeof whole, file);
    fclose(file);
    LLVMFuzzerTestOneInput(whole, size);
    for (int i = 0; i < MUTATIONS; i++) {
        memcpy(copy, whole, size);
        LLVMFuzzerTestOneInput(copy, mutate(copy, size));
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: %s CORPUS_FOLDER\n", argv[0]);
        return 2;
    }
    DIR *folder = opendir(argv[1]);
    if (!folder) {
        perror(argv[1]);
        return 2;
    }
    int files = 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (entry->d_name[0] == '.')
            continue;
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", argv[1], entry->d_name);
        if (run_file(path) == 0)
            files++;
    }
    closedir(folder);
    printf("%d inputs, %d mutations of each\n", files, MUTATIONS);
    return files > 0 ? 0 : 1;
}
