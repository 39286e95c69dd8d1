import type { tables } from '@parley/db';
import type { SlimPresence } from '@parley/protocol';

interface Times {
  activeAt: Date | null;
  idleAt: Date | null;
}

const seconds = (at: Date) => Math.floor(at.getTime() / 1000);

/** A user who has never been active counts as active when they joined. */
export function slimPresence(
  { activeAt, idleAt }: Times,
  { joinedAt }: Pick<typeof tables.users.$inferSelect, 'joinedAt'>,
): SlimPresence {
  return {
    active_timestamp: seconds(activeAt ?? joinedAt),
    idle_timestamp: seconds(idleAt ?? activeAt ?? joinedAt),
  };
}
