import { type Tx, tables } from '@parley/db';
import { type Draft, limits } from '@parley/protocol';
import { and, asc, eq, inArray } from 'drizzle-orm';

import type { Actor } from '../actor.ts';
import { pathOf } from './links.ts';
import { mayReadFile } from './may.ts';
import { type AttachmentRow, draftAttachment } from './present.ts';

export interface Claim {
  rows: AttachmentRow[];
  /** For the owners, to be appended after the message. */
  events: Draft[];
}

/**
 * Finds the uploads that a text links to and the actor may read, and holds them until the message is appended, so
 * that none is deleted in between: the append waits for no row. Holding does not keep others from referring to them.
 */
export async function claim(tx: Tx, actor: Actor, written: readonly string[]): Promise<Claim> {
  const rows = await listReadable(tx, actor, written, 'key share');
  return { rows, events: rows.map((row) => draftAttachment('update', row)) };
}

/** The uploads at some paths, as texts write them, that the actor may read. */
export async function listReadable(
  tx: Tx,
  actor: Actor,
  written: readonly string[],
  lock?: 'key share',
): Promise<AttachmentRow[]> {
  if (written.length === 0) return [];
  const { attachments } = tables;
  const paths = written.slice(0, limits.attachmentsPerMessage).map(pathOf);
  const query = tx
    .select()
    .from(attachments)
    .where(and(eq(attachments.realmId, actor.realm.id), inArray(attachments.pathId, paths)))
    .orderBy(asc(attachments.id));
  const readable: AttachmentRow[] = [];
  for (const row of await (lock ? query.for(lock) : query)) {
    if (await mayReadFile(tx, actor, row)) readable.push(row);
  }
  return readable;
}
