import type { Sql } from 'postgres';

import { everywhere } from '../migrations/everywhere.ts';

/**
 * Sees to it that a server follows all changes of a part of a table that Citus splits. Citus begins to keep the log of writes
 * before the new parts have their keys. What changes in between is read by the catalogue of that moment, in which nothing
 * tells their rows apart, and then nobody can ever follow the log further. So a part that begins without a key has all its
 * columns for one, until it gets it. Doing it again changes nothing.
 */
export async function identifyShards(sql: Sql): Promise<void> {
  await everywhere(sql, [
    definition,
    `if not exists (select from pg_event_trigger where evtname = 'identify_shard') then
      create event trigger identify_shard on ddl_command_end when tag in ('CREATE TABLE', 'ALTER TABLE')
        execute function public.identify_shard();
    end if`,
  ]);
}

/** Citus names a part of a table by the table and a number. */
const definition = `
  create or replace function public.identify_shard() returns event_trigger language plpgsql as $identify$
  declare
    shard record;
  begin
    for shard in
      select distinct c.oid::regclass as name, c.relreplident as identity,
        exists (select from pg_catalog.pg_index i where i.indrelid = c.oid and i.indisprimary) as has_key
      from pg_catalog.pg_event_trigger_ddl_commands() d
      join pg_catalog.pg_class c on c.oid = d.objid and d.classid = 'pg_catalog.pg_class'::regclass
      where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.relname ~ '_[0-9]{6,}$'
    loop
      if tg_tag = 'CREATE TABLE' and shard.identity = 'd' and not shard.has_key then
        execute format('alter table %s replica identity full', shard.name);
      elsif shard.identity = 'f' and shard.has_key then
        execute format('alter table %s replica identity default', shard.name);
      end if;
    end loop;
  end
  $identify$`;
