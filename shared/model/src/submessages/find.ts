import { type MessageRow, tables, type Tx } from '@parley/db';
import type { Submessage } from '@parley/protocol';
import { asc, and, eq, count, sql } from 'drizzle-orm';

import { isAmong } from '../ids.ts';

const { submessages } = tables;

export type SubmessageRow = typeof submessages.$inferSelect;

/** Submessages by message id, in the order in which they were added. */
export async function listSubmessages(
  tx: Tx,
  realmId: number,
  messageIds: number[],
): Promise<Map<number, Submessage[]>> {
  const byMessage = new Map<number, Submessage[]>();
  if (messageIds.length === 0) return byMessage;
  const rows = await tx
    .select()
    .from(submessages)
    .where(and(eq(submessages.realmId, realmId), isAmong(submessages.messageId, messageIds)))
    .orderBy(asc(submessages.id));
  for (const row of rows) {
    const list = byMessage.get(row.messageId);
    if (list) list.push(present(row));
    else byMessage.set(row.messageId, [present(row)]);
  }
  return byMessage;
}

/** Returns the submessage that makes a message a widget: its first one of type `widget`. */
export async function findWidget(
  tx: Tx,
  realmId: number,
  messageId: number,
): Promise<SubmessageRow | undefined> {
  const [widget] = await tx
    .select()
    .from(submessages)
    .where(
      and(
        eq(submessages.realmId, realmId),
        eq(submessages.messageId, messageId),
        eq(submessages.type, 'widget'),
      ),
    )
    .orderBy(asc(submessages.id))
    .limit(1);
  return widget;
}

export const hasWidget = async (tx: Tx, realmId: number, messageId: number) =>
  (await findWidget(tx, realmId, messageId)) !== undefined;

/** Returns how many submessages a message has, and whether any is by the message's sender. */
export async function countSubmessages(
  tx: Tx,
  { realmId, id, senderId }: Pick<MessageRow, 'realmId' | 'id' | 'senderId'>,
) {
  const [row] = await tx
    .select({
      count: count(),
      bytes: sql<number>`coalesce(sum(octet_length(${submessages.content})), 0)::int`,
      hasAuthors: sql<boolean>`coalesce(bool_or(${submessages.senderId} = ${senderId}), false)`,
    })
    .from(submessages)
    .where(and(eq(submessages.realmId, realmId), eq(submessages.messageId, id)));
  return row ?? { count: 0, bytes: 0, hasAuthors: false };
}

const present = ({ id, messageId, senderId, type, content }: SubmessageRow): Submessage => ({
  id,
  message_id: messageId,
  sender_id: senderId,
  msg_type: type,
  content,
});
