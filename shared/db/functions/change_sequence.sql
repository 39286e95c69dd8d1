/*
  Keeps everybody else from drawing from a sequence until the transaction ends, and with p_next lets it go on there. Unlike
  setval, it waits for whoever draws, and is undone with the transaction. Only the owner of a sequence may change it, so this
  runs with the rights of the owner, and whoever only reads may not call it.
*/
create or replace function change_sequence(p_sequence regclass, p_next bigint) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  execute format('alter sequence %s %s', p_sequence, coalesce('restart with ' || p_next, 'no cycle'));
end
$$;
revoke execute on function change_sequence(regclass, bigint) from public;
