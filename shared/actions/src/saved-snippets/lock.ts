import { type SavedSnippetRow, type Tx, tables } from '@parley/db';
import { type Actor, hasId, isId, isOfUser, parseTextField } from '@parley/model';
import { ApiError, limits } from '@parley/protocol';
import { and, eq, sql } from 'drizzle-orm';

import { lockUser } from '../lock.ts';

const { savedSnippets } = tables;

/** @throws BAD_REQUEST for a title that is empty, too long or has a null byte */
export const parseTitle = (raw: string) => parseTextField('title', raw, limits.savedSnippetTitleLength);

/** @throws BAD_REQUEST for a content that is empty, too long or has a null byte */
export const parseContent = (raw: string) => parseTextField('content', raw, limits.messageLength);

/**
 * Locks one of the actor's saved snippets until the end of the transaction, and reads it.
 *
 * @throws BAD_REQUEST if there is none
 */
export async function lockSavedSnippet(tx: Tx, actor: Actor, id: number): Promise<SavedSnippetRow> {
  await lockUser(tx, actor);
  const isOwn = and(hasId(savedSnippets, actor.realm, id), eq(savedSnippets.userId, actor.id));
  const [snippet] = isId(id) ? await tx.select().from(savedSnippets).where(isOwn) : [];
  if (!snippet) throw ApiError.missing('This saved snippet does not exist.');
  return snippet;
}

/**
 * Refuses what was written if the actor's snippets, which are locked, have become too many, or too long together.
 *
 * @throws BAD_REQUEST
 */
export async function assertSnippetsWithinLimits(tx: Tx, actor: Actor): Promise<void> {
  const { savedSnippetsPerUser, savedSnippetBytesPerUser } = limits;
  const [total] = await tx
    .select({
      count: sql<number>`count(*)::int`,
      bytes: sql<number>`coalesce(sum(octet_length(${savedSnippets.content})), 0)::int`,
    })
    .from(savedSnippets)
    .where(isOfUser(savedSnippets, actor));
  if (!total || total.count > savedSnippetsPerUser) {
    throw new ApiError('BAD_REQUEST', `You can have at most ${savedSnippetsPerUser} saved snippets.`);
  }
  if (total.bytes > savedSnippetBytesPerUser) {
    const msg = `Your saved snippets can have at most ${savedSnippetBytesPerUser} bytes in total.`;
    throw new ApiError('BAD_REQUEST', msg);
  }
}
