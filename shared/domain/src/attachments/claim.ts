import { type Tx, tables } from '@parley/db';
import type { Draft } from '@parley/protocol';
import { and, asc, eq, inArray } from 'drizzle-orm';

import type { Actor } from '../actor.ts';
import { listLinks } from './links.ts';
import { mayReadFile } from './may.ts';
import { draftAttachment } from './present.ts';

export interface Claim {
  /** For `MessageRow.attachments`. */
  ids: number[];
  /** For the owners, to be appended after the message. */
  events: Draft[];
}

/**
 * Finds the uploads that a text refers to and the actor may read, and holds them until the message is appended, so
 * that none is deleted in between: the append waits for no row. Holding does not keep others from referring to them.
 */
export async function claim(tx: Tx, actor: Actor, content: string): Promise<Claim> {
  const paths = listLinks(content);
  if (paths.length === 0) return { ids: [], events: [] };
  const { attachments } = tables;
  const held = await tx
    .select()
    .from(attachments)
    .where(and(eq(attachments.realmId, actor.realm.id), inArray(attachments.pathId, paths)))
    .orderBy(asc(attachments.id))
    .for('key share');
  const readable = [];
  for (const row of held) if (await mayReadFile(tx, actor, row)) readable.push(row);
  return {
    ids: readable.map(({ id }) => id),
    events: readable.map((row) => draftAttachment('update', row)),
  };
}
