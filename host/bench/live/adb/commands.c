/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shell commands, one after the other. Each has a connection of its own, so that its output and its
 * end are beyond doubt; only those that take no time go through the open shell. */
#include "live_adb/inside.h"
#include "live_adb/words.h"

#define MARK 1 /* number of the ending where the exit code does not come by itself */

static void finish(struct ts_phone *phone, int status, int exit_code, const char *text)
{
    ts_adb_channel_close(&phone->command);
    phone->running = false;
    ts_phone_done(phone, ts_phone_pop(&phone->commands), status, exit_code, text);
}

/* The output, terminated; what is behind `size` is cut off. */
static const char *output(struct ts_phone *phone, size_t size)
{
    struct ts_buf *text = &phone->command.text;
    text->size = size;
    return ts_buf_append(text, "", 1) ? NULL : (const char *)text->data;
}

static void finish_with_output(struct ts_phone *phone, int exit_code, size_t size)
{
    const char *text = output(phone, size);
    const struct ts_adb_channel done = phone->command; /* the text outlives the channel */
    if (!text) {
        finish(phone, TS_ENOMEM, 0, "");
        return;
    }
    phone->command.text = (struct ts_buf){0};
    finish(phone, TS_OK, exit_code, text);
    struct ts_buf owned = done.text;
    ts_buf_free(&owned);
}

static void begin(struct ts_phone *phone, int64_t now_ns)
{
    const struct ts_phone_request *request = phone->commands.first;
    phone->command_since_ns = now_ns;
    if (ts_adb_is_cheap(request->shell) && ts_phone_shell_is_free(phone)) {
        phone->running = true;
        ts_phone_shell_run(phone);
        return;
    }
    struct ts_buf command = {0};
    int err = ts_buf_printf(&command, "%s", request->shell);
    if (!err && phone->mode != TS_ADB_SHELL_V2) {
        err = ts_buf_printf(&command, " </dev/null");
        if (!err)
            err = ts_adb_script_ending(&command, MARK);
    }
    if (!err)
        err = ts_buf_append(&command, "", 1);
    if (err) {
        finish(phone, TS_ENOMEM, 0, "");
    } else {
        ts_adb_channel_open(&phone->command, &phone->server.address, phone->serial, phone->mode,
                            (const char *)command.data);
        phone->running = true;
        phone->input_ended = phone->mode != TS_ADB_SHELL_V2;
    }
    ts_buf_free(&command);
}

static void end_of_old_shell(struct ts_phone *phone, int64_t now_ns)
{
    struct ts_adb_answer answer;
    const struct ts_buf *text = &phone->command.text;
    int exit_code;
    if (ts_adb_script_answer(text->data, text->size, MARK, &answer) &&
        ts_adb_script_read_exit(&answer, &exit_code) == TS_OK)
        finish_with_output(phone, exit_code, answer.body_size);
    else
        ts_phone_lost(phone, now_ns); /* cut off: the command is told in ..._commands_lost() */
}

static void refused(struct ts_phone *phone, int64_t now_ns)
{
    const struct ts_adb_conn *conn = &phone->command.conn;
    if (ts_phone_conn_is_lost(phone, conn)) {
        ts_adb_channel_close(&phone->command);
        phone->running = false; /* it has not been run: it waits for the phone */
        ts_phone_lost(phone, now_ns);
        return;
    }
    finish(phone, TS_EIO, 0, "the phone's adbd refuses to run a command");
}

static void go_on(struct ts_phone *phone, int64_t now_ns)
{
    struct ts_adb_channel *channel = &phone->command;
    int err = TS_OK;
    if (channel->conn.state == TS_ADB_CONN_OPEN && !phone->input_ended) {
        phone->input_ended = true;
        err = ts_adb_channel_end_input(channel);
    }
    if (!err)
        err = ts_adb_channel_read(channel);
    if (err)
        finish(phone, err, 0, "");
    else if (channel->conn.state == TS_ADB_CONN_REFUSED)
        refused(phone, now_ns);
    else if (channel->text.size > TS_PHONE_OUTPUT_MAX)
        finish(phone, TS_EOVERRUN, 0, "");
    else if (channel->ended)
        finish_with_output(phone, channel->exit_code, channel->text.size);
    else if (channel->conn.state == TS_ADB_CONN_ENDED && phone->mode != TS_ADB_SHELL_V2)
        end_of_old_shell(phone, now_ns);
    else if (channel->conn.state == TS_ADB_CONN_ENDED)
        ts_phone_lost(phone, now_ns);
    else if (now_ns - phone->command_since_ns > TS_PHONE_COMMAND_NS)
        finish(phone, TS_ETIMEOUT, 0, "");
}

void ts_phone_commands_step(struct ts_phone *phone, int64_t now_ns)
{
    if (phone->running && phone->busy != TS_PHONE_ASK_COMMAND)
        go_on(phone, now_ns);
    while (!phone->running && phone->commands.first) {
        const struct ts_phone_request *request = phone->commands.first;
        if (!request->shell)
            finish(phone, TS_EINVAL, 0, "that is not a list of words for a shell");
        else if (ts_phone_waited(phone, request, now_ns))
            finish(phone, TS_EIO, 0, "the phone is away");
        else if (phone->link == TS_PHONE_UP)
            begin(phone, now_ns);
        else
            return;
    }
}

/* Nobody knows how far it got, so it is not run a second time. */
void ts_phone_commands_lost(struct ts_phone *phone)
{
    if (phone->running && phone->busy != TS_PHONE_ASK_COMMAND) /* else the shell tells it */
        finish(phone, TS_EIO, 0, "the phone went away while the command ran");
}
