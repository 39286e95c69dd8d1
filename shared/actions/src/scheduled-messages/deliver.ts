import { type ScheduledMessageRow, type Tx, isDatabaseUnavailable, tables } from '@parley/db';
import { type Realm, hasId, isAmong, isOfUser } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, ApiError, type Job, type PendingEvent, events, to } from '@parley/protocol';
import { and, asc, eq, isNull, lte } from 'drizzle-orm';

import { lockSchedule } from '../lock.ts';
import {
  type PreparedMessage,
  type Recipient,
  type SendPlan,
  isReusable,
  noticeEvents,
  type NoticeWriter,
  parseMessageText,
  plainMessage,
  planSend,
  prepare,
  sendPrepared,
  withoutMentions,
} from '../messages/index.ts';

const { scheduledMessages } = tables;

export interface Delivering {
  now: Date;
  alertWords: model.alertWords.AlertWordCache;
  /** A plan that is remembered of earlier messages of the user. It is used while the rules are those of its making. */
  readonly findPlan: (recipient: Recipient) => SendPlan | undefined;
  /** The most messages of one transaction. */
  max: number;
  /** Asked after each message: whether the transaction has taken long enough. */
  readonly isLong: () => boolean;
}

export interface Delivered extends ActionResult {
  sent: number;
  failed: number;
  /** More may be due. */
  isMore: boolean;
  /** Plans that may be remembered once the transaction is committed. */
  plans: { recipient: Recipient; plan: SendPlan }[];
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
  { realm, userId, now, alertWords, findPlan, max, isLong }: { realm: Realm; userId: number } & Delivering,
): Promise<Delivered> {
  await lockSchedule(tx, { id: userId, realm });
  const due = await listDue(tx, { id: userId, realm }, now, max);
  const rules = await model.permissions.getRules(tx, realm.id);
  const plans = new Map<string, { recipient: Recipient; plan: SendPlan }>();
  const result = { events: [] as PendingEvent[], changesRules: false, failed: 0, errors: [] as unknown[] };
  const jobs: Job[] = [];
  const sentIds: number[] = [];
  for (const row of due) {
    const recipient = recipientOf(row);
    const key = JSON.stringify(recipient);
    const remembered = plans.get(key)?.plan ?? findPlan(recipient);
    const plan = remembered?.rulesVersion === rules.version ? remembered : undefined;
    const sent =
      (plan && (await sendPlain(plan, row))) ??
      (await sendOne(tx, realm, row, { plan, recipient, alertWords }));
    if ('refusal' in sent) {
      result.events.push(...(await fail(tx, realm, row, sent.refusal)));
      result.failed += 1;
      if (sent.isUnforeseen) result.errors.push(sent.error);
    } else {
      const removed = events.scheduledMessages.remove({ scheduled_message_id: row.id });
      result.events.push(...sent.events, to.user({ id: userId }, removed));
      result.changesRules ||= sent.changesRules ?? false;
      jobs.push(...(sent.jobs ?? []));
      sentIds.push(row.id);
      // What comes next is planned with this one in its place.
      if (!isReusable(sent.plan)) break;
      plans.set(key, { recipient, plan: sent.plan });
    }
    if (isLong()) break;
  }
  if (sentIds.length > 0) {
    await tx
      .update(scheduledMessages)
      .set({ sentAt: now })
      .where(and(eq(scheduledMessages.realmId, realm.id), isAmong(scheduledMessages.id, sentIds)));
  }
  const count = sentIds.length + result.failed;
  const isMore = count === max || count < due.length;
  return { ...result, jobs, sent: sentIds.length, isMore, plans: [...plans.values()] };
}
deliver.actionName = 'scheduledMessages.deliver' as const;

async function listDue(
  tx: Tx,
  user: { id: number; realm: Realm },
  now: Date,
  max: number,
): Promise<ScheduledMessageRow[]> {
  const isDue = and(
    isOfUser(scheduledMessages, user),
    isNull(scheduledMessages.sentAt),
    isNull(scheduledMessages.failureMessage),
    lte(scheduledMessages.dueAt, now),
  );
  return await tx
    .select()
    .from(scheduledMessages)
    .where(isDue)
    .orderBy(asc(scheduledMessages.dueAt), asc(scheduledMessages.id))
    .limit(max);
}

interface SentOne extends ActionResult {
  plan: SendPlan;
}

const textOf = ({ content, client, readBySender }: ScheduledMessageRow) =>
  parseMessageText({ content, client, readBySender, echo: null });

/** The message, if nothing else follows from it: then nothing is read or written for it. */
async function sendPlain(plan: SendPlan, row: ScheduledMessageRow): Promise<SentOne | Refusal | null> {
  try {
    const plain = plainMessage(await prepare(plan, textOf(row)));
    return plain && { events: [plain], plan };
  } catch (error) {
    return refusalOf(error);
  }
}

interface SendingOne {
  plan: SendPlan | undefined;
  recipient: Recipient;
  alertWords: model.alertWords.AlertWordCache;
}

/** Sends a message with all that follows from it. What is written for one that is then refused is taken back. */
async function sendOne(
  tx: Tx,
  realm: Realm,
  row: ScheduledMessageRow,
  { plan: given, recipient, alertWords }: SendingOne,
): Promise<SentOne | Refusal> {
  const getActor = (inner: Tx) => model.users.getActiveActor(inner, realm, row.userId);
  const sending = tx.transaction(async (inner): Promise<SentOne> => {
    const plan = given ?? (await planSend(inner, realm.id, getActor, recipient, alertWords));
    return { ...(await deliverPrepared(inner, await prepare(plan, textOf(row)))), plan };
  });
  return await sending.catch((error: unknown) => refusalOf(error));
}

async function deliverPrepared(tx: Tx, prepared: PreparedMessage): Promise<ActionResult> {
  const plain = plainMessage(prepared);
  return plain ? { events: [plain] } : await sendPrepared(tx, prepared);
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
  if (error instanceof ApiError || isDatabaseUnavailable(error)) throw error;
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
    .where(hasId(scheduledMessages, realm, id))
    .returning();
  if (!row) throw new Error('An update returned no row.');
  const updated = events.scheduledMessages.update({
    scheduled_message: model.scheduledMessages.presentScheduledMessage(row),
  });
  const [author] = await model.users.listUsers(tx, realm.id, [userId]);
  const notice: NoticeWriter = ({ scheduled: text }) =>
    [text.failed(`<time:${dueAt.toISOString()}>`, withoutMentions(refusal)), text.reschedule].join('\n\n');
  return [
    to.user({ id: userId }, updated),
    ...(author?.isActive ? await noticeEvents(tx, realm, { users: [userId] }, notice) : []),
  ];
}
