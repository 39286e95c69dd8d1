import { isolateRealm } from '@parley/db';
import { buildCommand } from '@stricli/core';

import type { Context } from '../../context.ts';
import { type CommonFlags, commonFlags, oneArgument } from '../../flags.ts';

async function run(this: Context, _flags: CommonFlags, name: string): Promise<void> {
  await using deployment = await this.open();
  const { id } = await deployment.getRealm(name);
  const say = (line: string) => void this.process.stderr.write(`${line}\n`);
  const isolated = await isolateRealm(this.settings().DATABASE_URL, { realmId: id, say });
  this.show(
    { realm: name, isolated },
    isolated
      ? `The organization ${name} has a part of the tables of its own now.`
      : `The organization ${name} has a part of the tables of its own already.`,
  );
}

export const realmIsolateCommand = buildCommand({
  func: run,
  parameters: {
    flags: commonFlags,
    positional: oneArgument('realm', 'Name of the organization'),
  },
  docs: {
    brief: 'Give an organization of a divided database a part of the tables of its own, while people use it',
    customUsage: ['acme'],
  },
});
