/*
  Locks a name of a realm until the transaction ends: whoever locks the same name waits until then. The name is inserted
  and removed again: who inserts it too waits for the transaction that has inserted it, and then finds that it is gone.
  So names that nobody locks take no room.
*/
create or replace function lock_name(p_realm int, p_kind text, p_name text) returns void language plpgsql as $$
begin
  perform lock_as_before(p_realm, p_kind, p_name, true);
  insert into realm_locks (realm_id, name) values (p_realm, p_kind || ':' || p_name);
  delete from realm_locks where realm_id = p_realm and name = p_kind || ':' || p_name;
end
$$;
