#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# postgres.sh start|stop|kill NAME
# A PostgreSQL server of its own for whoever says NAME: in a folder of its own, reached by a socket
# there and by nothing else. start makes it when there is none, waits until it answers and prints
# its URI; kill ends its processes in mid-sentence, start brings it back; stop removes it.
# As root it runs as the user postgres, because the server refuses root. A missing server is a
# failure: ./dev setup installs it.
set -eu
action=$1
# In /tmp, since a socket's path has room for a hundred characters, and the user postgres must get
# there.
folder=/tmp/touchstone-pg-$(printf %s "$2" | cksum | cut -d ' ' -f 1)
programs=$(find /usr/lib/postgresql -maxdepth 2 -name bin 2>/dev/null | sort -V | tail -n 1)
if [ -z "$programs" ] || [ ! -x "$programs/initdb" ]; then
    echo "There is no PostgreSQL server; ./dev setup installs it." >&2
    exit 1
fi
if [ "$(id -u)" -eq 0 ]; then
    as() { (cd / && setpriv --reuid postgres --regid postgres --clear-groups -- "$@"); }
    user=postgres
else
    as() { "$@"; }
    user=$(id -un)
fi

case $action in
start)
    if [ ! -d "$folder/data" ]; then
        mkdir -p -m 700 "$folder"
        [ "$(id -u)" -ne 0 ] || chown postgres "$folder"
        as "$programs/initdb" -D "$folder/data" -U "$user" --auth=trust -E UTF8 --no-locale \
            >"$folder/initdb.log" 2>&1 || { cat "$folder/initdb.log" >&2; exit 1; }
    fi
    as "$programs/pg_ctl" -D "$folder/data" -l "$folder/server.log" -w -t 60 \
        -o "-c listen_addresses='' -k $folder" start >/dev/null 2>&1 ||
        { tail -n 20 "$folder/server.log" >&2; exit 1; }
    echo "postgresql://$user@/postgres?host=$folder"
    ;;
stop)
    [ ! -e "$folder/data/postmaster.pid" ] ||
        as "$programs/pg_ctl" -D "$folder/data" -m fast -w stop >/dev/null
    rm -rf "$folder"
    ;;
kill) as "$programs/pg_ctl" -D "$folder/data" -m immediate -w stop >/dev/null ;;
*) exit 2 ;;
esac
