import * as actions from '@parley/actions';
import * as model from '@parley/model';
import { roles } from '@parley/protocol';
import { buildCommand } from '@stricli/core';

import type { Context } from '../../context.ts';
import { type RealmFlags, type RoleName, realmFlags, roleArgument, userArgument } from '../../flags.ts';
import { printable } from '../../table.ts';

async function run(this: Context, { realm }: RealmFlags, email: string, role: RoleName): Promise<void> {
  await using deployment = await this.open();
  const home = await deployment.getRealm(realm);
  const user = await deployment.getUser(home, email);
  await deployment.engine.perform(home.id, actions.users.edit, {
    actor: model.realms.operatorOf(home),
    user: user.id,
    role: roles[role],
  });
  this.show({ user_id: user.id, email: user.email, role }, `${printable(user.fullName)}: ${role}.`);
}

export const userRoleCommand = buildCommand({
  func: run,
  parameters: {
    flags: realmFlags,
    positional: { kind: 'tuple', parameters: [userArgument, roleArgument] },
  },
  docs: {
    brief: 'Change the role of an account',
    fullDescription:
      'Changes the role of an account: owner, administrator, moderator, member or guest. The last owner of an organization keeps the role, and a guest has to become a member first.',
    customUsage: ['ned@acme.example moderator', 'ada@acme.example owner --realm acme'],
  },
});
