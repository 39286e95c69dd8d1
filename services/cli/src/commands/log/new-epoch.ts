import { beginEpochs } from '@parley/log';
import { buildCommand } from '@stricli/core';

import type { Context } from '../../context.ts';
import { type CommonFlags, commonFlags, optionalTextFlag, yesFlag } from '../../flags.ts';
import { Refusal } from '../../refusal.ts';

interface Flags extends CommonFlags {
  realm?: string;
  all: boolean;
  yes: boolean;
}

async function run(this: Context, { realm, all, yes }: Flags): Promise<void> {
  if ((realm === undefined) !== all)
    throw new Refusal('Which organizations?', 'Name one with --realm, or choose --all.');
  await using deployment = await this.open();
  const realmId = realm === undefined ? undefined : (await deployment.getRealm(realm)).id;
  const whose = realm === undefined ? 'all organizations' : `the organization ${realm}`;
  await this.ask.confirm(`All clients of ${whose} will register again.`, yes);
  const epochs = await beginEpochs(deployment.engine.sql, realmId);
  this.show({ epochs }, `A new epoch has begun in ${epochs} ${epochs === 1 ? 'log' : 'logs'}.`);
}

export const logNewEpochCommand = buildCommand({
  func: run,
  parameters: {
    flags: {
      ...commonFlags,
      ...yesFlag,
      realm: optionalTextFlag('name', 'Only this organization'),
      all: { kind: 'boolean', brief: 'All organizations', default: false, withNegated: false },
    },
  },
  docs: {
    brief: 'Make all clients register again, after the database was restored',
    fullDescription: `After the database was restored or changed by hand, clients may know of what is not there any more. Nodes notice that by themselves where anything remembers it: a node, a queue, or Redis. Where nothing does, or to be sure, this command begins a new epoch of the log: every event queue ends within a second, and its client registers again and reads what there is.`,
    customUsage: ['--realm acme', '--all --yes'],
  },
});
