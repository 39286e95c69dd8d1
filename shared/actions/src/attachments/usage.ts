import { tables, type Tx } from '@parley/db';
import { ApiError } from '@parley/protocol';
import { and, eq, sql, sum } from 'drizzle-orm';

const { attachments, realms, uploadUsage } = tables;

const mebibyte = 1024 * 1024;

/**
 * Adds to the bytes that the realm's uploads take, and locks that count until the end of the transaction. It is locked
 * after rows of attachments and before the head of the log.
 */
export async function addUploadUsage(tx: Tx, realmId: number, bytes: number): Promise<number> {
  const [usage] = await tx
    .insert(uploadUsage)
    .values({ realmId, bytes })
    .onConflictDoUpdate({
      target: uploadUsage.realmId,
      set: { bytes: sql`${uploadUsage.bytes} + excluded.bytes` },
    })
    .returning();
  return usage?.bytes ?? 0;
}

/** Quotas of the server in MiB; null is none. */
export interface UploadQuotas {
  /** Of a realm that has no quota of its own. */
  realmMib: number | null;
  userMib: number | null;
}

/**
 * Refuses uploads that take more bytes than the realm's quota.
 *
 * @throws REALM_UPLOAD_QUOTA when `bytesUsed` is above the quota
 */
export async function assertWithinQuota(
  tx: Tx,
  realmId: number,
  bytesUsed: number,
  { realmMib }: UploadQuotas,
): Promise<void> {
  const [realm] = await tx
    .select({ quota: realms.uploadQuotaMib })
    .from(realms)
    .where(eq(realms.id, realmId));
  const quota = realm?.quota ?? realmMib;
  if (quota !== null && bytesUsed > quota * mebibyte) {
    throw new ApiError(
      'REALM_UPLOAD_QUOTA',
      "This file is too large for what is left of your organization's upload quota.",
    );
  }
}

/**
 * Refuses a user's uploads that take more bytes than each user may.
 *
 * @throws REALM_UPLOAD_QUOTA when they take more, together with `bytes` more
 */
export async function assertWithinUserQuota(
  tx: Tx,
  { id, realm }: { id: number; realm: { id: number } },
  bytes: number,
  { userMib }: UploadQuotas,
): Promise<void> {
  if (userMib === null) return;
  const [own] = await tx
    .select({ bytes: sum(attachments.size) })
    .from(attachments)
    .where(and(eq(attachments.realmId, realm.id), eq(attachments.ownerId, id)));
  if (Number(own?.bytes ?? 0) + bytes > userMib * mebibyte) {
    throw new ApiError('REALM_UPLOAD_QUOTA', 'This file is too large for what is left of your upload quota.');
  }
}
