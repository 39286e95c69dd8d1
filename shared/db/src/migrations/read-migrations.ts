import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { MigrationError } from './migration-error.ts';
import { bareStatement, splitStatements } from './split-statements.ts';

const migrationsFolder = new URL('../../migrations/', import.meta.url).pathname;
/** Migrations are run in the order of these times, and those after the time of the last one that was run. */
const firstMigrationAt = 1_795_000_000_001;

/**
 * How a step is run:
 *
 * - brief: in a transaction, under locks for which nobody waits long.
 * - patient: in a transaction that locks nobody out, so it may wait for others.
 * - concurrent: outside of a transaction, an index is built or dropped.
 * - backfill: in portions, each a transaction.
 */
type StepKind = 'brief' | 'patient' | 'concurrent' | 'backfill';

export interface Step {
  kind: StepKind;
  statements: readonly string[];
  /** The table that a backfill goes over, and the name that its statement gives it. */
  filled?: { table: string; alias: string };
}

export interface ListedMigration {
  tag: string;
  /** The number by which the database remembers it. */
  when: number;
  path: string;
}

export interface Migration extends ListedMigration {
  hash: string;
  /** It is run step by step, and each step is kept. Any other migration is one step. */
  isOnline: boolean;
  steps: readonly Step[];
}

/** Returns the migrations in their order. */
export async function listMigrations(folder = migrationsFolder): Promise<ListedMigration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return names.map((name, idx) => {
    if (Number(name.slice(0, 4)) !== idx) throw new Error(`Migration ${idx} is missing before ${name}.`);
    return { tag: name.slice(0, -'.sql'.length), when: firstMigrationAt + idx, path: join(folder, name) };
  });
}

export async function readMigration(listed: ListedMigration): Promise<Migration> {
  const sql = await readFile(listed.path, 'utf8');
  const isOnline = /^-- online$/m.test(sql.split('\n', 1)[0] ?? '');
  const statements = splitStatements(sql);
  return {
    ...listed,
    hash: createHash('sha256').update(sql).digest('hex'),
    isOnline,
    steps: isOnline ? stepsOf(listed.tag, statements) : [{ kind: 'brief', statements }],
  };
}

/** Returns the steps of an online migration: what stands between `begin` and `commit` is one, else each statement. */
function stepsOf(tag: string, statements: readonly string[]): Step[] {
  const steps: Step[] = [];
  let block: string[] | undefined;
  for (const statement of statements) {
    const bare = bareStatement(statement).toLowerCase();
    if (bare === 'begin') block = [];
    else if (bare === 'commit') {
      steps.push({ kind: 'brief', statements: block ?? [] });
      block = undefined;
    } else if (block) block.push(statement);
    else steps.push(stepOf(statement, bare));
  }
  if (block) throw new MigrationError(`${tag} has a begin without a commit.`);
  return steps;
}

function stepOf(statement: string, bare: string): Step {
  const [, table, alias] = /^-- backfill (\w+)(?: (\w+))?$/m.exec(statement) ?? [];
  const statements = [statement];
  if (table !== undefined) return { kind: 'backfill', statements, filled: { table, alias: alias ?? table } };
  if (/^(?:create(?: unique)?|drop) index concurrently /.test(bare))
    return { kind: 'concurrent', statements };
  if (/^alter table \S+ validate constraint \S+$/.test(bare)) return { kind: 'patient', statements };
  return { kind: 'brief', statements };
}
