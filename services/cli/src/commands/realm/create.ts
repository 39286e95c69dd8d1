import { migrate, readMigrationState } from '@parley/db';
import { buildCommand } from '@stricli/core';

import type { Context } from '../../context.ts';
import { type CommonFlags, commonFlags, oneArgument, optionalTextFlag, textFlag } from '../../flags.ts';
import { found } from '../../found.ts';

interface Flags extends CommonFlags {
  name: string;
  ownerEmail: string;
  ownerName?: string;
}

async function run(this: Context, flags: Flags, realm: string): Promise<void> {
  const { DATABASE_URL } = this.settings();
  const { name: displayName, ownerEmail: email } = flags;
  const ownerName = flags.ownerName ?? email.split('@')[0] ?? '';
  const password = await this.ask.newPassword(email);
  await using deployment = await this.open();
  const { engine, site, secrets } = deployment;
  // Whoever may not migrate founds organizations all the same.
  const { pending } = await readMigrationState(engine.sql);
  if (pending.length > 0) await migrate(DATABASE_URL);
  const owner = { email, name: ownerName, password };
  const founded = await found(engine, site, { realm, displayName, owner, secrets });
  this.show(
    { realm, ...founded },
    `Created ${displayName}: ${founded.url}. ${ownerName} can log in as ${email} and create accounts for others.`,
  );
}

export const realmCreateCommand = buildCommand({
  func: run,
  parameters: {
    flags: {
      ...commonFlags,
      name: textFlag('name', 'Display name of the organization'),
      ownerEmail: textFlag('address', 'Email address of the first owner'),
      ownerName: optionalTextFlag('name', "The owner's name; else the first part of the address"),
    },
    positional: oneArgument('realm', 'Name in its address: a subdomain, unless it is ROOT_REALM'),
  },
  docs: {
    brief: 'Create an organization with its first owner',
    fullDescription:
      'Creates an organization with its first owner, who may create accounts for others. Migrates the database first, if that has not been done. Asks for the password, or reads it from standard input.',
    customUsage: [
      'acme --name "Acme" --owner-email olivia@acme.example',
      {
        input: 'acme --name "Acme" --owner-email olivia@acme.example < password.txt',
        brief: 'Read the password from the first line of a file',
      },
    ],
  },
});
