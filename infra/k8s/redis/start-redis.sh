#!/bin/sh
# Starts a Redis server as what the sentinels say that it is: the master, or a replica of it. If none of them knows yet,
# the first server is the master.
#   OWN         the name by which the others reach this server
#   SERVERS     the names of all servers, the first one first
#   SENTINELS   the names of all sentinels
#   MEMORY      how much it may hold
#   REDISCLI_AUTH  the password of servers and sentinels
set -euf
port=${REDIS_PORT:-6379}

master=
for sentinel in $SENTINELS; do
  master=$(timeout 2 redis-cli -h "$sentinel" -p "${SENTINEL_PORT:-26379}" sentinel get-master-addr-by-name main 2>/dev/null | head -n 1) || master=
  case $master in '' | *[!a-zA-Z0-9.:-]*) master= ;; *) break ;; esac
done
[ -n "$master" ] || master=${SERVERS%% *}

set -- --port "$port" --bind ${BIND:-* -::*} --replica-announce-ip "$OWN" --replica-announce-port "$port" \
  --save '' --appendonly no --maxmemory "$MEMORY" --maxmemory-policy noeviction \
  --repl-diskless-sync-delay 0 --requirepass "$REDISCLI_AUTH" --masterauth "$REDISCLI_AUTH" --dir "${FOLDER:-/tmp}"
[ "$master" = "$OWN" ] || set -- "$@" --replicaof "$master" "$port"
exec redis-server "$@"
