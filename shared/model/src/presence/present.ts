import type { tables } from '@parley/db';
import type { SlimPresence } from '@parley/protocol';

import { toSeconds } from '../time.ts';

interface Times {
  activeAt: Date | null;
  idleAt: Date | null;
}

/**
 * Returns a presence in the `slim_presence` format. A user who has never been active counts as active when they joined.
 */
export function slimPresence(
  { activeAt, idleAt }: Times,
  { joinedAt }: Pick<typeof tables.users.$inferSelect, 'joinedAt'>,
): SlimPresence {
  return {
    active_timestamp: toSeconds(activeAt ?? joinedAt),
    idle_timestamp: toSeconds(idleAt ?? activeAt ?? joinedAt),
  };
}
