import { tables, type Tx } from '@parley/db';
import { ApiError } from '@parley/protocol';
import { sql, eq } from 'drizzle-orm';

const { realms, uploadUsage } = tables;

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

/**
 * Refuses uploads that take more bytes than the realm's quota.
 *
 * @throws REALM_UPLOAD_QUOTA when `bytesUsed` is above the quota
 */
export async function assertWithinQuota(tx: Tx, realmId: number, bytesUsed: number): Promise<void> {
  const [realm] = await tx
    .select({ quota: realms.uploadQuotaMib })
    .from(realms)
    .where(eq(realms.id, realmId));
  const quota = realm?.quota ?? null;
  if (quota !== null && bytesUsed > quota * mebibyte) {
    throw new ApiError('REALM_UPLOAD_QUOTA', "Upload would exceed your organization's upload quota.");
  }
}
