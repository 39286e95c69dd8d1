import { isTime } from '../texts.ts';

/** Returns a time in millionths of a second; undefined for what is none, or one that no message has. */
export function microsOf(time: unknown): number | undefined {
  const at = time instanceof Date ? time.getTime() * 1000 : Number.NaN;
  return isTime(at) ? at : undefined;
}
