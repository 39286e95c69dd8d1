import type { Logger } from '@parley/kit';

interface RoomMakerDeps {
  /** Appends an entry without an event to a realm's log. */
  readonly append: (realmId: number) => Promise<unknown>;
  logger: Logger;
}

/**
 * Returns a function that makes room for heartbeats behind a realm's log, once for all that ask at the same time. Best
 * effort: without room, polls are answered with nothing instead of a heartbeat.
 */
export function createRoomMaker({ append, logger }: RoomMakerDeps): (realmId: number) => void {
  const making = new Set<number>();
  return (realmId) => {
    if (making.has(realmId)) return;
    making.add(realmId);
    append(realmId)
      .catch((error: unknown) => logger.warn({ err: error, realmId }, 'cannot append to a log'))
      .finally(() => making.delete(realmId));
  };
}
