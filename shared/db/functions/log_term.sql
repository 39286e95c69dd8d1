/*
  Returns the term in which this server appends to a log of this epoch: the beginning of the epoch, and the moment at which
  the server was started. Two runs of servers never begin in the same microsecond, so a replica that takes over, a server
  that was restarted and a copy that was restored write in terms of their own, from their first entry on, and whoever
  may connect may ask for the moment. Within a term there is one history: a server writes on from what it has.
*/
create or replace function log_term(p_epoch uuid) returns text language sql stable as $$
  select left(p_epoch::text, 8) || to_hex((extract(epoch from pg_postmaster_start_time()) * 1000000)::bigint)
$$;
