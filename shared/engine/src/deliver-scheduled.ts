import { type messages, scheduledMessages } from '@parley/actions';
import type { Realm } from '@parley/model';

import { perform } from './perform.ts';
import { type Sending, planKey } from './send-message.ts';

/** How much one transaction sends. */
export interface DeliveryBatch {
  now: Date;
  /** The most messages. */
  max: number;
  /** Asked after each message: whether the transaction has taken long enough. */
  isLong(): boolean;
}

/** What became of the messages. */
export type DeliveredBatch = Pick<
  Awaited<ReturnType<typeof scheduledMessages.deliver>>,
  'sent' | 'failed' | 'isMore' | 'errors'
>;

/** Sends messages of a user that are due, in one transaction, by the plans that sending remembers. */
export async function deliverScheduled(
  sending: Sending,
  realm: Realm,
  userId: number,
  batch: DeliveryBatch,
): Promise<DeliveredBatch> {
  const { plans, alertWords } = sending;
  const keyOf = (recipient: messages.Recipient) => planKey(realm.id, `${userId}`, recipient);
  const delivered = await perform(sending, {
    realmId: realm.id,
    action: scheduledMessages.deliver,
    input: { realm, userId, ...batch, alertWords, findPlan: (recipient) => plans.get(keyOf(recipient)) },
  });
  for (const { recipient, plan } of delivered.plans) plans.set(keyOf(recipient), plan);
  return delivered;
}
