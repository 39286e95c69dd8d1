import { RequestFailed, Unreachable } from '@parley/client';

import { catalogue, icu } from './catalogue.ts';

const failure = catalogue('failure', {
  unreachable: 'Couldn’t reach the server. Check your connection and try again.',
  failed: icu('The server couldn’t complete the request (error {status}).', 'status'),
});

/** Returns what people read when something failed. If the server gave an explanation, that is it. */
export function errorText(error: unknown): string {
  if (error instanceof Unreachable) return failure.unreachable;
  if (error instanceof RequestFailed) {
    const { msg } = error.fields;
    return typeof msg === 'string' ? msg : failure.failed(error.status);
  }
  return error instanceof Error ? error.message : String(error);
}
