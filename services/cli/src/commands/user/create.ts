import * as actions from '@parley/actions';
import { roles } from '@parley/protocol';
import { buildCommand } from '@stricli/core';

import type { Context } from '../../context.ts';
import {
  type RealmFlags,
  type RoleName,
  oneArgument,
  optionalTextFlag,
  realmFlags,
  roleFlag,
} from '../../flags.ts';
import { printable } from '../../table.ts';

interface Flags extends RealmFlags {
  name?: string;
  role: RoleName;
}

async function run(this: Context, { realm, name, role }: Flags, email: string): Promise<void> {
  await using deployment = await this.open();
  const { engine } = deployment;
  const home = await deployment.getRealm(realm);
  const password = await this.ask.newPassword(email);
  const fullName = name ?? email.split('@')[0] ?? '';
  const account = { email, fullName, role: roles[role], password, welcome: { nowMs: Date.now() } };
  const { user } = await engine.perform(home.id, actions.users.create, { realm: home, ...account });
  this.show(
    { user_id: user.id, email: user.email, full_name: user.fullName, role },
    `${printable(user.fullName)} can log in at ${home.url} as ${user.email} (${role}).`,
  );
}

export const userCreateCommand = buildCommand({
  func: run,
  parameters: {
    flags: {
      ...realmFlags,
      name: optionalTextFlag('name', 'Full name; by default the first part of the address'),
      role: roleFlag('member'),
    },
    positional: oneArgument('email', 'Email address that the account signs in with'),
  },
  docs: {
    brief: 'Create an account',
    fullDescription:
      'Creates an account. Asks for the password, or reads it from standard input. The organization announces the account as usual.',
    customUsage: [
      'ned@acme.example --name "Ned Newcomer"',
      'ada@acme.example --role administrator --realm acme < password.txt',
    ],
  },
});
