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
    throw new ApiError('BAD_REQUEST', 'There is already a profile field with this name.');
  }
  if (!isInSummary) return;
  if (type === LONG_TEXT.id || type === USER.id) {
    throw new ApiError('BAD_REQUEST', 'Fields of this type cannot be shown in the profile summary.');
  }
  if (others.filter((field) => field.isInSummary).length >= limits.profileFieldsInSummary) {
    const msg = 'The profile summary can show at most 2 custom profile fields.';
    throw new ApiError('BAD_REQUEST', msg);
  }
}
