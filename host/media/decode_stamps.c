/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "media/decode_input.h"

#include <stddef.h>
#include <string.h>

/* Packets come in the order of decoding; a picture is shown at most 16 later (H.264, HEVC). */
#define AHEAD 32

struct waiting {
    int64_t ns[AHEAD]; /* rising */
    size_t count;
};

static void insert(struct waiting *waiting, int64_t ns)
{
    size_t at = waiting->count++;
    for (; at > 0 && waiting->ns[at - 1] > ns; at--)
        waiting->ns[at] = waiting->ns[at - 1];
    waiting->ns[at] = ns;
}

static int64_t take_first(struct waiting *waiting)
{
    const int64_t first = waiting->ns[0];
    memmove(waiting->ns, waiting->ns + 1, --waiting->count * sizeof *waiting->ns);
    return first;
}

/* VP8 hides pictures that only others are made from: bit 4 of a frame's first byte (RFC 6386, 9.1)
 * says whether it is shown. In the other formats such pictures share a packet with one that is. */
static bool is_shown(const AVPacket *packet, enum AVCodecID codec)
{
    if (packet->flags & AV_PKT_FLAG_DISCARD) /* before the start, says an edit list */
        return false;
    return codec != AV_CODEC_ID_VP8 || packet->size < 1 || packet->data[0] >> 4 & 1;
}

int ts_decode_stamps(const char *path, bool (*take)(void *user, int64_t pts_ns), void *user,
                     struct ts_why *why)
{
    struct ts_decode_input input;
    int err = ts_decode_input_open(path, &input, why);
    if (err)
        return err;
    AVPacket *packet = av_packet_alloc();
    struct waiting waiting = {.count = 0};
    bool more = packet != NULL;
    while (more && av_read_frame(input.format, packet) >= 0) {
        const int64_t pts = packet->pts != AV_NOPTS_VALUE ? packet->pts : packet->dts;
        const bool ours = packet->stream_index == input.stream->index &&
                          is_shown(packet, input.codec->id) && pts != AV_NOPTS_VALUE;
        const int64_t ns = ours ? ts_decode_input_ns(&input, pts) : INT64_MIN;
        av_packet_unref(packet);
        if (ns == INT64_MIN)
            continue;
        if (waiting.count == AHEAD)
            more = take(user, take_first(&waiting));
        insert(&waiting, ns);
    }
    while (more && waiting.count > 0)
        more = take(user, take_first(&waiting));
    err = packet ? TS_OK : TS_ENOMEM;
    av_packet_free(&packet);
    ts_decode_input_close(&input);
    return err;
}
