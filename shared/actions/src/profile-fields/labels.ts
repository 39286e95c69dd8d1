import { parseTextField } from '@parley/model';
import { ApiError, limits } from '@parley/protocol';

/** What a field is called, as it is stored. */
export function parseLabel(raw: string): string {
  if (raw.trim() === '') throw new ApiError('BAD_REQUEST', 'Label cannot be blank.');
  return parseTextField('name', raw, limits.profileFieldNameLength);
}

/** The sentence that explains a field, as it is stored. */
export const parseHint = (raw: string): string =>
  parseTextField('hint', raw, limits.profileFieldHintLength, { mayBeEmpty: true });
