import { tables, type Tx } from '@parley/db';
import { ApiError } from '@parley/protocol';
import { and, eq, isNotNull, sql } from 'drizzle-orm';

import { type Realm, actorOf, type Actor } from '../actor.ts';
import { dueByRealm } from '../due-by-realm.ts';
import type { SweptRealms } from '../ids.ts';
import { getRules } from '../permissions/rules.ts';
import { type Site, realmAt } from '../realms/site.ts';
import { getTextOptions } from '../texts/options.ts';
import { parseTextIn } from '../texts/outside.ts';

const { messages, realms, users } = tables;

/** A message whose linked pages are still to be fetched. */
export interface MessageAwaitingPreviews {
  realm: Realm;
  content: string;
  /** The links that may get a preview below the message. */
  pages: string[];
}

/** A message of a realm. */
export interface MessageReference {
  realmId: number;
  messageId: number;
}

/** Returns a message that still waits for previews; undefined if it does not, or no longer exists. */
export async function findMessageAwaitingPreviews(
  tx: Tx,
  site: Site,
  { realmId, messageId }: MessageReference,
): Promise<MessageAwaitingPreviews | undefined> {
  const [row] = await tx
    .select({ content: messages.content, realm: realms, sender: users })
    .from(messages)
    .innerJoin(realms, eq(realms.id, messages.realmId))
    .innerJoin(users, and(eq(users.realmId, messages.realmId), eq(users.id, messages.senderId)))
    .where(and(eq(messages.realmId, realmId), eq(messages.id, messageId), isNotNull(messages.previewsDueAt)));
  const realm = row && realmAt(row.realm, site);
  if (!realm) return undefined;
  return { realm, content: row.content, pages: await listPages(tx, actorOf(row.sender, realm), row.content) };
}

/** The links in a content that may get a preview; empty for a content that can no longer be rendered. */
async function listPages(tx: Tx, sender: Actor, content: string): Promise<string[]> {
  const options = await getTextOptions(tx, sender, await getRules(tx, sender.realm.id));
  try {
    return (await parseTextIn(tx, content, options)).pages;
  } catch (error) {
    if (error instanceof ApiError) return [];
    throw error;
  }
}

/** Returns messages that have waited for previews since `before`, of each realm the longest waiting first; realms take turns. */
export async function listMessagesAwaitingPreviews(
  tx: Tx,
  { before, realmIds }: { before: Date; realmIds: SweptRealms },
  limit: number,
): Promise<MessageReference[]> {
  const due = dueByRealm({
    table: sql`messages`,
    dueAt: sql`previews_due_at`,
    waits: sql`previews_due_at is not null`,
    now: before,
    realmIds,
    limit,
  });
  const rows = await tx.execute<{ realm_id: number; id: string }>(
    sql`select realm_id, id from ${due} due order by place, id`,
  );
  return rows.map(({ realm_id, id }) => ({ realmId: realm_id, messageId: Number(id) }));
}
