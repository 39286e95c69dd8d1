import { parseTextField } from '@parley/model';
import { ApiError, limits } from '@parley/protocol';

/**
 * Parses a field's name to the form that is stored.
 *
 * @throws BAD_REQUEST for a name that is blank, too long or has a null byte
 */
export function parseLabel(raw: string): string {
  if (raw.trim() === '') throw new ApiError('BAD_REQUEST', 'Enter a name for this field.');
  return parseTextField('name', raw, limits.profileFieldNameLength);
}

/**
 * Parses a field's hint to the form that is stored.
 *
 * @throws BAD_REQUEST for a hint that is too long or has a null byte
 */
export const parseHint = (raw: string): string =>
  parseTextField('hint', raw, limits.profileFieldHintLength, { mayBeEmpty: true });
