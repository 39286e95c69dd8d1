import { type ProfileFieldRow, tables, type Tx } from '@parley/db';
import { ApiError } from '@parley/protocol';
import { eq, asc } from 'drizzle-orm';

const { customProfileFields } = tables;

export const sortProfileFields = (fields: ProfileFieldRow[]) =>
  fields.sort((a, b) => a.position - b.position || a.id - b.id);

/** Selects a realm's fields by id, as a query to which the caller may add a lock. */
export const selectProfileFields = (tx: Tx, realmId: number) =>
  tx
    .select()
    .from(customProfileFields)
    .where(eq(customProfileFields.realmId, realmId))
    .orderBy(asc(customProfileFields.id));

/** Returns all custom profile fields of a realm, in the order that administrators gave them. */
export const listProfileFields = async (tx: Tx, realmId: number): Promise<ProfileFieldRow[]> =>
  sortProfileFields(await selectProfileFields(tx, realmId));

/** @throws BAD_REQUEST if there is none with this id */
export function getProfileField(fields: ProfileFieldRow[], fieldId: number): ProfileFieldRow {
  const field = fields.find(({ id }) => id === fieldId);
  if (!field) throw new ApiError('BAD_REQUEST', `There is no profile field with the id ${fieldId}.`);
  return field;
}
