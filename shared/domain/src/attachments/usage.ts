import { type Tx, tables } from '@parley/db';
import { ApiError } from '@parley/protocol';
import { eq, sql } from 'drizzle-orm';

const { uploadUsage, realms } = tables;
const mebibyte = 1024 * 1024;

/** Bytes that a realm's uploads take. */
export async function getUsage(tx: Tx, realmId: number): Promise<number> {
  const [usage] = await tx.select().from(uploadUsage).where(eq(uploadUsage.realmId, realmId));
  return usage?.bytes ?? 0;
}

/**
 * Counts bytes that come or go, and holds the count to the end of the transaction. After the rows of attachments, before
 * the head of the log.
 */
export async function addUsage(tx: Tx, realmId: number, bytes: number): Promise<number> {
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
export async function checkQuota(tx: Tx, realmId: number, bytesUsed: number): Promise<void> {
  const [realm] = await tx
    .select({ quota: realms.uploadQuotaMib })
    .from(realms)
    .where(eq(realms.id, realmId));
  const quota = realm?.quota ?? null;
  if (quota !== null && bytesUsed > quota * mebibyte) {
    throw new ApiError('REALM_UPLOAD_QUOTA', "Upload would exceed your organization's upload quota.");
  }
}
