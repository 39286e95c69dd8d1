import { type Tx, tables } from '@parley/db';
import { assertAdministrator } from '@parley/model';
import { type Actor, getLinkifier, linkifiersEvent } from '@parley/model';
import type { ActionResult } from '@parley/protocol';
import { eq } from 'drizzle-orm';

import { lockLinkifiers } from './lock.ts';

/** Removes a linkifier. What was rendered with it stays as it is. */
export async function remove(tx: Tx, actor: Actor, id: number): Promise<ActionResult> {
  assertAdministrator(actor);
  const rows = await lockLinkifiers(tx, actor);
  const gone = getLinkifier(rows, id);
  await tx.delete(tables.linkifiers).where(eq(tables.linkifiers.id, gone.id));
  return { events: [linkifiersEvent(rows.filter((row) => row !== gone))] };
}
