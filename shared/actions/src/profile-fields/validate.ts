import { type ProfileFieldRow, type Tx, tables } from '@parley/db';
import { type Actor, isNamed } from '@parley/model';
import { profileFieldTypes, ApiError, limits } from '@parley/protocol';
import { and, eq, ne } from 'drizzle-orm';

const { LONG_TEXT, USER } = profileFieldTypes;

type FieldToCheck = Pick<ProfileFieldRow, 'name' | 'type' | 'isInSummary'> & { id?: number };

/**
 * Refuses a field whose name another has, or that cannot be in the profile summary.
 *
 * @throws BAD_REQUEST saying which
 */
export async function assertFieldIsValid(
  tx: Tx,
  { realm }: Actor,
  others: ProfileFieldRow[],
  { id = 0, name, type, isInSummary }: FieldToCheck,
): Promise<void> {
  const { customProfileFields: fields } = tables;
  const hasName = and(eq(fields.realmId, realm.id), isNamed(fields.name, [name]), ne(fields.id, id));
  if ((await tx.select({ id: fields.id }).from(fields).where(hasName)).length > 0) {
    throw new ApiError('BAD_REQUEST', 'A field with that label already exists.');
  }
  if (!isInSummary) return;
  if (type === LONG_TEXT.id || type === USER.id) {
    throw new ApiError('BAD_REQUEST', 'Field type not supported for display in profile summary.');
  }
  if (others.filter((field) => field.isInSummary).length >= limits.profileFieldsInSummary) {
    const msg = 'Only 2 custom profile fields can be displayed in the profile summary.';
    throw new ApiError('BAD_REQUEST', msg);
  }
}
