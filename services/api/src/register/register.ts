import { randomUUID } from 'node:crypto';

import * as actions from '@parley/actions';
import { type Actor, type IncludeSubscribers, isSpectator, getLogHead } from '@parley/model';
import { ApiError, type Client, ID_STEP, type QueueRecord, versionFields } from '@parley/protocol';

import type { RequestContext } from '../request-context.ts';
import { createShared, stateSections } from './sections.ts';
import { asSpectatorsSee, checkSpectator } from './spectator.ts';

export interface Registration {
  client: Client;
  /** Types that the queue hears; null hears all. */
  eventTypes: string[] | null;
  /** Types whose state is answered; null answers all. */
  fetchTypes: string[] | null;
  narrow: [string, string][];
  allPublicStreams: boolean;
  includeSubscribers: IncludeSubscribers;
  idleSeconds: number;
  /** Presence of users who were here in so many days is answered; the contract's default when absent. */
  presenceHistoryDays?: number | undefined;
}

/**
 * State and position from one snapshot: the state holds exactly the changes up to `last_event_id`, the queue
 * delivers exactly the rest. The queue exists once this resolves.
 */
export async function register(call: RequestContext<unknown, Actor>, wanted: Registration) {
  const { actor, realm, clock, queues, snapshot, writeWithoutLog } = call;
  if (wanted.allPublicStreams && actor.role === 600) {
    throw new ApiError('BAD_REQUEST', 'User not authorized for this query');
  }
  if (isSpectator(actor)) checkSpectator(wanted);
  const isFetched = (name: string) => wanted.fetchTypes === null || wanted.fetchTypes.includes(name);
  if (!isSpectator(actor)) {
    await writeWithoutLog((tx) => actions.presence.recordActivity(tx, actor, clock.nowMs()));
  }
  const { head, state, ephemeralAt } = await queues.limitRegistrations(async () => {
    // Before the snapshot: what is said after it must not count as known.
    const ephemeralAt = await queues.newestEphemeral();
    const read = await snapshot(async (tx) => {
      const read: Record<string, unknown> = {};
      const shared = createShared(tx, actor);
      for (const section of stateSections) {
        if (section.types.every(isFetched)) Object.assign(read, await section.read(tx, call, wanted, shared));
      }
      return { head: await getLogHead(tx, realm.id), state: read };
    });
    return { ...read, ephemeralAt };
  });

  // Nobody to keep a queue for: whoever looks on registers again to see more.
  if (isSpectator(actor)) return { queue_id: null, ...versionFields, ...asSpectatorsSee(state, realm.host) };

  const record: QueueRecord = {
    id: randomUUID(),
    realmId: realm.id,
    realm: realm.name,
    epoch: head.epoch,
    userId: actor.id,
    eventTypes: wanted.eventTypes,
    client: wanted.client,
    narrow: wanted.narrow,
    allPublicStreams: wanted.allPublicStreams,
    registeredAt: head.seq,
    ephemeralAt,
    idleSeconds: wanted.idleSeconds,
  };
  await queues.save(record);
  return { queue_id: record.id, last_event_id: head.seq * ID_STEP, ...versionFields, ...state };
}
