-- A realm's log starts empty. Its epoch tells its numbers from those of any log before it.
create or replace function found_log(p_realm int) returns void language sql as $$
  insert into realm_heads (realm_id) values (p_realm)
$$;
