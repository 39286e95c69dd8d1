import * as actions from '@parley/actions';
import type { Database, Tx } from '@parley/db';
import { type Publisher, type Sender, commit } from '@parley/log';
import { type Actor, type Realm, createAlertWordCache } from '@parley/model';
import type { PendingEvent } from '@parley/protocol';
import type { Jobs } from '@parley/redis';
import { LRUCache } from 'lru-cache';

const plansMax = 50_000;

export interface PlannedSender {
  /** `getActor` proves the sender again; it is called whenever the plan at hand is not known to hold. */
  send(sending: Sending): Promise<SentMessage>;
}

export interface SentMessage {
  messageId: number;
  /** How visible the topic has become to the sender by the message; null where it stays. */
  newPolicy: number | null;
}

interface Sending {
  realm: Realm;
  actor: Actor;
  getActor(tx: Tx): Promise<Actor>;
  recipient: actions.messages.Recipient;
  text: actions.messages.MessageText;
}

interface Needs {
  db: Database;
  publisher: Publisher;
  sender: Sender;
  jobs: Jobs;
}

const hasPreviewsDue = (draft: PendingEvent | null) => draft?.message?.previewsDue === true;

/**
 * Remembers what sending depends on, so that a send is one round trip: the append. The log refuses a plan that is
 * older than the realm's rules, and then it is made again; a plan is never trusted for longer than it is true. A
 * message that brings more along than its text has a transaction of its own.
 */
export function createPlannedSender({ db, publisher, sender, jobs }: Needs): PlannedSender {
  const plans = new LRUCache<string, actions.messages.SendPlan>({ max: plansMax });
  const alertWords = createAlertWordCache();

  /** Null where the message is not the plan and the text alone. */
  async function sendPlainly({
    realm,
    actor,
    getActor,
    recipient,
    text,
  }: Sending): Promise<SentMessage | null> {
    // The generation is part of the key: a plan proved with a new key says nothing about an old one.
    const key = JSON.stringify([actor.id, actor.keyGeneration, recipient]);
    let draft: PendingEvent | null = null;
    const sent = await sender.send(realm.id, async (isFresh) => {
      const known = isFresh ? undefined : plans.get(key);
      const plan = known ?? (await actions.messages.planSend(db, realm.id, getActor, recipient, alertWords));
      if (actions.messages.isLasting(plan)) plans.set(key, plan);
      draft = actions.messages.plainMessage(plan, text);
      return draft;
    });
    if (sent && hasPreviewsDue(draft)) jobs.ask('preview-links', sent.messageId);
    return sent && { messageId: sent.messageId, newPolicy: null };
  }

  return {
    async send(sending) {
      const sent = await sendPlainly(sending);
      if (sent) return sent;
      const { realm, getActor, recipient, text } = sending;
      const { messageIds, newPolicy, events } = await commit({ db, publisher }, realm.id, async (tx) =>
        actions.messages.send(
          tx,
          await actions.messages.planSend(tx, realm.id, getActor, recipient, alertWords),
          text,
        ),
      );
      const [messageId] = messageIds;
      if (messageId === undefined) throw new Error('A message was sent and has no id.');
      if (events.some(hasPreviewsDue)) jobs.ask('preview-links', messageId);
      return { messageId, newPolicy };
    },
  };
}
