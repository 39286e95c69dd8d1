import { ApiError, limits } from '@parley/protocol';

import { parseJson } from '../http/json.ts';

/** The body of a request, and the type that it is said to have. */
export interface Body {
  text: string;
  contentType: string;
}

/**
 * Reads the JSON that a product has sent: as the body, or in a form's field `payload`.
 *
 * @throws INVALID_JSON
 */
export function readPayload({ text, contentType }: Body): unknown {
  const isForm = contentType.toLowerCase().startsWith('application/x-www-form-urlencoded');
  const json = isForm ? (new URLSearchParams(text).get('payload') ?? '') : text;
  const parsed = parseJson(json, { lengthMax: limits.longBodyBytes });
  if (parsed.success) return parsed.value;
  throw new ApiError('INVALID_JSON', 'Malformed JSON');
}
