import { ApiError, type PushService, limits } from '@parley/protocol';

/**
 * Returns the form in which a token is stored.
 *
 * @throws BAD_REQUEST for a token that is empty or too long, of other characters than the service's are
 */
export function parseToken(service: PushService, raw: string): string {
  if (raw === '' || raw.length > limits.pushTokenLength) {
    throw new ApiError('BAD_REQUEST', 'The token is empty or too long.');
  }
  if (!/^[\x21-\x7e]+$/.test(raw))
    throw new ApiError('BAD_REQUEST', 'The token contains characters that are not allowed.');
  if (service === 'fcm') return raw;
  if (!/^[0-9a-f]+$/i.test(raw))
    throw new ApiError('BAD_REQUEST', 'The token of an Apple device must be hexadecimal.');
  return raw.toLowerCase();
}
