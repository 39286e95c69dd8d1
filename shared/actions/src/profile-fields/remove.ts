import { type Tx, tables } from '@parley/db';
import { type Actor, hasId } from '@parley/model';
import * as model from '@parley/model';
import type { ActionResult } from '@parley/protocol';

import { lockFields } from './lock.ts';

/**
 * Removes a custom profile field with all of its values.
 *
 * @throws UNAUTHORIZED_PRINCIPAL for anyone but administrators
 * @throws BAD_REQUEST for a field that does not exist
 */
export async function remove(tx: Tx, { actor, id }: { actor: Actor; id: number }): Promise<ActionResult> {
  model.permissions.assertAdministrator(actor);
  const { customProfileFields } = tables;
  const fields = await lockFields(tx, actor);
  const removed = model.profileFields.getProfileField(fields, id);
  await tx.delete(customProfileFields).where(hasId(customProfileFields, actor.realm, removed.id));
  return {
    events: [model.profileFields.profileFieldsEvent(fields.filter((field) => field !== removed))],
  };
}
remove.actionName = 'profileFields.remove' as const;
