import { messages } from '@parley/domain';

import type { Ground } from './ground.ts';

/** Makes a sender of messages to one channel, with the plan made once, as an api node has it in memory. */
export async function senderTo({ db, actor, sender }: Ground, channel: string) {
  const recipient = { type: 'channel', channel, topic: 'bench' } as const;
  const plan = await messages.planSend(db, actor.realm.id, async () => actor, recipient);
  const text = { client: 'bench', readBySender: false, echo: null };
  const draft = (content: string) => {
    const drafted = messages.draftPlain(plan, { ...text, content });
    if (!drafted) throw new Error('The message is not a plain one.');
    return drafted;
  };
  return {
    draft,
    send: (content: string) => sender.send(actor.realm.id, async () => draft(content)),
  };
}
