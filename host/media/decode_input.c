/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "media/decode_input.h"

#include <libavutil/avstring.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* What phones, screen recorders, cameras and video tools write. libav knows some hundred more,
 * many of them hardly tried against damaged files; and playlists, which open other files. */
#define DEMUXERS "mov,matroska,avi,nut,yuv4mpegpipe,gif,apng,mpegts,flv,asf,ogg,ivf"
#define DECODERS                                                                                   \
    "rawvideo,ffv1,ffvhuff,huffyuv,utvideo,magicyuv,flashsv,flashsv2,zmbv,tscc,cscd,png,apng,gif," \
    "qtrle,mjpeg,prores,dnxhd,v210,dvvideo,h264,hevc,vp8,vp9,libdav1d,mpeg4,msmpeg4,msmpeg4v2,"    \
    "mpeg1video,mpeg2video,wmv2,wmv3,vc1,flv,h263,theora"
#define KINDS_TEXT "mp4, mov, mkv, webm, avi, nut, y4m, gif"

#define PTS_MOST 4000000000000000000 /* ns: differences fit */

int ts_decode_fail(struct ts_why *why, int err, const char *what, int av)
{
    char text[AV_ERROR_MAX_STRING_SIZE] = "";
    av_strerror(av, text, sizeof text);
    return ts_fail(why, err, "%s: %s", what, text);
}

int64_t ts_decode_input_ns(const struct ts_decode_input *input, int64_t pts)
{
    const int64_t ns = av_rescale_q(pts, input->stream->time_base, (AVRational){1, 1000000000});
    return ns > PTS_MOST || ns < -PTS_MOST ? INT64_MIN : ns;
}

/* Finding out what the streams are decodes some frames of each, by decoders that take their
 * limits from here. */
static int find_streams(AVFormatContext *format)
{
    const unsigned count = format->nb_streams;
    AVDictionary **limits = calloc(count + 1, sizeof(AVDictionary *));
    if (!limits)
        return AVERROR(ENOMEM);
    for (unsigned i = 0; i < count; i++)
        av_dict_set_int(&limits[i], "max_pixels", TS_DECODE_PIXELS_MAX, 0);
    const int av = avformat_find_stream_info(format, limits);
    for (unsigned i = 0; i < count; i++)
        av_dict_free(&limits[i]);
    free(limits);
    return av;
}

static int choose_stream(const char *path, struct ts_decode_input *input, struct ts_why *why)
{
    AVFormatContext *format = input->format;
    const int chosen = av_find_best_stream(format, AVMEDIA_TYPE_VIDEO, -1, -1, NULL, 0);
    if (chosen < 0 || format->streams[chosen]->disposition & AV_DISPOSITION_ATTACHED_PIC)
        return ts_fail(why, TS_EPROTO, "%s: there is no film in this file, or it is cut off", path);
    for (unsigned i = 0; i < format->nb_streams; i++)
        format->streams[i]->discard = (int)i == chosen ? AVDISCARD_DEFAULT : AVDISCARD_ALL;
    input->stream = format->streams[chosen];
    const enum AVCodecID id = input->stream->codecpar->codec_id;
    input->codec = avcodec_find_decoder(id);
    if (!input->codec || av_match_list(input->codec->name, DECODERS, ',') <= 0)
        return ts_fail(why, TS_ENOTSUP,
                       "%s: films coded as %s are not read here: convert it, for example with "
                       "ffmpeg -i FILM -c:v ffv1 NEW.mkv",
                       path, avcodec_get_name(id));
    return TS_OK;
}

static int refuse(const char *path, int av, struct ts_why *why)
{
    /* libav says EINVAL of what is not on the list. */
    if (av == AVERROR(EINVAL))
        return ts_fail(why, TS_ENOTSUP, "%s: no film of a kind that is read here (%s)", path,
                       KINDS_TEXT);
    if (av == AVERROR_INVALIDDATA || av == AVERROR_EOF)
        return ts_fail(why, TS_EPROTO, "%s: no film (%s), or one that is cut off or damaged", path,
                       KINDS_TEXT);
    return ts_decode_fail(why, TS_EIO, path, av);
}

static int open_format(const char *path, struct ts_decode_input *input, struct ts_why *why)
{
    char address[4096 + 8];
    /* So that a name with a colon is a name, not a protocol. */
    const int size =
        snprintf(address, sizeof address, "file:%s", strcmp(path, "-") ? path : "/dev/stdin");
    struct stat about;
    if (size < 0 || (size_t)size >= sizeof address)
        return ts_fail(why, TS_EIO, "%s: %s", path, strerror(ENAMETOOLONG));
    if (stat(address + 5, &about))
        return ts_fail(why, TS_EIO, "%s: %s", path, strerror(errno));
    if (S_ISDIR(about.st_mode))
        return ts_fail(why, TS_EIO, "%s: this is a folder: give one film", path);
    input->once = !S_ISREG(about.st_mode);
    AVDictionary *limits = NULL;
    av_dict_set(&limits, "format_whitelist", DEMUXERS, 0);
    av_dict_set(&limits, "codec_whitelist", DECODERS, 0);
    av_dict_set(&limits, "protocol_whitelist", "file", 0);
    int av = avformat_open_input(&input->format, address, NULL, &limits);
    av_dict_free(&limits);
    if (av >= 0)
        av = find_streams(input->format);
    return av < 0 ? refuse(path, av, why) : TS_OK;
}

int ts_decode_input_open(const char *path, struct ts_decode_input *input, struct ts_why *why)
{
    av_log_set_level(AV_LOG_QUIET); /* every error comes back as a code and is told once */
    *input = (struct ts_decode_input){0};
    int err = open_format(path, input, why);
    if (!err)
        err = choose_stream(path, input, why);
    if (err)
        ts_decode_input_close(input);
    return err;
}

void ts_decode_input_close(struct ts_decode_input *input)
{
    avformat_close_input(&input->format);
    *input = (struct ts_decode_input){0};
}

int ts_decode_input_codec(const struct ts_decode_input *input, AVCodecContext **out,
                          struct ts_why *why)
{
    AVCodecContext *codec = avcodec_alloc_context3(input->codec);
    if (!codec)
        return TS_ENOMEM;
    codec->max_pixels = TS_DECODE_PIXELS_MAX;
    codec->pkt_timebase = input->stream->time_base;
    codec->thread_count = 0; /* as many as there are processors */
    codec->thread_type = FF_THREAD_FRAME | FF_THREAD_SLICE;
    int av = avcodec_parameters_to_context(codec, input->stream->codecpar);
    if (av >= 0)
        av = avcodec_open2(codec, input->codec, NULL);
    if (av < 0) {
        avcodec_free_context(&codec);
        return ts_decode_fail(why, TS_EPROTO, "the film cannot be decoded", av);
    }
    *out = codec;
    return TS_OK;
}
