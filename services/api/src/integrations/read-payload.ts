import { ApiError, limits } from '@parley/protocol';

import { parseJson } from '../http/json.ts';

/** The body of a request, and the type that it is said to have. */
export interface Body {
  bytes: Uint8Array;
  contentType: string;
}

/**
 * Reads the JSON that a product has sent: as the body, or in a form's field `payload`.
 *
 * @throws INVALID_JSON
 */
export function readPayload({ bytes, contentType }: Body): unknown {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  const isForm = contentType.toLowerCase().startsWith('application/x-www-form-urlencoded');
  const json = isForm ? (new URLSearchParams(text).get('payload') ?? '') : text;
  const parsed = parseJson(json, { lengthMax: limits.longBodyBytes });
  if (parsed.success) return parsed.value;
  throw new ApiError('INVALID_JSON', 'Malformed JSON');
}
