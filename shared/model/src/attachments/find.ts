import { type Tx, type AttachmentRow, tables } from '@parley/db';
import { and, eq } from 'drizzle-orm';

/** Returns the upload of a realm with this path id, whether or not anybody may read it. */
export async function findAttachment(
  tx: Tx,
  realmId: number,
  pathId: string,
): Promise<AttachmentRow | undefined> {
  if (pathId.includes('\0')) return undefined;
  const { attachments } = tables;
  const [row] = await tx
    .select()
    .from(attachments)
    .where(and(eq(attachments.realmId, realmId), eq(attachments.pathId, pathId)));
  return row;
}
