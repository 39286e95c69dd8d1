import type { ProfileFieldRow } from '@parley/db';
import { profileFieldTypes, ApiError, limits } from '@parley/protocol';

const { LONG_TEXT, USER } = profileFieldTypes;

type FieldToCheck = Pick<ProfileFieldRow, 'name' | 'type' | 'isInSummary'>;

/**
 * Refuses a field whose name another has, or that cannot be in the profile summary.
 *
 * @throws BAD_REQUEST saying which
 */
export function assertFieldIsValid(
  others: ProfileFieldRow[],
  { name, type, isInSummary }: FieldToCheck,
): void {
  if (others.some((field) => field.name.toLowerCase() === name.toLowerCase())) {
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
