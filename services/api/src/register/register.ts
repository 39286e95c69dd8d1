import { randomUUID } from 'node:crypto';

import { type Actor, type channels, realms } from '@parley/domain';
import { ApiError, type Client, ID_STEP, type QueueRecord, versionFields } from '@parley/protocol';

import type { Call } from '../endpoint.ts';
import { stateSections } from './sections.ts';

export interface Registration {
  client: Client;
  /** Types that the queue hears; null hears all. */
  eventTypes: string[] | null;
  /** Types whose state is answered; null answers all. */
  fetchTypes: string[] | null;
  narrow: [string, string][];
  allPublicStreams: boolean;
  includeSubscribers: channels.IncludeSubscribers;
  idleSeconds: number;
}

/**
 * State and position from one snapshot: the state holds exactly the changes up to `last_event_id`, the queue
 * delivers exactly the rest. The queue exists once this resolves.
 */
export async function register(call: Call<unknown, Actor>, wanted: Registration) {
  const { actor, realm, admit, snapshot, saveQueue } = call;
  if (wanted.allPublicStreams && actor.role === 600) {
    throw new ApiError('BAD_REQUEST', 'User not authorized for this query');
  }
  const isFetched = (name: string) => wanted.fetchTypes === null || wanted.fetchTypes.includes(name);
  const { head, state } = await admit(() =>
    snapshot(async (tx) => {
      const read: Record<string, unknown> = {};
      for (const section of stateSections) {
        if (section.types.every(isFetched)) Object.assign(read, await section.read(tx, call, wanted));
      }
      return { head: await realms.getHead(tx, realm.id), state: read };
    }),
  );

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
    idleSeconds: wanted.idleSeconds,
  };
  await saveQueue(record);
  return { queue_id: record.id, last_event_id: head.seq * ID_STEP, ...versionFields, ...state };
}
