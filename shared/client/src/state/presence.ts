import type { SlimPresence } from '@parley/protocol';

import type { Changes } from './changes.ts';
import type { State } from './state.ts';

export type Presence = 'active' | 'idle' | 'offline';

/** Who was active at most this many seconds before the last report is active still. */
const activeFor = 70;

/**
 * How somebody is, by what was last reported of them.
 * @param now seconds since the epoch, by the server's clock
 * @param threshold after how many seconds without a report somebody is offline
 */
export function presenceOf(times: SlimPresence | undefined, now: number, threshold: number): Presence {
  if (!times) return 'offline';
  const { active_timestamp: active, idle_timestamp: idle } = times;
  const isActive = active + activeFor >= idle;
  if (now - (isActive ? active : idle) > threshold) return 'offline';
  return isActive ? 'active' : 'idle';
}

/** Merges the presences of a reply, by user id. */
export function mergePresences(
  state: State,
  presences: Readonly<Record<string, SlimPresence>>,
  { slices }: Changes,
): void {
  const all = Object.entries(presences);
  if (all.length === 0) return;
  for (const [id, times] of all) state.presences.set(Number(id), times);
  slices.add('presences');
}
