import { moveRealm } from '@parley/db';
import { buildCommand } from '@stricli/core';

import type { Context } from '../../context.ts';
import { type CommonFlags, commonFlags, oneArgument, textFlag } from '../../flags.ts';

interface Flags extends CommonFlags {
  to: string;
}

async function run(this: Context, { to }: Flags, name: string): Promise<void> {
  await using deployment = await this.open();
  const { id } = await deployment.getRealm(name);
  const say = (line: string) => void this.process.stderr.write(`${line}\n`);
  const moved = await moveRealm(this.settings().DATABASE_URL, { realmId: id, to, say });
  this.show(
    { realm: name, server: to, moved },
    moved ? `The organization ${name} is on ${to} now.` : `The organization ${name} is on ${to} already.`,
  );
}

export const realmMoveCommand = buildCommand({
  func: run,
  parameters: {
    flags: {
      ...commonFlags,
      to: textFlag('server', 'Name and port of the server, as `parley servers` lists it'),
    },
    positional: oneArgument('realm', 'Name of the organization'),
  },
  docs: {
    brief: 'Move an organization to another server of a divided database, while people use it',
    customUsage: ['acme --to worker-2:5432'],
  },
});
