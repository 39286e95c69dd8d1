import { type Presence, presenceOf } from '@parley/client';
import { signal } from '@preact/signals';

import { own, slice } from '../live/state.ts';

/** The server's time in seconds, as of the last report: presences grow old without events. */
export const serverTime = signal(Date.now() / 1000);

/** The presence of a user. Whatever reads it runs again when it changes. */
export function presenceNow(userId: number): Presence {
  const threshold = Number(own('server_presence_offline_threshold_seconds'));
  return presenceOf(slice('presences').get(userId), serverTime.value, threshold);
}
