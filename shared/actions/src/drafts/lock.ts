import { type DraftRow, type Tx, tables } from '@parley/db';
import { type Actor, hasId, isBigId, isOfUser } from '@parley/model';
import * as model from '@parley/model';
import { ApiError, fullUserSettings, limits } from '@parley/protocol';
import { and, eq, sql } from 'drizzle-orm';

import { lockUser } from '../lock.ts';

const { drafts } = tables;

/**
 * Locks the actor's drafts until the end of the transaction.
 *
 * @throws BAD_REQUEST for an actor whose clients keep their drafts to themselves
 */
export async function lockDrafts(tx: Tx, actor: Actor): Promise<void> {
  const { settings } = await lockUser(tx, actor);
  model.drafts.assertSynchronizesDrafts(fullUserSettings(settings));
}

/**
 * Returns one of the actor's drafts, which the caller has locked.
 *
 * @throws BAD_REQUEST if there is none
 */
export async function getDraft(tx: Tx, actor: Actor, id: number): Promise<DraftRow> {
  const isOwn = and(hasId(drafts, actor.realm, id), eq(drafts.userId, actor.id));
  const [draft] = isBigId(id) ? await tx.select().from(drafts).where(isOwn) : [];
  if (!draft) throw ApiError.missing('This draft does not exist.');
  return draft;
}

/**
 * Refuses what was written if the actor's drafts have become too many, or too long together.
 *
 * @throws BAD_REQUEST
 */
export async function assertDraftsWithinLimits(tx: Tx, actor: Actor): Promise<void> {
  const { draftsPerUser, draftBytesPerUser } = limits;
  const [total] = await tx
    .select({
      count: sql<number>`count(*)::int`,
      bytes: sql<number>`coalesce(sum(octet_length(${drafts.content})), 0)::int`,
    })
    .from(drafts)
    .where(isOfUser(drafts, actor));
  if (!total || total.count > draftsPerUser) {
    throw new ApiError('BAD_REQUEST', `You can have at most ${draftsPerUser} drafts.`);
  }
  if (total.bytes > draftBytesPerUser) {
    throw new ApiError('BAD_REQUEST', `Your drafts can have at most ${draftBytesPerUser} bytes in total.`);
  }
}
