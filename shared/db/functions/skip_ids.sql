/*
  Leaves out a thousand ids of each sequence, once on each run of a server. Accounts, channels and files of a history that is
  lost had the next ones, and what was made of these (the key of an account, the address of a file) must not be that of
  another.
*/
create or replace function skip_ids() returns void language plpgsql as $$
declare
  started bigint := extract(epoch from pg_postmaster_start_time()) * 1000000;
  ids regclass;
begin
  if (select last_value from skipped_ids) = started then
    return;
  end if;
  for ids in
    select format('%I.%I', s.schemaname, s.sequencename)::regclass from pg_sequences s
      where s.schemaname = current_schema() and s.sequencename not in ('skipped_ids', 'skipped_audience_ids')
        and coalesce(s.last_value, 0) < s.max_value - 1000000
  loop
    -- One after the other: two sessions may do so at once, and a value that is set could be behind the other's.
    perform nextval(ids) from generate_series(1, 1000);
  end loop;
  -- Last: whoever finds it may go on at once.
  perform setval('skipped_ids', started);
end
$$;
