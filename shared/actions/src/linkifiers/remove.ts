import { type Tx, tables } from '@parley/db';
import { type Actor, hasId } from '@parley/model';
import * as model from '@parley/model';
import type { ActionResult } from '@parley/protocol';

import { lockLinkifiers } from './lock.ts';

/**
 * Removes a linkifier. Messages that were rendered with it stay as they are.
 *
 * @throws UNAUTHORIZED_PRINCIPAL for anyone but administrators
 * @throws BAD_REQUEST for a linkifier that does not exist
 */
export async function remove(tx: Tx, { actor, id }: { actor: Actor; id: number }): Promise<ActionResult> {
  model.permissions.assertAdministrator(actor);
  const rows = await lockLinkifiers(tx, actor);
  const removed = model.linkifiers.getLinkifier(rows, id);
  await tx.delete(tables.linkifiers).where(hasId(tables.linkifiers, actor.realm, removed.id));
  return {
    events: [model.linkifiers.linkifiersEvent(rows.filter((row) => row !== removed))],
    changesRules: true,
  };
}
remove.actionName = 'linkifiers.remove' as const;
