import * as actions from '@parley/actions';
import { buildCommand } from '@stricli/core';

import type { Context } from '../../context.ts';
import { type RealmFlags, realmFlags, userArgument, yesFlag } from '../../flags.ts';

interface Flags extends RealmFlags {
  yes: boolean;
}

async function run(this: Context, { realm, yes }: Flags, email: string): Promise<void> {
  await using deployment = await this.open();
  const home = await deployment.getRealm(realm);
  const user = await deployment.getUser(home, email);
  await this.ask.confirm(
    `Every program that uses the current API key of ${user.email} will stop working.`,
    yes,
  );
  await deployment.engine.perform(home.id, actions.users.endApiKey, {
    user: { id: user.id, realm: home },
  });
  this.show(
    { user_id: user.id, email: user.email },
    `${user.email} has a new API key. Show it: parley key show ${user.email}`,
  );
}

export const keyRegenerateCommand = buildCommand({
  func: run,
  parameters: {
    flags: { ...realmFlags, ...yesFlag },
    positional: { kind: 'tuple', parameters: [userArgument] },
  },
  docs: {
    brief: 'Replace the API key of an account; the old one stops working at once, on every node',
    customUsage: ['echo-bot@acme.example', 'echo-bot@acme.example --yes'],
  },
});
