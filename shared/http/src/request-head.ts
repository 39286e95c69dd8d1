import { ApiError } from '@parley/protocol';

/** A name or an address, and perhaps a port. */
const hostFormat = /^(?:\[[\da-f:.]+\]|[\w.-]+)(?::\d{0,5})?$/i;

/**
 * Checks what can be malformed in the head of a request although it is HTTP: the Host header and the percent sequences
 * of the path.
 * @throws BAD_REQUEST
 */
export function assertHeadIsValid({ host, url }: { host: string | undefined; url: string }): void {
  if (host === undefined || !hostFormat.test(host)) {
    throw new ApiError('BAD_REQUEST', 'The Host header is missing or malformed.');
  }
  if (!url.includes('%')) return;
  const questionMark = url.indexOf('?');
  try {
    decodeURIComponent(questionMark === -1 ? url : url.slice(0, questionMark));
  } catch {
    throw new ApiError('BAD_REQUEST', 'The path contains a malformed percent sequence.');
  }
}
