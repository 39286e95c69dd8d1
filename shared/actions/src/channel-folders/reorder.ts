import { type Tx, tables } from '@parley/db';
import { type Actor, hasId } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, ApiError, to, events } from '@parley/protocol';

import { lockFolders } from './names.ts';

/**
 * Sets the order of all folders, archived ones included.
 *
 * @throws UNAUTHORIZED_PRINCIPAL for anyone but administrators
 * @throws BAD_REQUEST for an order that does not name each folder once
 */
export async function reorder(
  tx: Tx,
  { actor, order }: { actor: Actor; order: number[] },
): Promise<ActionResult> {
  model.permissions.assertAdministrator(actor);
  const { channelFolders } = tables;
  const folders = await lockFolders(tx, actor);
  const isComplete = order.length === folders.length && folders.every(({ id }) => order.includes(id));
  if (!isComplete) throw new ApiError('BAD_REQUEST', 'List every id exactly once.');
  for (const [position, id] of order.entries()) {
    await tx
      .update(channelFolders)
      .set({ position })
      .where(hasId(channelFolders, actor.realm, id));
  }
  return { events: [to.everyone(events.channelFolder.reorder({ order }))] };
}
reorder.actionName = 'channelFolders.reorder' as const;
