import { type ProfileFieldRow, tables, type Tx } from '@parley/db';
import { ApiError } from '@parley/protocol';
import { eq, asc } from 'drizzle-orm';

const { customProfileFields } = tables;

export const sortProfileFields = (fields: ProfileFieldRow[]) =>
  fields.sort((a, b) => a.position - b.position || a.id - b.id);

export const selectProfileFields = (tx: Tx, realmId: number) =>
  tx
    .select()
    .from(customProfileFields)
    .where(eq(customProfileFields.realmId, realmId))
    .orderBy(asc(customProfileFields.id));

/** All of a realm's fields in their order. */
export const listProfileFields = async (tx: Tx, realmId: number): Promise<ProfileFieldRow[]> =>
  sortProfileFields(await selectProfileFields(tx, realmId));

export function getProfileField(fields: ProfileFieldRow[], id: number): ProfileFieldRow {
  const field = fields.find((one) => one.id === id);
  if (!field) throw new ApiError('BAD_REQUEST', `Field id ${id} not found.`);
  return field;
}
