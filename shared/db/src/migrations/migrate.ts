import { readFunctions } from './functions.ts';
import { grantFunctions } from './grant-functions.ts';
import { isDistributed } from './is-distributed.ts';
import { closeAllParts, openAfterwards } from './parts.ts';
import { type Patience, defaultPatience, tryPatiently } from './patience.ts';
import { createJournal, lastMigrationAt } from './progress.ts';
import { listMigrations, readMigration } from './read-migrations.ts';
import { grantRights } from './roles.ts';
import { runMigration } from './run-migration.ts';
import type { Run } from './run.ts';
import { type Say, assertTurn, openSession } from './session.ts';
import { runStatements } from './statements.ts';

export interface MigrateOptions {
  /** Is told what goes on, in lines. */
  say?: Say;
  /** Where the migrations are, instead of those of this version. */
  folder?: string;
  patience?: Partial<Patience>;
  /** No node of an older version runs, nor ever will: what only they need is removed. */
  finishes?: boolean;
}

/**
 * Brings the schema and the functions up to date, while nodes go on. It is safe to call from several processes at once:
 * they take turns. It is safe to be killed: what is run next goes on where it was. @throws MigrationError
 */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<void> {
  const { say = () => undefined } = options;
  const patience = { ...defaultPatience, ...options.patience };
  await using session = await openSession(url, say);
  await createJournal(session.sql);
  await grantRights(session);
  const run = { session, patience, say, isDivided: await isDistributed(session.sql) };
  const work = () => runAll(run, options);
  await (run.isDivided ? openAfterwards(session.sql, say, work) : work());
}

async function runAll(run: Omit<Run, 'migration'>, { folder, finishes }: MigrateOptions): Promise<void> {
  const { session, isDivided } = run;
  const lastAt = await lastMigrationAt(session.sql);
  for (const listed of await listMigrations(folder)) {
    if (listed.when <= lastAt) continue;
    await runMigration({ ...run, migration: await readMigration(listed) });
  }
  if (isDivided) await closeAllParts(session.sql);
  const functions = await readFunctions(isDivided);
  await runTogether(run, 'Creating the functions', functions, 0);
  if (isDivided) await grantFunctions(session.sql);
  if (finishes === true) await finish(run);
}

/** Removes what only nodes of an older version need. */
async function finish(run: Pick<Run, 'session' | 'patience' | 'say'>): Promise<void> {
  const { patience } = run;
  // See migrations 0051, 0056, 0062, 0065, 0066 and 0073. Doing it again changes nothing.
  const count = ['select count_messages_by_realm()'];
  await runTogether(run, 'Letting each organization count its messages', count, patience.statementMs);
  const drop = ['select drop_shared_searches()', 'select drop_english_search()'];
  await runTogether(run, 'Dropping indexes that no node uses', drop, patience.statementMs);
  const keys = ['select drop_keys_without_realm()'];
  await runTogether(run, 'Dropping keys that do not name the organization', keys, patience.statementMs);
  const primaryKeys = [
    'lock table topics, users, channels, conversations, audiences in access exclusive mode',
    'select take_primary_keys()',
  ];
  await runTogether(run, 'Taking keys that name the organization', primaryKeys, patience.statementMs);
  const locks = ['select end_locks_of_before()'];
  await runTogether(run, 'Ending locks that no node takes', locks, patience.statementMs);
}

/** Runs statements in one transaction, once their locks are free. */
async function runTogether(
  run: Pick<Run, 'session' | 'patience' | 'say'>,
  what: string,
  statements: readonly string[],
  statementMs: number,
): Promise<void> {
  const { session, patience } = run;
  await tryPatiently({
    ...run,
    what,
    attempt: () =>
      session.sql.begin(async (tx) => {
        await assertTurn(tx);
        await runStatements(tx, what, statements, { lockMs: patience.lockMs, statementMs });
      }),
  });
}
