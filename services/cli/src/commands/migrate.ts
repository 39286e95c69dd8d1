import * as actions from '@parley/actions';
import {
  type PlannedMigration,
  connectSql,
  distribute,
  isDistributed,
  migrate,
  planDistribution,
  planMigrations,
} from '@parley/db';
import { createKeyDigests } from '@parley/http';
import type { Secrets } from '@parley/kit';
import { buildCommand } from '@stricli/core';

import type { Context } from '../context.ts';
import { knownSecrets } from '../environment.ts';
import { type CommonFlags, commonFlags } from '../flags.ts';
import { table } from '../table.ts';

interface Flags extends CommonFlags {
  plan: boolean;
  finish: boolean;
  distribute: boolean;
}

async function run(this: Context, { plan, finish, distribute: distributes }: Flags): Promise<void> {
  const settings = this.settings();
  const { DATABASE_URL } = settings;
  if (distributes) {
    await runDistribution.call(this, DATABASE_URL, plan);
    return;
  }
  if (plan) {
    const pending = await planFor(DATABASE_URL);
    this.show({ pending }, planText(pending));
    return;
  }
  await migrate(DATABASE_URL, {
    say: (line) => this.process.stderr.write(`${line}\n`),
    finishes: finish,
  });
  const secrets = knownSecrets(settings);
  if (secrets) await fillKeyDigests(DATABASE_URL, secrets);
  this.show({ migrated: true }, 'The database is up to date.');
}

async function runDistribution(this: Context, url: string, plan: boolean): Promise<void> {
  if (plan) {
    const steps = await planDistribution(url);
    const rows = steps.map(({ what, locks }) => [what, locks]);
    this.show(
      { steps },
      rows.length === 0
        ? 'The database is divided: nothing would be done but to deal out ids again.'
        : table(['step', 'keeps others from'], rows),
    );
    return;
  }
  await distribute(url, { say: (line) => this.process.stderr.write(`${line}\n`) });
  this.show({ distributed: true }, 'The database is divided over its servers.');
}

async function planFor(url: string): Promise<PlannedMigration[]> {
  const sql = connectSql({ url, name: 'plan', max: 1 });
  try {
    return await planMigrations(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

const kinds = {
  brief: 'under short locks',
  patient: 'while others go on',
  concurrent: 'while others go on',
  backfill: 'in portions',
};

function planText(pending: readonly PlannedMigration[]): string {
  if (pending.length === 0) return 'The database is up to date: nothing would be run.';
  const rows = pending.flatMap(({ migration, online, steps }) =>
    steps.map(({ what, kind, state, rows: filled }, at) => [
      at === 0 ? migration : '',
      online ? `${at + 1} of ${steps.length}` : 'one transaction',
      online ? kinds[kind] : 'under short locks',
      what,
      filled ? `${filled.done} of about ${filled.total}` : '',
      state === 'waits' ? '' : state,
    ]),
  );
  return table(['migration', 'step', 'how', 'what', 'rows', 'state'], rows);
}

/** Fills in what SQL alone cannot: workers would do it, but until then nodes could not find accounts by their keys. */
async function fillKeyDigests(url: string, secrets: Secrets): Promise<void> {
  const sql = connectSql({ url, name: 'migrate', max: 1 });
  const digests = createKeyDigests(secrets);
  try {
    const realms = (await isDistributed(sql)) ? await sql<{ id: number }[]>`select id from realms` : null;
    await actions.users.fillAllKeyDigests(sql, digests, { realmIds: realms?.map(({ id }) => id) ?? null });
  } finally {
    await sql.end({ timeout: 5 });
  }
}

export const migrateCommand = buildCommand({
  func: run,
  parameters: {
    flags: {
      ...commonFlags,
      plan: {
        kind: 'boolean',
        brief: 'Show what would be run, and how far it is, and change nothing',
        default: false,
        withNegated: false,
      },
      finish: {
        kind: 'boolean',
        brief: 'Also remove what older nodes need: none runs, nor ever will',
        default: false,
        withNegated: false,
      },
      distribute: {
        kind: 'boolean',
        brief:
          'Divide the organizations over the servers of a Citus, while no node runs; with --plan, show how',
        default: false,
        withNegated: false,
      },
    },
  },
  docs: {
    brief: 'Bring the database up to date, before the nodes of a new version start',
    fullDescription:
      'Runs what the database lacks while the nodes of the version before go on. It may be stopped at any time: run again, it goes on where it was, and two at once take turns. It waits for locks half a second at a time, for five minutes; then it says who holds them. Where roles called parley_node and parley_reader exist, it grants them what nodes and readers need.',
    customUsage: ['', '--plan', '--finish', '--distribute', '--json'],
  },
});
