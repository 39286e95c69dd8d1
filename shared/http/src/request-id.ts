import { randomBytes } from 'node:crypto';

/** The header that names a request, in the request as the nearest proxy sends it and in every reply. */
export const requestIdHeader = 'X-Request-Id';

const grammar = /^[\w.:=-]{1,64}$/;
const prefix = randomBytes(6).toString('hex');
let count = 0;

/**
 * Returns the id by which a request is found in the logs: the one that the nearest proxy gave it, or a new one. What
 * cannot be one, or is long, is no id.
 */
export function requestIdOf(header: string | string[] | undefined): string {
  if (typeof header === 'string' && grammar.test(header)) return header;
  count += 1;
  return `${prefix}-${count}`;
}
