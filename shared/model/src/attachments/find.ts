import { type Tx, type AttachmentRow, tables } from '@parley/db';
import { eq } from 'drizzle-orm';

/** Returns the upload with this path id, whether or not the actor may read it. */
export async function findAttachment(tx: Tx, pathId: string): Promise<AttachmentRow | undefined> {
  if (pathId.includes('\0')) return undefined;
  const { attachments } = tables;
  const [row] = await tx.select().from(attachments).where(eq(attachments.pathId, pathId));
  return row;
}
