import type { SlimPresence } from '@parley/protocol';

import type { Connection } from '../connection/connect.ts';

export interface Heartbeat {
  /** Those of whom something is new since the last report. */
  presences: Record<string, SlimPresence>;
  /** Seconds since the epoch. */
  server_timestamp: number;
  presence_last_update_id: number;
}

/**
 * Says whether somebody uses the client, and asks how others are.
 * @param since the `presence_last_update_id` of the answer before; -1 for everyone
 */
export async function reportPresence(
  connection: Connection,
  { isActive, hasInput, since }: { isActive: boolean; hasInput: boolean; since: number },
): Promise<Heartbeat> {
  return await connection.post<Heartbeat>('/users/me/presence', {
    status: isActive ? 'active' : 'idle',
    new_user_input: hasInput,
    last_update_id: since,
  });
}
