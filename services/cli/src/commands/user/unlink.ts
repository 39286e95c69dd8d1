import * as actions from '@parley/actions';
import { buildCommand } from '@stricli/core';

import type { Context } from '../../context.ts';
import { type RealmFlags, realmFlags, userArgument } from '../../flags.ts';

async function run(this: Context, { realm }: RealmFlags, email: string): Promise<void> {
  await using deployment = await this.open();
  const home = await deployment.getRealm(realm);
  const user = await deployment.getUser(home, email);
  const { count } = await deployment.engine.writeWithoutLog(home.id, actions.signIn.unlink, {
    user: { id: user.id, realm: home },
  });
  this.show(
    { user_id: user.id, email: user.email, unlinked: count },
    count === 0
      ? `${user.email} has not been signed in to at a provider.`
      : `${user.email} belongs to whoever next signs in with this verified address at the provider. Sessions and API keys stay valid.`,
  );
}

export const userUnlinkCommand = buildCommand({
  func: run,
  parameters: {
    flags: realmFlags,
    positional: { kind: 'tuple', parameters: [userArgument] },
  },
  docs: {
    brief: 'Let somebody else of the OpenID Connect provider sign in to an account',
    fullDescription:
      'An account belongs to whoever first signed in to it at the provider of OpenID Connect. This ends that: it then belongs to whoever next signs in with its verified email address. Sessions and API keys stay valid; `parley key regenerate` ends both.',
    customUsage: ['ned@acme.example', 'ned@acme.example --realm acme'],
  },
});
