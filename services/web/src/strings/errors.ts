import { RequestFailed, Unreachable } from '@parley/client';

const unreachable = 'Couldn’t reach the server. Check your connection and try again.';
const failed = (status: number) => `The server couldn’t complete the request (error ${status}).`;

/** Returns what people read when something failed. If the server gave an explanation, that is it. */
export function errorText(error: unknown): string {
  if (error instanceof Unreachable) return unreachable;
  if (error instanceof RequestFailed) {
    const { msg } = error.fields;
    return typeof msg === 'string' ? msg : failed(error.status);
  }
  return error instanceof Error ? error.message : String(error);
}
