-- What each server has of its own: the extension, and how it proves to the others who it is.
\getenv postgres_password PGPASSWORD
\getenv owner_password OWNER_PASSWORD
\getenv node_password NODE_PASSWORD
\getenv reader_password READER_PASSWORD

do $$
begin
  if current_setting('wal_level') <> 'logical' then
    raise 'wal_level has to be logical, so that organizations can move.';
  end if;
  -- Where there is such a setting, only what it lists reads the log of writes.
  if coalesce(current_setting('output_plugin_libraries', true), 'citus') !~ '\mcitus\M' then
    raise 'output_plugin_libraries has to be ''pgoutput, citus''.';
  end if;
end
$$;

set client_min_messages to warning;
create extension if not exists citus;

insert into pg_dist_authinfo (nodeid, rolename, authinfo)
select 0, rolename, 'password=' || password
from (
  values
    ('postgres', :'postgres_password'),
    ('parley_owner', :'owner_password'),
    ('parley_node', :'node_password'),
    ('parley_reader', :'reader_password')
) as roles (rolename, password)
on conflict (rolename, nodeid) do update set authinfo = excluded.authinfo
where pg_dist_authinfo.authinfo <> excluded.authinfo;
