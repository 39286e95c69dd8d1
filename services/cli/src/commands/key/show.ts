import { deriveApiKey } from '@parley/http';
import { buildCommand } from '@stricli/core';

import type { Context } from '../../context.ts';
import { type RealmFlags, realmFlags, userArgument } from '../../flags.ts';

async function run(this: Context, { realm }: RealmFlags, email: string): Promise<void> {
  await using deployment = await this.open();
  const [secret] = deployment.getSecrets();
  const home = await deployment.getRealm(realm);
  const user = await deployment.getUser(home, email);
  const apiKey = deriveApiKey(secret, user.id, user.keyGeneration);
  this.show({ user_id: user.id, email: user.email, api_key: apiKey, url: home.url }, apiKey);
}

export const keyShowCommand = buildCommand({
  func: run,
  parameters: {
    flags: realmFlags,
    positional: { kind: 'tuple', parameters: [userArgument] },
  },
  docs: {
    brief: 'Print the API key of an account',
    fullDescription:
      'Prints the API key of an account or a bot. Whoever has the key can act as the account, so be careful where it goes.',
    customUsage: ['echo-bot@acme.example', 'echo-bot@acme.example --json'],
  },
});
