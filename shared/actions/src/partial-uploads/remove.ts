import { type Tx, tables } from '@parley/db';
import { type Actor, type SweptRealms, isOfUser, isSwept } from '@parley/model';
import * as model from '@parley/model';
import type { ActionResult } from '@parley/protocol';
import { and, eq, lte } from 'drizzle-orm';

import { immediately, scheduleDeletion } from '../files/index.ts';

const { partialUploads } = tables;

/** Gives up an upload of the actor that arrives in pieces. What it has become stays. False if there is none. */
export async function remove(
  tx: Tx,
  { actor, id }: { actor: Actor; id: string },
): Promise<ActionResult & { isRemoved: boolean }> {
  const isOwn = and(isOfUser(partialUploads, actor), eq(partialUploads.id, id));
  const removed = await tx.delete(partialUploads).where(isOwn).returning({ id: partialUploads.id });
  if (removed.length > 0)
    await scheduleDeletion(tx, {
      folder: model.files.partialUploadFolder(actor.realm.id, id),
      removeAfter: immediately,
    });
  return { events: [], isRemoved: removed.length > 0 };
}
remove.actionName = 'partialUploads.remove' as const;

/** Forgets uploads whose pieces have not all arrived in time. Their folders are scheduled for deletion already. */
export async function removeExpired(tx: Tx, now: Date, realmIds: SweptRealms): Promise<void> {
  await tx
    .delete(partialUploads)
    .where(and(lte(partialUploads.expiresAt, now), isSwept(partialUploads.realmId, realmIds)));
}
