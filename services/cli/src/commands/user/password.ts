import * as actions from '@parley/actions';
import * as model from '@parley/model';
import { buildCommand } from '@stricli/core';

import type { Context } from '../../context.ts';
import { type RealmFlags, realmFlags, userArgument } from '../../flags.ts';
import { printable } from '../../table.ts';

async function run(this: Context, { realm }: RealmFlags, email: string): Promise<void> {
  await using deployment = await this.open();
  const home = await deployment.getRealm(realm);
  const user = await deployment.getUser(home, email);
  const password = await this.ask.newPassword(user.email);
  const hash = await model.users.hashNewPassword(
    password,
    [user.email, user.fullName],
    'This password is too easy to guess. Choose a longer one.',
  );
  await deployment.engine.perform(home.id, actions.users.setPassword, {
    realm: home,
    userId: user.id,
    passwordHash: hash,
  });
  this.show(
    { user_id: user.id, email: user.email },
    `${printable(user.fullName)} has a new password. Browser sessions have ended; API keys stay valid.`,
  );
}

export const userPasswordCommand = buildCommand({
  func: run,
  parameters: {
    flags: realmFlags,
    positional: { kind: 'tuple', parameters: [userArgument] },
  },
  docs: {
    brief: 'Set the password of an account',
    fullDescription:
      'Sets the password of an account. Asks for it, or reads it from standard input. Sessions in browsers end. API keys stay valid; `parley key regenerate` replaces them.',
    customUsage: ['ned@acme.example', 'ned@acme.example --realm acme < password.txt'],
  },
});
