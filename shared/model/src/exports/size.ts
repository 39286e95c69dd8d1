import type { Tx } from '@parley/db';
import { sql } from 'drizzle-orm';

export interface ExportSize {
  messages: number;
  /** Bytes of uploads. */
  bytes: number;
}

/** Returns about how much an export of everything would contain: the messages that were ever sent, and all uploads. */
export async function estimateExport(tx: Tx, realmId: number): Promise<ExportSize> {
  const [size] = await tx.execute<{ messages: string; bytes: string }>(sql`
    select coalesce(sum(h.ordinal), 0) as messages,
      coalesce((select bytes from upload_usage where realm_id = ${realmId}), 0) as bytes
    from conversation_heads h where h.realm_id = ${realmId}`);
  return { messages: Number(size?.messages), bytes: Number(size?.bytes) };
}
