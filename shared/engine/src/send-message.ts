import { messages } from '@parley/actions';
import type { Database, Tx } from '@parley/db';
import type { Sender } from '@parley/log';
import { type Actor, type Realm, createAlertWordCache, getActiveActor } from '@parley/model';
import type { Job, PendingEvent } from '@parley/protocol';
import { LRUCache } from 'lru-cache';

import type { Performer } from './perform.ts';

/** Plans that a process remembers; the least recently used are dropped. */
const plansMax = 50_000;

export interface MessageToSend {
  realm: Realm;
  sender: MessageSender;
  recipient: messages.Recipient;
  text: messages.MessageText;
}

export interface MessageSender {
  /** Identifies the account and how it was verified. Plans are remembered per key. */
  key: string;
  /**
   * Reads the account anew, and refuses one that may no longer act. It is called whenever a plan is made.
   */
  read(tx: Tx): Promise<Actor>;
}

/** An account that sends without credentials, as when a worker sends for it. */
export const senderById = (realm: Realm, userId: number): MessageSender => ({
  key: `${userId}`,
  read: (tx) => getActiveActor(tx, realm, userId),
});

export interface SentMessage {
  messageId: number;
  /** The visibility policy that the topic got for the sender by the message; null if it stayed as it was. */
  newPolicy: number | null;
}

interface MessageSenderDeps {
  db: Database;
  perform: Performer['perform'];
  enqueue(jobs: readonly Job[]): void;
  sender: Sender;
}

/**
 * Remembers plans, so that most sends are one round trip: the append. The log refuses a message whose plan is older than
 * the realm's rules, and then it is planned again: no plan outlives the rules it was made under. A message from which
 * more follows than its text (mentions, uploads, a topic that becomes more visible) has a transaction of its own, under
 * the same plan.
 */
export function createMessageSender({ db, perform, enqueue, sender }: MessageSenderDeps) {
  const plans = new LRUCache<string, messages.SendPlan>({ max: plansMax });
  const alertWords = createAlertWordCache();

  return async ({ realm, sender: from, recipient, text }: MessageToSend): Promise<SentMessage> => {
    const to = messages.parseRecipient(recipient);
    const stored = messages.parseMessageText(text);
    const key = JSON.stringify([realm.id, from.key, to]);

    async function prepare(tx: Tx, isFresh: boolean): Promise<messages.PreparedMessage> {
      const remembered = isFresh ? undefined : plans.get(key);
      const plan = remembered ?? (await messages.planSend(tx, realm.id, from.read, to, alertWords));
      if (!remembered && messages.isReusable(plan)) plans.set(key, plan);
      return messages.prepare(plan, stored);
    }

    // The message is planned and parsed once, whichever way it is appended.
    let prepared: messages.PreparedMessage | null = null;
    let pending: PendingEvent | null = null;
    const sent = await sender.send(realm.id, async (isFresh) => {
      prepared = await prepare(db, isFresh);
      pending = messages.plainMessage(prepared);
      return pending;
    });
    if (sent) {
      if (isPreviewDue(pending)) enqueue([{ name: 'preview-links', id: sent.messageId }]);
      return { messageId: sent.messageId, newPolicy: null };
    }
    const { messageIds, newPolicy } = await perform(realm.id, async (tx) => {
      const message = prepared ?? (await prepare(tx, true));
      // The action is run again only if something has changed: then the message is planned again.
      prepared = null;
      return await messages.send(tx, message);
    });
    const [messageId] = messageIds;
    if (messageId === undefined) throw new Error('A message was sent and has no id.');
    return { messageId, newPolicy };
  };
}

const isPreviewDue = (pending: PendingEvent | null) => pending?.message?.previewsDue === true;
