import type { Sql } from 'postgres';

import { MigrationError } from './migration-error.ts';

/** Runs statements on each server of a distributed database, by itself: together on each, and as what concerns only that one. */
export async function everywhere(sql: Sql, statements: readonly string[]): Promise<void> {
  const body = statements.map((statement) => `${statement};`).join('\n');
  await askEverywhere(
    sql,
    `do $do$ begin perform set_config('citus.enable_ddl_propagation', 'off', true); ${body} end $do$`,
  );
}

/** Asks each server of a distributed database, and returns the answers, which are a value each. */
export async function askEverywhere(sql: Sql, query: string): Promise<string[]> {
  const answers = await sql<{ success: boolean; result: string }[]>`
    select success, result from run_command_on_all_nodes(${query})`;
  const failed = answers.find(({ success }) => !success);
  if (failed) {
    throw new MigrationError(`A server refused: ${failed.result} Its statement was: ${query.slice(0, 200)}`);
  }
  return answers.map(({ result }) => result);
}
