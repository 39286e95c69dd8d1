import { z } from 'zod';

/** When a user was last active, and last connected, in seconds (reference/register.md 3.2, slim). */
export const SlimPresence = z.strictObject({ active_timestamp: z.int(), idle_timestamp: z.int() });
export type SlimPresence = z.infer<typeof SlimPresence>;

const legacyPart = { client: z.string(), status: z.enum(['active', 'idle']), timestamp: z.int() };

/** The same as older clients read it. */
export const LegacyPresence = z.strictObject({
  aggregated: z.strictObject(legacyPart),
  website: z.strictObject({ ...legacyPart, pushable: z.boolean() }),
});
export type LegacyPresence = z.infer<typeof LegacyPresence>;

/** Times of presence, in seconds. */
export const presenceTimes = {
  pingInterval: 60,
  /** Without a sign of life for so long, a user is offline. */
  offlineThreshold: 200,
  /** A sign of life that comes sooner after the last changes nothing. */
  updateSpacing: 55,
  /** Somebody who was active no longer ago than this before the last sign of life is active still. */
  activeFor: 70,
} as const;

export const presenceHistoryDays = 14;

export function legacyPresence({ active_timestamp, idle_timestamp }: SlimPresence): LegacyPresence {
  const isActive = active_timestamp + presenceTimes.activeFor >= idle_timestamp;
  const [status, timestamp] = isActive
    ? (['active', active_timestamp] as const)
    : (['idle', idle_timestamp] as const);
  return {
    aggregated: { client: 'website', status, timestamp },
    website: { client: 'website', status, timestamp, pushable: false },
  };
}
