/*
  Lets the planner know what a table has, which it otherwise learns a minute after many rows came. Only the owner of a table may,
  so this runs with the rights of the owner, and whoever only reads may not call it.
*/
create or replace function analyze_table(p_table regclass) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  execute format('analyze %s', p_table);
end
$$;
revoke execute on function analyze_table(regclass) from public;
