import { tables, type Tx } from '@parley/db';
import { ApiError } from '@parley/protocol';
import { sql, eq } from 'drizzle-orm';

const { realms, uploadUsage } = tables;

const mebibyte = 1024 * 1024;

/**
 * Counts bytes that come or go, and holds the count to the end of the transaction. After the rows of attachments, before
 * the head of the log.
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

/** Refuses what would take more than the realm may. */
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
