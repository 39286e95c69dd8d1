import { type Tx, tables } from '@parley/db';
import { type Actor, hasId } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, ApiError } from '@parley/protocol';

import { lockFields } from './lock.ts';

/**
 * Sets the order of all custom profile fields.
 *
 * @throws UNAUTHORIZED_PRINCIPAL for anyone but administrators
 * @throws BAD_REQUEST for an order that does not name each field once
 */
export async function reorder(
  tx: Tx,
  { actor, order }: { actor: Actor; order: number[] },
): Promise<ActionResult> {
  model.permissions.assertAdministrator(actor);
  const { customProfileFields } = tables;
  const fields = await lockFields(tx, actor);
  const isComplete = order.length === fields.length && fields.every(({ id }) => order.includes(id));
  if (!isComplete) throw new ApiError('BAD_REQUEST', 'List every id exactly once.');
  const ordered = order.map((id, position) => ({
    ...model.profileFields.getProfileField(fields, id),
    position,
  }));
  for (const { id, position } of ordered) {
    await tx
      .update(customProfileFields)
      .set({ position })
      .where(hasId(customProfileFields, actor.realm, id));
  }
  return { events: [model.profileFields.profileFieldsEvent(ordered)] };
}
reorder.actionName = 'profileFields.reorder' as const;
