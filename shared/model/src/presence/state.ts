import type { Tx } from '@parley/db';

import type { Actor } from '../actor.ts';
import { type PresenceQuery, listPresences, presentSlim, presentLegacy } from './find.ts';

/** Returns the `presence` part of POST /register. */
export async function presenceState(tx: Tx, actor: Actor, isSlim: boolean, query: PresenceQuery) {
  const presences = await listPresences(tx, actor, query);
  return {
    presences: isSlim ? presentSlim(presences) : presentLegacy(presences),
    presence_last_update_id: presences.lastUpdateId,
    server_timestamp: query.nowMs / 1000,
  };
}
