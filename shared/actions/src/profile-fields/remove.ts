import { type Tx, tables } from '@parley/db';
import { assertAdministrator } from '@parley/model';
import { type Actor, getProfileField, profileFieldsEvent } from '@parley/model';
import type { ActionResult } from '@parley/protocol';
import { eq } from 'drizzle-orm';

import { lockFields } from './lock.ts';

/** Removes a field with everything that was said in it. */
export async function remove(tx: Tx, actor: Actor, id: number): Promise<ActionResult> {
  assertAdministrator(actor);
  const { customProfileFields } = tables;
  const fields = await lockFields(tx, actor);
  const gone = getProfileField(fields, id);
  await tx.delete(customProfileFields).where(eq(customProfileFields.id, gone.id));
  return { events: [profileFieldsEvent(fields.filter((field) => field !== gone))], keepsRules: true };
}
