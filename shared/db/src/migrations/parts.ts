import { pause } from '@parley/kit';
import type { Sql } from 'postgres';

import { askEverywhere, everywhere } from './everywhere.ts';
import { leadingTable } from './is-distributed.ts';
import { MigrationError } from './migration-error.ts';
import type { Say } from './session.ts';

/**
 * What the names of schemas begin with that open a part of the tables; the number of the part in the leading table follows.
 *
 * Citus plans each statement anew, for several times what it costs to run. So each server has for each part that it holds a
 * schema with the tables as they are called, which are views of that part alone, and with the functions that use them. Who
 * looks there first asks nothing but Postgres. Who does so where there is no such schema finds the divided tables, and has
 * Citus find the part: what is asked and answered is the same.
 *
 * What does not ask Citus is not kept from writing to a part that Citus moves or divides. So a part is closed before: its
 * schema goes by another name, and who wrote by it has ended.
 */
export const partSchema = 'part_';
const closedSchema = 'closed_';

const transactionsMs = 60_000;
const dropMs = 200;
/** An arbitrary number that nothing else in the database uses as an advisory lock. */
const openingLock = 8_712_002;

/** Opens the parts of the tables that are closed, on the servers that hold them. Doing it again changes nothing. */
export async function openParts(sql: Sql, say: Say = () => undefined): Promise<void> {
  if (!(await mayGuard(sql))) {
    say(
      'Parts of the tables stay closed, so that statements cost several times as much: the role of this command has to be a superuser once, to create event triggers on each server',
    );
    return;
  }
  await everywhere(sql, [
    `if (select rolsuper from pg_roles where rolname = current_user) then
      ${guardFunction};
      if not exists (select from pg_event_trigger where evtname = 'guard_open_parts') then
        ${guardTrigger};
      end if;
    end if`,
  ]);
  await everywhere(sql, [asOwner, dropping]);
  await everywhere(sql, [asOwner, refusal, opening]);
}

/** Does what closes parts of the tables, and opens those again that are left, also where it fails. */
export async function openAfterwards<Result>(
  sql: Sql,
  say: Say,
  work: () => Promise<Result>,
): Promise<Result> {
  let result: Result;
  try {
    result = await work();
  } catch (error) {
    // They stay closed until the next command: what is asked is answered all the same.
    await openParts(sql, say).catch(() => undefined);
    throw error;
  }
  await openParts(sql, say);
  return result;
}

/** Whether what keeps open parts from being moved is there, or can be. */
async function mayGuard(sql: Sql): Promise<boolean> {
  const answers = await askEverywhere(
    sql,
    `select exists (select from pg_event_trigger where evtname = 'guard_open_parts')
      or (select rolsuper from pg_roles where rolname = current_user)`,
  );
  return answers.every((answer) => answer === 't');
}

/** Parts of the tables that a server holds. */
export interface HeldParts {
  parts: number;
  /** Those in which Citus plans each statement. */
  closed: number;
}

/** Returns how many parts each server holds, by its number in the catalogue; nothing of one that does not answer. */
export async function countParts(sql: Sql): Promise<Map<number, HeldParts>> {
  const counting = `
    select json_build_object('parts', count(*), 'closed', count(*) - count(to_regnamespace('${partSchema}' || s.shardid)))
    from pg_dist_shard s join pg_dist_placement p using (shardid)
    where s.logicalrelid = '${leadingTable}'::regclass and p.groupid = (select groupid from pg_dist_local_group)`;
  const answers = await sql<{ id: number; result: string }[]>`
    select nodeid as id, result from run_command_on_all_nodes(${counting}) where success`;
  return new Map(answers.map(({ id, result }) => [id, JSON.parse(result) as HeldParts]));
}

/**
 * Closes all parts, so that the tables can be changed: nothing depends on what they are.
 *
 * @throws MigrationError where a transaction does not end
 */
export async function closeAllParts(sql: Sql): Promise<void> {
  await close(sql, `^${partSchema}[0-9]+$`);
  const startedMs = performance.now();
  for (;;) {
    await everywhere(sql, [dropping]);
    const left = await askEverywhere(
      sql,
      `select count(*) from pg_namespace where nspname ~ '${closedParts}'`,
    );
    if (left.every((count) => count === '0')) return;
    if (performance.now() - startedMs > transactionsMs) {
      throw new MigrationError('A transaction that reads does not end. Run the command again.');
    }
    await pause(dropMs);
  }
}

/**
 * Closes a part of the tables: once this resolves, nobody writes to it without asking Citus.
 *
 * @throws MigrationError where a transaction does not end
 */
export const closePart = (sql: Sql, shard: string): Promise<void> => close(sql, `^${partSchema}${shard}$`);

async function close(sql: Sql, meant: string): Promise<void> {
  // To drop it at once would be to wait for whoever reads by it, while others wait behind.
  await everywhere(sql, [
    `declare
      part name;
    begin
      for part in select nspname from pg_namespace where nspname ~ '${meant}' loop
        execute format(
          'alter schema %I rename to %I', part,
          replace(part, '${partSchema}', '${closedSchema}') || '_' || pg_current_xact_id()
        );
      end loop;
    end`,
  ]);
  await everywhere(sql, [awaitingWriters]);
}

const closedParts = `^${closedSchema}[0-9]+_[0-9]+$`;

/**
 * Who holds locks when the schemas are not there any more by their names may still write by them, and who takes one later finds
 * that they are gone.
 */
const awaitingWriters = `
  declare
    deadline timestamptz := clock_timestamp() + interval '${transactionsMs} milliseconds';
    writers text[];
  begin
    select array_agg(distinct l.virtualtransaction) into writers
    from pg_locks l
      join pg_depend d on d.refobjid = l.relation and d.refclassid = 'pg_class'::regclass
        and d.classid = 'pg_rewrite'::regclass
      join pg_rewrite w on w.oid = d.objid
      join pg_class v on v.oid = w.ev_class
      join pg_namespace n on n.oid = v.relnamespace
    where l.locktype = 'relation' and l.mode = 'RowExclusiveLock' and n.nspname ~ '${closedParts}';
    while exists (
      select from pg_locks where virtualtransaction = any(writers) and mode = 'RowExclusiveLock'
    ) loop
      if clock_timestamp() > deadline then
        raise 'a transaction that writes to the part does not end';
      end if;
      perform pg_sleep(0.005);
    end loop;
  end`;

/** What somebody still reads by stays until parts are opened the next time. */
const dropping = `
  declare
    part name;
  begin
    perform set_config('lock_timeout', '${dropMs}', true);
    for part in select nspname from pg_namespace where nspname ~ '${closedParts}' loop
      begin
        execute format('drop schema %I cascade', part);
      exception when lock_not_available or deadlock_detected then
        null;
      end;
    end loop;
  end`;

/** Whoever opens parts, they belong to the owner of the tables, who may close them. */
const asOwner = `perform set_config('role', relowner::regrole::text, true) from pg_class where oid = '${leadingTable}'::regclass`;

/** Refuses to let Citus move or divide a part that is open: an operator may ask it to. See infra/k8s/citus/each-server.sql. */
export const guardFunction = `
  create or replace function public.guard_open_parts() returns event_trigger language plpgsql as $guard$
  declare
    part name;
  begin
    perform pg_catalog.pg_advisory_xact_lock(${openingLock});
    select n.nspname into part
    from pg_catalog.pg_publication_rel r
      join pg_catalog.pg_depend d on d.refobjid = r.prrelid and d.classid = 'pg_catalog.pg_rewrite'::regclass
      join pg_catalog.pg_rewrite w on w.oid = d.objid
      join pg_catalog.pg_class v on v.oid = w.ev_class
      join pg_catalog.pg_namespace n on n.oid = v.relnamespace
    where n.nspname ~ '^${partSchema}[0-9]+$'
      -- Of what every server has, which is copied to a new one, the part refuses to write anything.
      and not exists (
        select from pg_catalog.pg_trigger t where t.tgrelid = v.oid and t.tgname = 'refuse_write_here'
      )
    limit 1;
    if found then
      raise 'organizations of % are written to without Citus: move them by the command parley', part;
    end if;
  end
  $guard$`;
export const guardTrigger = `
  create event trigger guard_open_parts on ddl_command_end when tag in ('CREATE PUBLICATION', 'ALTER PUBLICATION')
    execute function public.guard_open_parts()`;

/** Refuses what would change on one server what every server has. */
const refusal = `
  create or replace function public.refuse_write_here() returns trigger language plpgsql as $refusal$
  begin
    raise 'every server has %, so that Citus has to write to it: as public.%', tg_table_name, tg_table_name;
  end
  $refusal$`;

const opening = `
  declare
    part record;
    relation record;
    setting record;
    roles text[] := array(select rolname from pg_roles where rolname in ('parley_node', 'parley_reader'));
    role text;
  begin
    perform pg_advisory_xact_lock(${openingLock});
    for part in
      select s.shardid, s.shardminvalue, t.colocationid, '${partSchema}' || s.shardid as name
      from pg_dist_shard s
        join pg_dist_placement p on p.shardid = s.shardid
          and p.groupid = (select groupid from pg_dist_local_group)
        join pg_dist_partition t on t.logicalrelid = s.logicalrelid
      where s.logicalrelid = '${leadingTable}'::regclass and to_regnamespace('${partSchema}' || s.shardid) is null
        and not exists (
          select from pg_publication_rel r join pg_class c on c.oid = r.prrelid
          where c.relname = '${leadingTable}_' || s.shardid
        )
    loop
      execute format('create schema %I', part.name);
      for relation in
        select c.relname as name, c.oid, format('public.%I', c.relname || '_' || s.shardid) as own,
          t.partmethod = 'n' as is_everywhere
        from pg_dist_partition t
          join pg_class c on c.oid = t.logicalrelid
          join pg_dist_shard s on s.logicalrelid = t.logicalrelid
        where t.partmethod = 'h' and t.colocationid = part.colocationid and s.shardminvalue = part.shardminvalue
          or t.partmethod = 'n' and t.repmodel = 't'
      loop
        -- A view has no columns of the system unless it says so.
        execute format('create view %I.%I as select *, xmin, ctid from %s', part.name, relation.name, relation.own);
        if relation.is_everywhere then
          execute format(
            'create trigger refuse_write_here instead of insert or update or delete on %I.%I for each row
              execute function public.refuse_write_here()', part.name, relation.name
          );
        end if;
        for setting in
          select a.attname as name, pg_get_expr(d.adbin, d.adrelid) as value
          from pg_attrdef d join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
          where d.adrelid = relation.oid and a.attgenerated = '' and not exists (
            select from pg_attribute o
            where o.attrelid = relation.own::regclass and o.attname = a.attname and o.atthasdef
          )
        loop
          execute format(
            'alter view %I.%I alter column %I set default %s', part.name, relation.name, setting.name, setting.value
          );
        end loop;
      end loop;
      -- Functions that take or keep rows of tables do so of one part, and what is planned for it serves all its organizations.
      perform set_config('search_path', part.name || ', public', true);
      for relation in
        select pg_get_functiondef(f.oid) as text from pg_proc f join pg_language l on l.oid = f.prolang
        where f.pronamespace = 'public'::regnamespace and f.prokind = 'f' and l.lanname in ('sql', 'plpgsql')
          and f.provolatile <> 'i' and not f.prosecdef
          and f.prorettype not in ('trigger'::regtype, 'event_trigger'::regtype)
      loop
        execute replace(replace(relation.text, 'public.', part.name || '.'), 'force_custom_plan', 'force_generic_plan');
      end loop;
      foreach role in array roles loop
        execute format('grant usage on schema %I to %I', part.name, role);
        execute format(
          'grant %s on all tables in schema %I to %I',
          case role when 'parley_node' then 'select, insert, update, delete' else 'select' end, part.name, role
        );
      end loop;
    end loop;
  end`;
