import { searchEngine } from '@parley/actions';
import { buildCommand } from '@stricli/core';

import type { Context } from '../../context.ts';
import { type CommonFlags, commonFlags, optionalTextFlag } from '../../flags.ts';
import { Refusal } from '../../refusal.ts';

interface Flags extends CommonFlags {
  realm?: string;
  all: boolean;
}

async function run(this: Context, { realm, all }: Flags): Promise<void> {
  if ((realm === undefined) !== all)
    throw new Refusal('Which organizations?', 'Name one with --realm, or choose --all.');
  await using deployment = await this.open();
  const realmId = realm === undefined ? undefined : (await deployment.getRealm(realm)).id;
  const realms = await searchEngine.forget(deployment.engine.db, realmId);
  this.show(
    { realms },
    `Workers fill the search engine anew with ${realms} ${realms === 1 ? 'organization' : 'organizations'}.`,
  );
}

export const searchRebuildCommand = buildCommand({
  func: run,
  parameters: {
    flags: {
      ...commonFlags,
      realm: optionalTextFlag('name', 'Only this organization'),
      all: { kind: 'boolean', brief: 'All organizations', default: false, withNegated: false },
    },
  },
  docs: {
    brief: 'Fill the search engine anew, after its index was restored or changed by hand',
    fullDescription:
      'Workers fill the search engine of SEARCH_URL by themselves when it is new, when its index is gone, and when it was away for long. Where it has lost some of what it had, nobody knows. This command has them begin anew, from the newest message to the oldest; until the engine has a message, Postgres finds it. What it had before is removed within a minute.',
    customUsage: ['--realm acme', '--all'],
  },
});
