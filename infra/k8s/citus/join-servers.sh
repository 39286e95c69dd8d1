#!/bin/sh
# Makes Postgres servers with Citus one database, as the superuser that the variables of libpq name. SERVERS lists them as
# host:port, the coordinator first. Done again, it changes nothing but what has changed: passwords, and servers that are new.
set -eu
folder=$(dirname "$0")

ask() {
  server=$1
  shift
  psql --no-psqlrc --quiet --no-align --tuples-only --set ON_ERROR_STOP=1 --host "${server%:*}" --port "${server##*:}" "$@"
}

coordinator=
for server in $SERVERS; do
  ask "$server" --file "$folder/each-server.sql"
  if [ -z "$coordinator" ]; then
    coordinator=$server
    ask "$coordinator" --set "host=${server%:*}" --set "port=${server##*:}" --set is_coordinator=true --file "$folder/coordinator.sql"
  else
    ask "$coordinator" --set "host=${server%:*}" --set "port=${server##*:}" --set is_coordinator=false --file "$folder/coordinator.sql"
  fi
done
ask "$coordinator" --command "select format('%s:%s %s', nodename, nodeport, case groupid when 0 then 'coordinator' else 'worker' end) from pg_dist_node order by groupid"
