import { type Presences, presentLegacy, presentSlim } from './find.ts';

/** Returns presences as replies have them, and as the `presence` part of POST /register does. */
export const presentState = (presences: Presences, isSlim: boolean, nowMs: number) => ({
  presences: isSlim ? presentSlim(presences) : presentLegacy(presences),
  presence_last_update_id: presences.lastUpdateId,
  server_timestamp: nowMs / 1000,
});
