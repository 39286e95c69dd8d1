import * as actions from '@parley/actions';
import type { Tx } from '@parley/db';
import type { Sent } from '@parley/log';

import type { BenchServers } from './bench-servers.ts';

/** Makes a sender of messages to one channel, with the plan made once, as an api node has it in memory. */
export async function senderTo({ engine, actor, sender }: BenchServers, channel: string) {
  const recipient = { type: 'channel', channel, topic: 'bench' } as const;
  const makePlan = (tx: Tx) => actions.messages.planSend(tx, actor.realm.id, async () => actor, recipient);
  const text = { client: 'bench', readBySender: false, echo: null };
  // What comes of the first message of a topic comes of no other.
  await engine.perform(actor.realm.id, async (tx) =>
    actions.messages.send(tx, actions.messages.prepare(await makePlan(tx), { ...text, content: 'first' })),
  );
  const plan = await makePlan(engine.db);
  const pending = (content: string) => {
    const message = actions.messages.plainMessage(actions.messages.prepare(plan, { ...text, content }));
    if (!message) throw new Error('The message is not a plain one.');
    return message;
  };
  return {
    pending,
    send: (content: string): Promise<Sent | null> => sender.append(actor.realm.id, pending(content)),
  };
}
