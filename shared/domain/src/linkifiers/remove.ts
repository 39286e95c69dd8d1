import { type Tx, tables } from '@parley/db';
import type { ActionResult } from '@parley/protocol';
import { eq } from 'drizzle-orm';

import type { Actor } from '../actor.ts';
import { getLinkifier, lockLinkifiers } from './find.ts';
import { draftOfLinkifiers } from './present.ts';

/** Removes a linkifier. What was rendered with it stays as it is. */
export async function remove(tx: Tx, actor: Actor, id: number): Promise<ActionResult> {
  const rows = await lockLinkifiers(tx, actor);
  const gone = getLinkifier(rows, id);
  await tx.delete(tables.linkifiers).where(eq(tables.linkifiers.id, gone.id));
  return { events: [draftOfLinkifiers(rows.filter((row) => row !== gone))] };
}
