import * as actions from '@parley/actions';
import type { Tx } from '@parley/db';
import type { Sent } from '@parley/log';

import { performAdHoc } from '../support/perform-ad-hoc.ts';
import type { BenchServers } from './bench-servers.ts';

/** Makes a sender of messages to one channel, with the plan made once, as an api node has it in memory. */
export async function senderTo({ engine, actor, sender }: BenchServers, channel: string) {
  const recipient = { type: 'channel', channel, topic: 'bench' } as const;
  const makePlan = (tx: Tx) => actions.messages.planSend(tx, actor.realm.id, async () => actor, recipient);
  const text = { client: 'bench', readBySender: false, echo: null };
  // What comes of the first message of a topic comes of no other.
  await performAdHoc(engine, actor.realm.id, async (tx) => {
    const plan = await makePlan(tx);
    return await actions.messages.sendPrepared(
      tx,
      await actions.messages.prepare(plan, { ...text, content: 'first' }),
    );
  });
  const plan = await makePlan(engine.db);
  const pending = async (content: string) => {
    const message = actions.messages.plainMessage(await actions.messages.prepare(plan, { ...text, content }));
    if (!message) throw new Error('The message is not a plain one.');
    return message;
  };
  return {
    pending,
    send: async (content: string): Promise<Sent | null> =>
      await sender.append(actor.realm.id, await pending(content)),
  };
}
