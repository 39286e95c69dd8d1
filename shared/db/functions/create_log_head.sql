-- Creates the head of a realm's empty log. Its epoch distinguishes its seqs from those of an earlier log.
create or replace function create_log_head(p_realm int) returns void language sql as $$
  insert into realm_heads (realm_id) values (p_realm)
$$;
