import { tables, type Tx } from '@parley/db';
import { eq } from 'drizzle-orm';

const { uploadUsage } = tables;

/** Returns the bytes that a realm's uploads take. */
export async function getUploadUsage(tx: Tx, realmId: number): Promise<number> {
  const [usage] = await tx.select().from(uploadUsage).where(eq(uploadUsage.realmId, realmId));
  return usage?.bytes ?? 0;
}
