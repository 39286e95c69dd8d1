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
    alter function append_to_log(int, jsonb, jsonb, boolean) set schema at_once;
    create function append_to_log(p_realm int, p_events jsonb, p_membership_changes jsonb, p_keeps_rules boolean)
    returns table (outcome text, message_id int, seq bigint, entry text) language plpgsql as $$
    begin
      perform pg_sleep(random() * ${seconds});
      return query select * from at_once.append_to_log(p_realm, p_events, p_membership_changes, p_keeps_rules);
    end $$`);
  for (const table of ['user_topics', 'conversation_members', 'channels', 'topics', 'users']) {
    await sql.unsafe(`
      create trigger wait_before before insert or update or delete on ${table}
        for each statement execute function wait_a_moment();
      create trigger wait_after after insert or update or delete on ${table}
        for each statement execute function wait_a_moment()`);
  }
}
