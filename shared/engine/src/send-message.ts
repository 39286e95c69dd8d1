import { messages } from '@parley/actions';
import type { Database, Tx } from '@parley/db';
import type { Sender } from '@parley/log';
import { type Actor, type Realm, createAlertWordCache, getActiveActor } from '@parley/model';
import type { Job, PendingEvent } from '@parley/protocol';
import { LRUCache } from 'lru-cache';

import type { Engine } from './engine.ts';

const plansMax = 50_000;

export interface MessageToSend {
  realm: Realm;
  sender: MessageSender;
  recipient: messages.Recipient;
  text: messages.MessageText;
}

export interface MessageSender {
  /** Names the account and how it was verified: what is planned for one says nothing about another. */
  key: string;
  /** Reads the account anew; refuses one that may no longer act. Called whenever no plan is known to hold. */
  read(tx: Tx): Promise<Actor>;
}

/** An account that sends without credentials of its own, as when a worker sends for it. */
export const senderById = (realm: Realm, userId: number): MessageSender => ({
  key: `${userId}`,
  read: (tx) => getActiveActor(tx, realm, userId),
});

export interface SentMessage {
  messageId: number;
  /** How visible the topic has become to the sender by the message; null where it stays. */
  newPolicy: number | null;
}

interface MessageSenderDeps {
  db: Database;
  perform: Engine['perform'];
  enqueue(jobs: readonly Job[]): void;
  sender: Sender;
}

/**
 * Remembers plans, so that a send is one round trip: the append. The log refuses a plan that is older than the realm's
 * rules, and then it is made again; a plan is never trusted for longer than it is true. A message that brings more
 * along than its text has a transaction of its own, under the same plan.
 */
export function createMessageSender({ db, perform, enqueue, sender }: MessageSenderDeps) {
  const plans = new LRUCache<string, messages.SendPlan>({ max: plansMax });
  const alertWords = createAlertWordCache();

  return async ({ realm, sender: by, recipient, text }: MessageToSend): Promise<SentMessage> => {
    const to = messages.parseRecipient(recipient);
    const stored = messages.parseMessageText(text);
    const key = JSON.stringify([realm.id, by.key, to]);

    async function prepare(tx: Tx, isFresh: boolean): Promise<messages.PreparedMessage> {
      const remembered = isFresh ? undefined : plans.get(key);
      const plan = remembered ?? (await messages.planSend(tx, realm.id, by.read, to, alertWords));
      if (!remembered && messages.isReusable(plan)) plans.set(key, plan);
      return messages.prepare(plan, stored);
    }

    // Once planned and parsed, whichever way it goes into the log.
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
      // Run again, it is because something has changed.
      prepared = null;
      return await messages.send(tx, message);
    });
    const [messageId] = messageIds;
    if (messageId === undefined) throw new Error('A message was sent and has no id.');
    return { messageId, newPolicy };
  };
}

const isPreviewDue = (pending: PendingEvent | null) => pending?.message?.previewsDue === true;
