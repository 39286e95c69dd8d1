#!/bin/sh
# Starts a sentinel that watches the master `main`: the one that other sentinels know, or else the first server.
#   OWN, SERVERS, SENTINELS, REDISCLI_AUTH  as for servers
set -euf
port=${SENTINEL_PORT:-26379}
folder=${FOLDER:-/tmp}

master=
for sentinel in $SENTINELS; do
  [ "$sentinel" != "$OWN" ] || continue
  master=$(timeout 2 redis-cli -h "$sentinel" -p "$port" sentinel get-master-addr-by-name main 2>/dev/null | head -n 1) || master=
  case $master in '' | *[!a-zA-Z0-9.:-]*) master= ;; *) break ;; esac
done
[ -n "$master" ] || master=${SERVERS%% *}

umask 077
cat >"$folder/sentinel.conf" <<CONF
port $port
bind ${BIND:-* -::*}
dir $folder
requirepass $REDISCLI_AUTH
sentinel resolve-hostnames yes
sentinel announce-hostnames yes
sentinel announce-ip $OWN
sentinel announce-port $port
sentinel sentinel-pass $REDISCLI_AUTH
sentinel monitor main $master ${REDIS_PORT:-6379} 2
sentinel auth-pass main $REDISCLI_AUTH
sentinel down-after-milliseconds main 1000
sentinel failover-timeout main 5000
CONF
# A name that is not there yet ends it, and Kubernetes starts it again.
exec redis-server "$folder/sentinel.conf" --sentinel
