import { RequestFailed, Unreachable } from '@parley/client';

const unreachable = 'Couldn’t reach the server. Check your connection and try again.';
const failed = (status: number) => `The server couldn’t complete the request (error ${status}).`;

/** What people read when something failed. The server's own explanation, if it gave one, says most. */
export function errorText(error: unknown): string {
  if (error instanceof Unreachable) return unreachable;
  if (error instanceof RequestFailed) {
    const { msg } = error.fields;
    return typeof msg === 'string' ? msg : failed(error.status);
  }
  return error instanceof Error ? error.message : String(error);
}
