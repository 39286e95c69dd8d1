import { type Tx, tables } from '@parley/db';
import { ApiError } from '@parley/protocol';
import { asc, eq } from 'drizzle-orm';

import type { Actor } from '../actor.ts';
import { lockName } from '../lock.ts';

const { customProfileFields } = tables;

export type FieldRow = typeof customProfileFields.$inferSelect;

const inOrder = (fields: FieldRow[]) => fields.sort((a, b) => a.position - b.position || a.id - b.id);

const select = (tx: Tx, realmId: number) =>
  tx
    .select()
    .from(customProfileFields)
    .where(eq(customProfileFields.realmId, realmId))
    .orderBy(asc(customProfileFields.id));

/** All of a realm's fields in their order. */
export const listFields = async (tx: Tx, realmId: number): Promise<FieldRow[]> =>
  inOrder(await select(tx, realmId));

/** All fields, which nobody changes or removes while somebody fills them in. */
export const holdFields = async (tx: Tx, realmId: number): Promise<FieldRow[]> =>
  inOrder(await select(tx, realmId).for('share'));

/** All fields, for whoever changes which there are: nobody else changes one or fills one in meanwhile. */
export async function lockFields(tx: Tx, { realm }: Actor): Promise<FieldRow[]> {
  await lockName(tx, 'list', realm.id, 'profile fields');
  return inOrder(await select(tx, realm.id).for('update'));
}

export function getField(fields: FieldRow[], id: number): FieldRow {
  const field = fields.find((one) => one.id === id);
  if (!field) throw new ApiError('BAD_REQUEST', `Field id ${id} not found.`);
  return field;
}
