/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The shell that stays open. One request at a time, so that no clock reading waits behind another
 * request with its t1 taken. */
#include "live_adb/inside.h"

bool ts_phone_shell_is_free(const struct ts_phone *phone)
{
    return phone->shell.conn.state == TS_ADB_CONN_OPEN && !phone->busy;
}

/* ---- asking ---- */

static void finish(struct ts_phone *phone, int status, int exit_code, const char *text)
{
    const bool command = phone->busy == TS_PHONE_ASK_COMMAND;
    phone->busy = TS_PHONE_ASK_NOTHING;
    if (command)
        phone->running = false;
    ts_phone_done(phone, ts_phone_pop(command ? &phone->commands : &phone->asks), status, exit_code,
                  text);
}

static void send_script(struct ts_phone *phone, struct ts_buf *script, int err)
{
    if (!err) {
        phone->asked_at = ts_live_now();
        err = ts_adb_channel_write(&phone->shell, script->data, script->size);
    }
    ts_buf_free(script);
    if (err)
        finish(phone, err, 0, "");
}

void ts_phone_shell_run(struct ts_phone *phone)
{
    struct ts_buf script = {0};
    phone->busy = TS_PHONE_ASK_COMMAND;
    const int err = ts_adb_script_command(&script, ++phone->number, phone->commands.first->shell);
    send_script(phone, &script, err);
}

static void ask(struct ts_phone *phone)
{
    const struct ts_command *command = &phone->asks.first->command;
    struct ts_buf script = {0};
    int err;
    phone->number++;
    if (command->kind != TS_COMMAND_CLOCK_READ) {
        phone->busy = TS_PHONE_ASK_ANSWER;
        err = ts_adb_script_command(&script, phone->number, ":");
    } else if (command->u.clock == TS_CLOCK_PHONE_REAL) {
        phone->busy = TS_PHONE_ASK_CLOCK;
        err = ts_adb_script_real(&script, phone->number);
    } else if (phone->slept_known) {
        phone->busy = TS_PHONE_ASK_CLOCK;
        err = ts_adb_script_up(&script, phone->number);
    } else {
        phone->busy = TS_PHONE_ASK_SLEPT;
        err = ts_adb_script_command(&script, phone->number, "dumpsys gfxinfo com.android.systemui");
    }
    send_script(phone, &script, err);
}

/* ---- answers ---- */

static void take_clock(struct ts_phone *phone, const struct ts_adb_answer *answer)
{
    const bool up = phone->asks.first->command.u.clock == TS_CLOCK_PHONE_UP;
    struct ts_item_clock clock = {.domain = up ? TS_CLOCK_PHONE_UP : TS_CLOCK_PHONE_REAL,
                                  .t1 = phone->asked_at,
                                  .t4 = phone->shell.conn.arrival};
    const int err =
        up ? ts_adb_script_read_up(answer, &clock) : ts_adb_script_read_real(answer, &clock);
    if (err == TS_ETIMEOUT) {
        finish(phone, err, 0, "the phone was too busy to tell its uptime");
        return;
    }
    if (err) {
        finish(phone, TS_ENOTSUP, 0, "the phone's shell does not tell the time: EPOCHREALTIME");
        return;
    }
    if (up)
        clock.t2 = clock.t3 = clock.t2 - phone->slept_ns;
    ts_phone_post(phone,
                  &(struct ts_item){.arrival = clock.t4, .kind = TS_ITEM_CLOCK, .u.clock = clock});
    finish(phone, TS_OK, 0, "");
}

static void take_answer(struct ts_phone *phone, const struct ts_adb_answer *answer, char *body)
{
    int exit_code;
    switch (phone->busy) {
    case TS_PHONE_ASK_CLOCK:
        take_clock(phone, answer);
        break;
    case TS_PHONE_ASK_SLEPT:
        phone->slept_known = ts_adb_script_read_slept(body, &phone->slept_ns) == TS_OK;
        phone->busy = TS_PHONE_ASK_NOTHING; /* the clock itself is next */
        if (!phone->slept_known)
            finish(phone, TS_ENOTSUP, 0, "the phone does not tell how long it has slept");
        break;
    case TS_PHONE_ASK_ANSWER:
        finish(phone, TS_OK, 0, "");
        break;
    case TS_PHONE_ASK_COMMAND:
        if (ts_adb_script_read_exit(answer, &exit_code))
            finish(phone, TS_EPROTO, 0, "");
        else
            finish(phone, TS_OK, exit_code, body);
        break;
    case TS_PHONE_ASK_NOTHING:
        break;
    }
}

static void read_answer(struct ts_phone *phone)
{
    struct ts_buf *text = &phone->shell.text;
    struct ts_adb_answer answer;
    const size_t size = ts_adb_script_answer(text->data, text->size, phone->number, &answer);
    if (!size)
        return;
    /* In front of the words there is at least their mark, over which the body's end may go. */
    text->data[answer.body_size] = '\0';
    take_answer(phone, &answer, (char *)text->data);
    ts_adb_channel_take(&phone->shell, text->size);
}

/* ---- its life ---- */

static void give_up(struct ts_phone *phone, int status, const char *text)
{
    ts_adb_channel_close(&phone->shell);
    if (phone->busy)
        finish(phone, status, 0, text);
}

static void keep_open(struct ts_phone *phone, int64_t now_ns)
{
    struct ts_adb_channel *shell = &phone->shell;
    if (shell->conn.state == TS_ADB_CONN_CLOSED) {
        if (now_ns >= phone->shell_retry_ns)
            ts_adb_channel_open(shell, &phone->server.address, phone->serial, phone->mode, "sh");
        return;
    }
    const int err = ts_adb_channel_read(shell);
    if (!err && phone->busy)
        read_answer(phone);
    const bool over = err || shell->ended || ts_adb_conn_is_over(&shell->conn);
    const bool late = phone->busy && now_ns - phone->asked_at.ns > TS_PHONE_SHELL_NS;
    if (!over && !late && shell->text.size <= TS_PHONE_OUTPUT_MAX)
        return;
    /* An old shell that ends without a word is as good a sign as any that the phone is gone. */
    const bool lost =
        over && !err && !shell->ended &&
        (shell->conn.state == TS_ADB_CONN_ENDED || ts_phone_conn_is_lost(phone, &shell->conn));
    phone->shell_retry_ns = now_ns + TS_PHONE_RETRY_NS;
    if (lost) {
        ts_phone_lost(phone, now_ns);
        return;
    }
    give_up(phone, late ? TS_ETIMEOUT : TS_EIO, "the phone's shell has ended");
}

/* While there is no shell to ask: an end of a stream is one already, clocks wait a little. */
static void answer_for_it(struct ts_phone *phone, int64_t now_ns)
{
    while (phone->asks.first) {
        const struct ts_phone_request *request = phone->asks.first;
        const bool never = phone->link == TS_PHONE_UP && phone->mode == TS_ADB_SHELL;
        if (request->command.kind != TS_COMMAND_CLOCK_READ)
            finish(phone, TS_OK, 0, "");
        else if (never)
            finish(phone, TS_ENOTSUP, 0, "Android 4 has no shell that could be kept open");
        else if (now_ns - request->since_ns > TS_PHONE_SHELL_NS)
            finish(phone, TS_EIO, 0, "the phone is away");
        else
            return;
    }
}

void ts_phone_shell_step(struct ts_phone *phone, int64_t now_ns)
{
    if (phone->link == TS_PHONE_UP && phone->mode != TS_ADB_SHELL)
        keep_open(phone, now_ns);
    if (phone->shell.conn.state != TS_ADB_CONN_OPEN)
        answer_for_it(phone, now_ns);
    while (ts_phone_shell_is_free(phone) && phone->asks.first)
        ask(phone);
}

void ts_phone_shell_lost(struct ts_phone *phone)
{
    phone->shell_retry_ns = 0;
    give_up(phone, TS_EIO, "the phone went away");
}
