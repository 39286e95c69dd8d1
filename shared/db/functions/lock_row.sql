/*
  Locks a row of realm_locks until the transaction ends: alone, or together with all who do not want it alone. The row
  stays.
*/
create or replace function lock_row(p_realm int, p_name text, p_alone boolean) returns void language plpgsql as $$
begin
  loop
    if p_alone then
      perform from realm_locks where realm_id = p_realm and name = p_name for update;
    else
      perform from realm_locks where realm_id = p_realm and name = p_name for share;
    end if;
    exit when found;
    insert into realm_locks (realm_id, name) values (p_realm, p_name) on conflict do nothing;
  end loop;
end
$$;
