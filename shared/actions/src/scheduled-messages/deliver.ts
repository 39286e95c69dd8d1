import { type ScheduledMessageRow, type Tx, isDatabaseUnavailable, isDeadlock, tables } from '@parley/db';
import {
  type AlertWordCache,
  type Realm,
  getActiveActor,
  isAmong,
  listUsers,
  presentScheduledMessage,
} from '@parley/model';
import { type ActionResult, ApiError, type Job, type PendingEvent, events, to } from '@parley/protocol';
import { and, asc, eq, isNull, lte } from 'drizzle-orm';

import { lockSchedule } from '../lock.ts';
import {
  type Recipient,
  type SendPlan,
  isReusable,
  noticeEvents,
  parseMessageText,
  plainMessage,
  planSend,
  prepare,
  send,
  withoutMentions,
} from '../messages/index.ts';

const { scheduledMessages } = tables;

export interface Delivering {
  now: Date;
  alertWords: AlertWordCache;
  /** The most messages of one transaction. */
  max: number;
  /** Asked after each message: whether the transaction has taken long enough. */
  isLong(): boolean;
}

export interface Delivered extends ActionResult {
  sent: number;
  failed: number;
  /** More may be due. */
  isMore: boolean;
  /** What nobody foresaw, for the log: the messages that met it have failed. */
  errors: unknown[];
}

/**
 * Sends messages of a user that are due, in the order of their times, each with all the checks of any other message.
 * The message's own entry and the end of its schedule are one transaction: it is sent once, however often this runs. One
 * that may not be sent stays as failed, and its author is told.
 *
 * @throws SERVER_NOT_READY when it should be tried again later
 */
export async function deliver(
  tx: Tx,
  realm: Realm,
  userId: number,
  { now, alertWords, max, isLong }: Delivering,
): Promise<Delivered> {
  await lockSchedule(tx, userId);
  const isDue = and(
    eq(scheduledMessages.userId, userId),
    isNull(scheduledMessages.sentAt),
    isNull(scheduledMessages.failureMessage),
    lte(scheduledMessages.dueAt, now),
  );
  const due = await tx
    .select()
    .from(scheduledMessages)
    .where(isDue)
    .orderBy(asc(scheduledMessages.dueAt), asc(scheduledMessages.id))
    .limit(max);

  const plans = new Map<string, SendPlan>();
  const result = { events: [] as PendingEvent[], keepsRules: true, failed: 0, errors: [] as unknown[] };
  const jobs: Job[] = [];
  const sentIds: number[] = [];
  for (const row of due) {
    // What is written for a message that is then refused is taken back.
    const sending = tx.transaction((inner) => sendOne(inner, realm, row, plans, alertWords));
    const sent = await sending.catch((error: unknown) => refusalOf(error));
    if ('refusal' in sent) {
      result.events.push(...(await fail(tx, realm, row, sent.refusal)));
      result.failed += 1;
      if (sent.isUnforeseen) result.errors.push(sent.error);
    } else {
      const removed = events.scheduledMessages.remove({ scheduled_message_id: row.id });
      result.events.push(...sent.events, to.user({ id: userId }, removed));
      result.keepsRules &&= sent.keepsRules ?? false;
      jobs.push(...(sent.jobs ?? []));
      sentIds.push(row.id);
      // What comes next is planned with this one in its place.
      if (!isReusable(sent.plan)) break;
      plans.set(JSON.stringify(recipientOf(row)), sent.plan);
    }
    if (isLong()) break;
  }
  if (sentIds.length > 0) {
    await tx.update(scheduledMessages).set({ sentAt: now }).where(isAmong(scheduledMessages.id, sentIds));
  }
  const count = sentIds.length + result.failed;
  return { ...result, jobs, sent: sentIds.length, isMore: count === max || count < due.length };
}

interface SentOne extends ActionResult {
  plan: SendPlan;
}

async function sendOne(
  tx: Tx,
  realm: Realm,
  row: ScheduledMessageRow,
  plans: ReadonlyMap<string, SendPlan>,
  alertWords: AlertWordCache,
): Promise<SentOne> {
  const { content, client, readBySender } = row;
  const recipient = recipientOf(row);
  const getActor = (inner: Tx) => getActiveActor(inner, realm, row.userId);
  const plan =
    plans.get(JSON.stringify(recipient)) ?? (await planSend(tx, realm.id, getActor, recipient, alertWords));
  const prepared = await prepare(plan, parseMessageText({ content, client, readBySender, echo: null }));
  const plain = plainMessage(prepared);
  const sent = plain ? { events: [plain], keepsRules: true } : await send(tx, prepared);
  return { ...sent, plan };
}

function recipientOf({ id, type, recipients, topic }: ScheduledMessageRow): Recipient {
  if (type === 'private') return { type: 'direct', users: recipients };
  const [channel] = recipients;
  if (channel === undefined) throw new Error(`Scheduled message ${id} has no channel.`);
  return { type: 'channel', channel, topic };
}

interface Refusal {
  refusal: string;
  isUnforeseen: boolean;
  error: unknown;
}

/** Why a message was refused. Whatever may be otherwise in a moment is thrown on, and the message tried again. */
function refusalOf(error: unknown): Refusal {
  if (error instanceof ApiError && error.code !== 'SERVER_NOT_READY') {
    return { refusal: error.message, isUnforeseen: false, error };
  }
  if (error instanceof ApiError || isDatabaseUnavailable(error) || isDeadlock(error)) throw error;
  return { refusal: 'Something went wrong on the server.', isUnforeseen: true, error };
}

async function fail(
  tx: Tx,
  realm: Realm,
  { id, userId, dueAt }: ScheduledMessageRow,
  refusal: string,
): Promise<PendingEvent[]> {
  const [row] = await tx
    .update(scheduledMessages)
    .set({ failureMessage: refusal })
    .where(eq(scheduledMessages.id, id))
    .returning();
  if (!row) throw new Error('An update returned no row.');
  const updated = events.scheduledMessages.update({ scheduled_message: presentScheduledMessage(row) });
  const [author] = await listUsers(tx, realm.id, [userId]);
  const notice = [
    `Your message that was to be sent at <time:${dueAt.toISOString()}> was not: ${withoutMentions(refusal)}`,
    'It is kept among your [scheduled messages](#scheduled), where you can change it and give it a new time.',
  ].join('\n\n');
  return [
    to.user({ id: userId }, updated),
    ...(author?.isActive ? await noticeEvents(tx, realm, { users: [userId] }, notice) : []),
  ];
}
