import { ApiError, limits } from '@parley/protocol';

/** Parsed form fields or query arguments, in order. */
export type Form = URLSearchParams;

/**
 * Reads form fields or a query string.
 * @throws BAD_REQUEST if there are too many
 */
export function readForm(text: string): Form {
  let count = 1;
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', at + 1)) {
    count += 1;
    if (count > limits.parametersPerRequest) throw tooManyParameters();
  }
  return new URLSearchParams(text);
}

export const tooManyParameters = () =>
  new ApiError('BAD_REQUEST', `There are too many parameters (limit: ${limits.parametersPerRequest}).`);

/** Parameters that every endpoint accepts and none reports as unknown. */
export const silentParameters: ReadonlySet<string> = new Set(['client', 'method']);
