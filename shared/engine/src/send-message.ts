import { messages } from '@parley/actions';
import type { Tx } from '@parley/db';
import { bytesOfData, BoundedCache } from '@parley/kit';
import type { Sender } from '@parley/log';
import type { Actor, Realm } from '@parley/model';
import * as model from '@parley/model';
import { notReady } from '@parley/protocol';

import { Measured } from './measure.ts';
import { type PerformerDeps, databaseOf, performMeasured } from './perform.ts';

/** How often a message is planned again while the rules go on changing. */
const attemptsMax = 6;

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
  readonly read: (tx: Tx) => Promise<Actor>;
}

/** Returns an account that sends without credentials, as when a worker sends for it. */
export const senderById = (realm: Realm, userId: number): MessageSender => ({
  key: `${userId}`,
  read: (tx) => model.users.getActiveActor(tx, realm, userId),
});

export interface SentMessage {
  messageId: number;
  /** The visibility policy that the topic got for the sender by the message; null if it stayed as it was. */
  newPolicy: number | null;
}

/** What sending needs, and what it remembers. */
export interface Sending extends PerformerDeps {
  sender: Sender;
  plans: BoundedCache<string, messages.SendPlan>;
  alertWords: model.alertWords.AlertWordCache;
}

export const createSending = (deps: Omit<Sending, 'plans' | 'alertWords'>): Sending => ({
  ...deps,
  plans: new BoundedCache('plans', { bytesOf: bytesOfPlan }),
  alertWords: model.alertWords.createAlertWordCache(),
});

/** Realms and vocabularies are in memory once, for all plans. */
const bytesOfPlan = (plan: messages.SendPlan): number =>
  bytesOfData(plan, (part) => part === plan.actor.realm || part === plan.options.vocabulary);

/** Identifies a plan among those that are remembered. */
export const planKey = (realmId: number, senderKey: string, recipient: messages.Recipient): string =>
  JSON.stringify([realmId, senderKey, recipient]);

/**
 * Remembers plans, so that most sends are one round trip: the append. The log refuses a message whose plan is older
 * than the realm's rules, and then it is planned again: no plan outlives the rules it was made under. A message from
 * which more follows than its text (mentions, uploads, a topic that becomes more visible) has a transaction of its own,
 * under the same plan.
 */
export async function sendMessage(sending: Sending, message: MessageToSend): Promise<SentMessage> {
  const measured = new Measured(messages.send.actionName);
  return await measured.run(() => sendMeasured(sending, message, measured));
}

async function sendMeasured(
  sending: Sending,
  message: MessageToSend,
  measured: Measured,
): Promise<SentMessage> {
  const parsed = {
    ...message,
    recipient: messages.parseRecipient(message.recipient),
    text: messages.parseMessageText(message.text),
  };
  const db = await databaseOf(sending, message.realm.id);
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const prepared = await prepareMessage(sending, db, parsed, attempt > 0);
    const pending = messages.plainMessage(prepared);
    if (!pending) return await sendInTransaction(sending, parsed, prepared, measured);
    const sent = await sending.sender.append(message.realm.id, pending);
    if (!sent) {
      measured.again();
      continue;
    }
    if (pending.message?.previewsDue) {
      sending.enqueue([{ name: 'preview-links', id: sent.messageId, realmId: message.realm.id }]);
    }
    return { messageId: sent.messageId, newPolicy: null };
  }
  throw notReady('conflicts');
}

/** Sends a message with all that follows from it. It is planned again only if something has changed meanwhile. */
async function sendInTransaction(
  sending: Sending,
  message: MessageToSend,
  prepared: messages.PreparedMessage,
  measured: Measured,
): Promise<SentMessage> {
  const prepareAnew = (tx: Tx) => prepareMessage(sending, tx, message, true);
  const { messageIds, newPolicy } = await performMeasured(
    sending,
    { realmId: message.realm.id, action: messages.send, input: { prepared, prepareAnew } },
    measured,
  );
  const [messageId] = messageIds;
  if (messageId === undefined) throw new Error('A message was sent and has no id.');
  return { messageId, newPolicy };
}

/** Plans a message, or takes the plan of an earlier one, and parses its text. */
async function prepareMessage(
  { plans, alertWords }: Sending,
  tx: Tx,
  { realm, sender, recipient, text }: MessageToSend,
  isFresh: boolean,
): Promise<messages.PreparedMessage> {
  const key = planKey(realm.id, sender.key, recipient);
  const remembered = isFresh ? undefined : plans.get(key);
  const plan = remembered ?? (await messages.planSend(tx, realm.id, sender.read, recipient, alertWords));
  if (!remembered && messages.isReusable(plan)) plans.set(key, plan);
  return await messages.prepare(plan, text, tx);
}
