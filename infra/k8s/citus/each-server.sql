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

-- Keeps Citus from moving what nodes write to without asking it. Only a superuser may create a trigger of this kind.
set citus.enable_ddl_propagation to off;
create or replace function public.guard_open_parts() returns event_trigger language plpgsql as $guard$
declare
  part name;
begin
  perform pg_catalog.pg_advisory_xact_lock(8712002);
  select n.nspname into part
  from pg_catalog.pg_publication_rel r
    join pg_catalog.pg_depend d on d.refobjid = r.prrelid and d.classid = 'pg_catalog.pg_rewrite'::regclass
    join pg_catalog.pg_rewrite w on w.oid = d.objid
    join pg_catalog.pg_class v on v.oid = w.ev_class
    join pg_catalog.pg_namespace n on n.oid = v.relnamespace
  where n.nspname ~ '^part_[0-9]+$'
    -- Of what every server has, which is copied to a new one, the part refuses to write anything.
    and not exists (
      select from pg_catalog.pg_trigger t where t.tgrelid = v.oid and t.tgname = 'refuse_write_here'
    )
  limit 1;
  if found then
    raise 'organizations of % are written to without Citus: move them by the command parley', part;
  end if;
end
$guard$;

select not exists (select from pg_event_trigger where evtname = 'guard_open_parts') as lacks_guard
\gset
\if :lacks_guard
create event trigger guard_open_parts on ddl_command_end when tag in ('CREATE PUBLICATION', 'ALTER PUBLICATION')
  execute function public.guard_open_parts();
\endif
