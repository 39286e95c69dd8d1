import { type Tx, tables } from '@parley/db';
import type { ActionResult } from '@parley/protocol';
import { eq } from 'drizzle-orm';

import type { Actor } from '../actor.ts';
import { getField, lockFields } from './find.ts';
import { draftOfFields } from './present.ts';

/** Removes a field with everything that was said in it. */
export async function remove(tx: Tx, actor: Actor, id: number): Promise<ActionResult> {
  const { customProfileFields } = tables;
  const fields = await lockFields(tx, actor);
  const gone = getField(fields, id);
  await tx.delete(customProfileFields).where(eq(customProfileFields.id, gone.id));
  return { events: [draftOfFields(fields.filter((field) => field !== gone))], keepsRules: true };
}
