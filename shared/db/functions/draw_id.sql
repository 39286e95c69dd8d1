/*
  Returns the next id of a sequence, in a database that is distributed over several servers. Each server has a sequence of
  that name, and no two draw the same id: see src/distribution/sequences.ts. On the first run of a server, ids of audiences
  are left out, as the trigger skip_audience_ids does where there is one server.
*/
create or replace function draw_id(p_sequence text) returns bigint language plpgsql as $$
declare
  started bigint := extract(epoch from pg_postmaster_start_time()) * 1000000;
begin
  if p_sequence = 'audiences_id_seq' and (select last_value from skipped_audience_ids) <> started then
    perform nextval('audiences_id_seq') from generate_series(1, 1000);
    perform setval('skipped_audience_ids', started);
  end if;
  return nextval(p_sequence::regclass);
end
$$;
