import type { Sql } from '@parley/db';

/**
 * Lets transactions and appends meet in other orders than they would by themselves: for the rest of the file, whoever
 * writes to one of the tables that decide who may see what waits before and after it for up to `msMax` milliseconds, and
 * so does whoever is about to append.
 */
export async function delayWrites(sql: Sql, msMax: number): Promise<void> {
  const seconds = msMax / 1000;
  await sql.unsafe(`
    create or replace function wait_a_moment() returns trigger language plpgsql as $$
    begin
      perform pg_sleep(random() * ${seconds});
      return null;
    end $$;
    create schema at_once;
    grant usage on schema at_once to parley_node`);
  for (const name of ['append_events', 'append_flags', 'append_plain_messages']) {
    const [made] = await sql<{ parameters: string; returns: string; count: number }[]>`
      select pg_get_function_arguments(oid) as parameters, pg_get_function_result(oid) as returns, pronargs as count
      from pg_proc where proname = ${name} and pronamespace = 'public'::regnamespace`;
    if (!made) throw new Error(`There is no function ${name}.`);
    const passed = Array.from({ length: made.count }, (_, index) => `$${index + 1}`);
    await sql.unsafe(`
      alter function ${name} set schema at_once;
      create function ${name}(${made.parameters}) returns ${made.returns} language plpgsql as $$
      begin
        perform pg_sleep(random() * ${seconds});
        return query select * from at_once.${name}(${passed.join()});
      end $$`);
  }
  for (const table of ['user_topics', 'conversation_members', 'channels', 'topics', 'users']) {
    await sql.unsafe(`
      create trigger wait_before before insert or update or delete on ${table}
        for each statement execute function wait_a_moment();
      create trigger wait_after after insert or update or delete on ${table}
        for each statement execute function wait_a_moment()`);
  }
}
