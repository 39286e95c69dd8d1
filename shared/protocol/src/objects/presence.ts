import { z } from 'zod';

/** When a user was last active, and last connected, in seconds since the epoch. */
export const SlimPresence = z.strictObject({ active_timestamp: z.int(), idle_timestamp: z.int() });
export type SlimPresence = z.infer<typeof SlimPresence>;

const legacyStatus = { client: z.string(), status: z.enum(['active', 'idle']), timestamp: z.int() };

/** The presence of a user in the form that older clients read. */
export const LegacyPresence = z.strictObject({
  aggregated: z.strictObject(legacyStatus),
  website: z.strictObject({ ...legacyStatus, pushable: z.boolean() }),
});
export type LegacyPresence = z.infer<typeof LegacyPresence>;

/** Times of the presence protocol, in seconds. */
export const presenceTimes = {
  pingInterval: 60,
  /** A user without a presence update for this long is offline. */
  offlineThreshold: 200,
  /** A presence update that comes sooner than this after the last one changes nothing. */
  updateSpacing: 55,
  /** A user is still active if the last activity was at most this long before the last presence update. */
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
