import { type Tx, tables } from '@parley/db';
import { isAmong } from '@parley/model';
import type { NotificationKind } from '@parley/protocol';
import { and, eq, isNull, lte, sql } from 'drizzle-orm';

import { laterBy } from './later-by.ts';

const { pendingNotifications: pending } = tables;

/**
 * For how long nobody else sends what somebody has claimed: longer than sending takes. A mail that could not be sent
 * waits as long, and twice as long with each further attempt.
 */
const leaseSeconds = { mail: 60, push: 20, removal: 20 } as const;
const doublingsMax = { mail: 7, push: 0, removal: 0 } as const;

/** The most messages that one notification tells of: the services take no more than 4 KB, and a mail is counted. */
const rowsMax = { mail: 5000, push: 1, removal: 200 } as const;

/** What one notification tells of. */
export interface Claim {
  kind: NotificationKind;
  realmId: number;
  userId: number;
  /** The ids of its rows. */
  ids: number[];
  messageIds: number[];
  /** How often it was tried to be sent, this time included. */
  attempts: number;
  /** The devices that are still to be notified; null for all. */
  deviceIds: number[] | null;
  /** The id of a mail, which is the same at each attempt. */
  mailId: number;
}

/**
 * Claims the notification that a due row belongs to: of one that goes by mail, the rows of its conversation; of one that
 * removes what was pushed, all of the user. Undefined if there is nothing due any more, as when somebody else has it.
 * What is claimed is due again later, unless it is finished by then.
 */
export async function claim(
  db: Tx,
  { realmId, id }: { realmId: number; id: number },
  now: Date,
): Promise<Claim | undefined> {
  return await db.transaction(async (tx) => {
    const isDue = lte(pending.dueAt, now);
    const ofRealm = eq(pending.realmId, realmId);
    const [first] = await tx
      .select()
      .from(pending)
      .where(and(ofRealm, eq(pending.id, id), isDue));
    if (!first) return undefined;
    const { kind, userId, mailId } = first;
    const ofUser = and(ofRealm, eq(pending.userId, userId), eq(pending.kind, kind), isDue);
    const together = {
      push: and(ofRealm, eq(pending.id, id)),
      removal: ofUser,
      mail:
        mailId === null
          ? and(
              ofUser,
              isNull(pending.mailId),
              eq(pending.conversationId, first.conversationId ?? 0),
              sql`${pending.topicId} is not distinct from ${first.topicId}`,
            )
          : and(ofUser, eq(pending.mailId, mailId)),
    };
    const ids = tx
      .select({ id: pending.id })
      .from(pending)
      .where(together[kind])
      .orderBy(pending.id)
      .limit(rowsMax[kind])
      .for('update');
    const locked = (await ids).map((row) => row.id);
    const lease = sql`${leaseSeconds[kind]}::int * 2 ^ least(${pending.attempts}, ${doublingsMax[kind]}::int)`;
    const rows = await tx
      .update(pending)
      .set({
        attempts: sql`${pending.attempts} + 1`,
        dueAt: laterBy(sql`${now.toISOString()}::timestamptz`, sql`${lease} * interval '1 second'`),
        ...(kind === 'mail' && { mailId: mailId ?? id }),
      })
      .where(and(amongIds({ realmId, ids: locked }), isDue))
      .returning();
    const [row] = rows;
    return (
      row && {
        kind,
        realmId,
        userId,
        ids: rows.map((one) => one.id),
        messageIds: rows.map(({ messageId }) => messageId).sort((a, b) => a - b),
        attempts: Math.max(...rows.map(({ attempts }) => attempts)),
        deviceIds: row.deviceIds,
        mailId: row.mailId ?? id,
      }
    );
  });
}

/** Ends a notification that is sent, or not worth sending any more. */
export async function finish(tx: Tx, claimed: Named): Promise<void> {
  await tx.delete(pending).where(amongIds(claimed));
}

/** Sends a notification again later, to these devices alone. */
export async function retry(tx: Tx, claimed: Named, dueAt: Date, deviceIds: number[]): Promise<void> {
  await tx.update(pending).set({ dueAt, deviceIds }).where(amongIds(claimed));
}

type Named = Pick<Claim, 'realmId' | 'ids'>;

const amongIds = ({ realmId, ids }: Named) => and(eq(pending.realmId, realmId), isAmong(pending.id, ids));

/** Records that a message is shown on a user's phones, before it is. */
export async function recordPushed(
  tx: Tx,
  { realmId, userId, messageIds }: Pick<Claim, 'realmId' | 'userId' | 'messageIds'>,
  now: Date,
): Promise<void> {
  await tx
    .insert(tables.pushedMessages)
    .values(messageIds.map((messageId) => ({ realmId, userId, messageId, pushedAt: now })))
    .onConflictDoNothing();
}
