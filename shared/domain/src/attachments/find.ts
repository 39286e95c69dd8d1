import { type Tx, tables } from '@parley/db';
import { eq } from 'drizzle-orm';

import type { AttachmentRow } from './present.ts';

/** The upload with this address, whoever may read it. */
export async function findFile(tx: Tx, pathId: string): Promise<AttachmentRow | undefined> {
  if (pathId.includes('\0')) return undefined;
  const { attachments } = tables;
  const [row] = await tx.select().from(attachments).where(eq(attachments.pathId, pathId));
  return row;
}
