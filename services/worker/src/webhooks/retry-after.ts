import { webhookTimes } from '@parley/protocol';

/** Returns the time that a Retry-After header asks to wait, up to an hour; null without one that can be read. */
export function retryAfterMs(header: string, nowMs: number): number | null {
  const text = header.trim();
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs;
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), webhookTimes.retryAfterMsMax);
}
