import { type Sql, isDistributed } from '@parley/db';

interface Interruption {
  table: string;
  /** What is refused. */
  change: 'insert' | 'delete';
  /** Which rows it is about, in SQL; all by default. */
  condition?: string;
  /** Which of these changes is refused, from now on; the first by default. */
  number?: number;
  /** How many are refused from there on; one by default. */
  times?: number;
  /** The SQLSTATE of the refusal; that of an exception by default. */
  code?: string;
  /** The constraint that it names. */
  constraint?: string;
}

/** Refuses changes of rows, on whichever server they are made. Whoever makes one is told `interrupted on purpose`. */
export async function interrupt(
  sql: Sql,
  { table, change, condition = 'true', number = 1, times = 1, code = 'P0001', constraint = '' }: Interruption,
): Promise<AsyncDisposable> {
  const areSeveral = await isDistributed(sql);
  // What divides a database takes no triggers for its tables that are about rows and count. Their parts are plain tables.
  const parts = areSeveral
    ? `select to_regclass(shard_name(logicalrelid, shardid)) from pg_dist_shard where logicalrelid = '${table}'::regclass`
    : `select '${table}'::regclass`;
  const onEach = async (body: string) => {
    const block = `
      do $do$
      declare
        part regclass;
      begin
        perform set_config('citus.enable_ddl_propagation', 'off', true);
        perform set_config('citus.enable_manual_changes_to_shards', 'on', true);
        ${body}
      end $do$`;
    if (!areSeveral) {
      await sql.unsafe(block);
      return;
    }
    const answers = await sql<{ success: boolean; result: string }[]>`
      select success, result from run_command_on_all_nodes(${block})`;
    const refused = answers.find(({ success }) => !success);
    if (refused) throw new Error(refused.result);
  };
  const onParts = (statement: string) =>
    `for part in ${parts} loop if part is not null then execute format('${statement}', part); end if; end loop;`;
  const result = change === 'insert' ? 'new' : 'old';
  await onEach(`
    create sequence interruptions;
    grant all on sequence interruptions to public;
    create function interrupt() returns trigger language plpgsql as $interrupt$
    declare
      number bigint := nextval('interruptions');
    begin
      if number between ${number} and ${number + times - 1} then
        raise 'interrupted on purpose' using errcode = '${code}', constraint = '${constraint}';
      end if;
      return ${result};
    end $interrupt$;
    ${onParts(`create trigger interrupt before ${change} on %s for each row when (${condition.replaceAll("'", "''")}) execute function interrupt()`)}`);
  return {
    [Symbol.asyncDispose]: () =>
      onEach(
        `${onParts('drop trigger interrupt on %s')} drop function interrupt; drop sequence interruptions;`,
      ),
  };
}
