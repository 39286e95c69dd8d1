import { type Tx, tables } from '@parley/db';
import { type Actor, hasId } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, ApiError } from '@parley/protocol';

import { lockLinkifiers } from './lock.ts';

/**
 * Sets the order of all linkifiers, which decides where several match.
 *
 * @throws UNAUTHORIZED_PRINCIPAL for anyone but administrators
 * @throws BAD_REQUEST for an order that does not name each linkifier once
 */
export async function reorder(
  tx: Tx,
  { actor, order }: { actor: Actor; order: number[] },
): Promise<ActionResult> {
  model.permissions.assertAdministrator(actor);
  if (new Set(order).size !== order.length) {
    throw new ApiError('BAD_REQUEST', 'List every linkifier only once.');
  }
  const rows = await lockLinkifiers(tx, actor);
  const isComplete = order.length === rows.length && rows.every(({ id }) => order.includes(id));
  if (!isComplete) {
    throw new ApiError('BAD_REQUEST', 'List every linkifier exactly once.');
  }
  if (rows.every(({ id }, index) => id === order[index])) return { events: [] };
  const ordered = order.map((id, index) => ({
    ...model.linkifiers.getLinkifier(rows, id),
    position: index + 1,
  }));
  for (const { id, position } of ordered) {
    await tx
      .update(tables.linkifiers)
      .set({ position })
      .where(hasId(tables.linkifiers, actor.realm, id));
  }
  return { events: [model.linkifiers.linkifiersEvent(ordered)], changesRules: true };
}
reorder.actionName = 'linkifiers.reorder' as const;
