import {
  type Json,
  type Person,
  type TestRealm,
  createChannel,
  realm,
  succeed,
} from '../../support/index.ts';

interface WebhookRealm extends TestRealm {
  hook: Pick<Person, 'id' | 'apiKey' | 'realm'>;
  /** The id of a channel that the bot may write in. */
  builds: number;
  /** The newest message that somebody received: Alice, unless it says who. */
  readonly newest: (by?: Person) => Promise<Json>;
}

/** A realm with an incoming-webhook bot of Alice's, and a channel that it may write in. */
export async function webhookRealm(): Promise<WebhookRealm> {
  const people = await realm();
  const { alice, bob } = people;
  const builds = await createChannel(alice, 'builds', [alice, bob]);
  const made = await succeed(alice.post('/bots', { full_name: 'Hook', short_name: 'hook', bot_type: 2 }));
  const hook = { id: made.user_id, apiKey: made.api_key, realm: alice.realm };
  const newest = async (by: Person = alice) => {
    const page = { anchor: 'newest', num_before: 1, num_after: 0, apply_markdown: false };
    return (await by.get('/messages', page)).messages[0];
  };
  return { ...people, builds, hook, newest };
}
