import { type Tx, tables } from '@parley/db';
import { ApiError, type ActionResult } from '@parley/protocol';
import { eq } from 'drizzle-orm';

import type { Actor } from '../actor.ts';
import { getField, lockFields } from './find.ts';
import { draftOfFields } from './present.ts';

/** Puts all fields in an order. */
export async function reorder(tx: Tx, actor: Actor, order: number[]): Promise<ActionResult> {
  const { customProfileFields } = tables;
  const fields = await lockFields(tx, actor);
  const isWhole = order.length === fields.length && fields.every(({ id }) => order.includes(id));
  if (!isWhole) throw new ApiError('BAD_REQUEST', 'Invalid order mapping.');
  const ordered = order.map((id, position) => ({ ...getField(fields, id), position }));
  for (const { id, position } of ordered) {
    await tx.update(customProfileFields).set({ position }).where(eq(customProfileFields.id, id));
  }
  return { events: [draftOfFields(ordered)], keepsRules: true };
}
