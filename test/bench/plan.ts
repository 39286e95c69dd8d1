import * as actions from '@parley/actions';
import type { Tx } from '@parley/db';
import { commit } from '@parley/log';

import type { Ground } from './ground.ts';

/** Makes a sender of messages to one channel, with the plan made once, as an api node has it in memory. */
export async function senderTo({ db, publisher, actor, sender }: Ground, channel: string) {
  const recipient = { type: 'channel', channel, topic: 'bench' } as const;
  const makePlan = (tx: Tx) => actions.messages.planSend(tx, actor.realm.id, async () => actor, recipient);
  const text = { client: 'bench', readBySender: false, echo: null };
  // What comes of the first message of a topic comes of no other.
  await commit({ db, publisher }, actor.realm.id, async (tx) =>
    actions.messages.send(tx, await makePlan(tx), { ...text, content: 'first' }),
  );
  const plan = await makePlan(db);
  const draft = (content: string) => {
    const drafted = actions.messages.plainMessage(plan, { ...text, content });
    if (!drafted) throw new Error('The message is not a plain one.');
    return drafted;
  };
  return {
    draft,
    send: (content: string) => sender.send(actor.realm.id, async () => draft(content)),
  };
}
