import { connect } from '@parley/client';

import type { Say } from '../machine/say.ts';
import type { Cluster } from '../nodes/start-cluster.ts';
import { foundObservatory } from './found-observatory.ts';
import { stella } from './people.ts';
import { runStella } from './run-stella.ts';
import { type Demo, type DemoUser, seedDemo } from './seed.ts';

export interface Alive {
  users: readonly DemoUser[];
  /** Resolves when its bot hears what is said. */
  started: Promise<unknown>;
  /** Its bot falls silent. */
  stop(): Promise<void>;
}

/**
 * Has people of a demo organization that has just been created talk, and its bot answer.
 *
 * @throws the signal's reason when it is aborted meanwhile
 */
export async function bringToLife(
  cluster: Cluster,
  { users, isNew }: Demo,
  { signal, say }: { signal: AbortSignal; say: Say },
): Promise<Alive> {
  let present: readonly DemoUser[] = users;
  if (isNew) {
    say('Founding an observatory in it …');
    try {
      present = await foundObservatory(cluster, users, { signal });
    } catch (error) {
      signal.throwIfAborted();
      // Everything works without it.
      say(`The observatory is not complete: ${error instanceof Error ? error.message : String(error)}`);
      // Some have their new names already.
      present = (await seedDemo({ databaseUrl: cluster.postgres.url, secret: cluster.secret })).users;
    }
  }
  const bot = users.find(({ email }) => email.startsWith(`${stella.account.toLowerCase()}-bot@`));
  if (!bot) throw new Error('The demo organization has no bot.');
  const credentials = { email: bot.email, apiKey: bot.api_key };
  const following = runStella(connect({ baseUrl: cluster.baseUrl, credentials }), bot.user_id);
  const { started } = following;
  // Who has taken the bot's account away has a demo without it.
  started.catch(() => undefined);
  return { users: present, started, stop: () => following.stop() };
}
