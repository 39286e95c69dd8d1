import { type Tx, tables } from '@parley/db';
import { type Actor, isOfUser } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, ApiError, fileTimes, limits } from '@parley/protocol';
import { and, eq, gt, isNull, lte, sql } from 'drizzle-orm';

import { type UploadQuotas, assertWithinQuota, assertWithinUserQuota } from '../attachments/index.ts';
import { scheduleDeletion } from '../files/index.ts';
import { lockUser } from '../lock.ts';

const { partialUploads } = tables;

/** Longer than any request takes, so that no piece is stored in a folder that is deleted already. */
const afterExpiryMs = 3_600_000;

export interface NewPartialUpload {
  id: string;
  bytes: number;
  metadata: string | null;
  now: Date;
}

/**
 * Announces an upload that will arrive in pieces. All of its bytes count towards the quotas from now on.
 *
 * @throws BAD_REQUEST for more unfinished uploads than an account may have
 * @throws REALM_UPLOAD_QUOTA when the uploads of the realm or of the actor would take more than a quota
 */
export async function create(
  tx: Tx,
  { actor, id, bytes, metadata, now, quotas }: { actor: Actor; quotas: UploadQuotas } & NewPartialUpload,
): Promise<ActionResult> {
  await lockUser(tx, actor);
  const realmId = actor.realm.id;
  const expired = and(isOfUser(partialUploads, actor), lte(partialUploads.expiresAt, now));
  await tx.delete(partialUploads).where(expired);
  const own = await reserved(tx, actor.realm, now, actor.id);
  if (own.count >= limits.partialUploadsPerUser) {
    const msg = `You can have at most ${limits.partialUploadsPerUser} unfinished uploads. Finish or cancel some first.`;
    throw new ApiError('BAD_REQUEST', msg);
  }
  const inRealm = await reserved(tx, actor.realm, now);
  const used = await model.attachments.getUploadUsage(tx, realmId);
  await assertWithinQuota(tx, realmId, used + inRealm.bytes + bytes, quotas);
  await assertWithinUserQuota(tx, actor, own.bytes + bytes, quotas);
  const expiresAt = new Date(now.getTime() + fileTimes.partialUploadMs);
  const removeAfter = new Date(expiresAt.getTime() + afterExpiryMs);
  await scheduleDeletion(tx, { folder: model.files.partialUploadFolder(realmId, id), removeAfter });
  const row = { id, realmId, userId: actor.id, bytes, metadata, createdAt: now, expiresAt };
  await tx.insert(partialUploads).values(row);
  return { events: [] };
}
create.actionName = 'partialUploads.create' as const;

/** The unfinished uploads of an organization, or of a user, and the bytes that they will take. */
async function reserved(tx: Tx, realm: { id: number }, now: Date, userId?: number) {
  const [total] = await tx
    .select({
      count: sql<number>`count(*)::int`,
      bytes: sql<number>`coalesce(sum(${partialUploads.bytes}), 0)::float8`,
    })
    .from(partialUploads)
    .where(
      and(
        eq(partialUploads.realmId, realm.id),
        userId === undefined ? undefined : eq(partialUploads.userId, userId),
        isNull(partialUploads.pathId),
        gt(partialUploads.expiresAt, now),
      ),
    );
  if (!total) throw new Error('A count returned no row.');
  return total;
}
