-- A node finds the members for whom an entry is by the id of an audience. After a server without the last commits has taken
-- over, such an id must not be that of another audience: a node that has not heard of it yet would read the wrong members.
-- So the first audience that a run of a server writes leaves out a thousand ids, which the server before may have given.
create sequence skipped_audience_ids;

create function skip_audience_ids() returns trigger language plpgsql as $$
declare
  started bigint := extract(epoch from pg_postmaster_start_time()) * 1000000;
  ids regclass := pg_get_serial_sequence('audiences', 'id');
begin
  if (select last_value from skipped_audience_ids) <> started then
    -- One after the other: two sessions may do so at once, and a value that is set could be behind the other's.
    perform nextval(ids) from generate_series(1, 1000);
    perform setval('skipped_audience_ids', started);
  end if;
  return null;
end
$$;

create trigger skip_audience_ids before insert on audiences
  for each statement execute function skip_audience_ids();
