import { beginInTurns, takeBreak } from '@parley/kit';
import { type Actor, isGuest } from '@parley/model';
import * as model from '@parley/model';
import { ApiError, type QueueRecord, isMirror, registeredId, versionFields } from '@parley/protocol';

import type { RequestContext } from '../endpoint/context.ts';
import { withChannelLists } from './channel-lists.ts';
import { compressFields } from './compress-fields.ts';
import { newQueueId } from './queue-id.ts';
import type { Registration } from './registration.ts';
import { createShared, nameTopics, stateSections } from './sections.ts';
import { spectatorState, assertAllowedForSpectators } from './spectator.ts';

/**
 * Creates a queue, and reads the state and the log position in one snapshot: the state contains exactly the changes
 * up to `last_event_id`, and the queue delivers exactly the later ones. The queue exists once this resolves.
 */
export async function register(context: RequestContext<unknown, Actor>, registration: Registration) {
  const { actor, realm, queues, snapshot } = context;
  if (registration.allPublicStreams && isGuest(actor)) {
    throw new ApiError('BAD_REQUEST', 'You do not have permission to do this.');
  }
  if (model.realms.isSpectator(actor)) assertAllowedForSpectators(registration);
  const isFetched = (name: string) =>
    registration.fetchTypes === null || registration.fetchTypes.includes(name);
  const accountId = model.realms.isSpectator(actor) ? null : actor.id;
  const { head, state, open, buckets, ephemeralAt } = await queues.limitRegistrations(
    realm.id,
    accountId,
    async () => {
      // This comes before the snapshot, so that no ephemeral event after the snapshot counts as delivered.
      const ephemeralAt = await queues.newestEphemeral();
      const read = await snapshot(async (tx) => {
        const head = await model.realms.getLogHead(tx, realm.id);
        const shared = createShared(tx, actor, await queues.sharedStates.at(tx, head));
        // Their statements are sent one after the other, and none waits for the answer to another.
        const sections = stateSections.filter(({ types }) => types.every(isFetched));
        const [buckets, parts] = await Promise.all([
          queues.bucketsOf(tx, realm.id),
          beginInTurns(sections, (section) => section.read(tx, context, registration, shared)),
        ]);
        const read: Record<string, unknown> = Object.assign({}, ...parts);
        const state = registration.client.empty_topic_name ? read : nameTopics(read);
        const open = sections.flatMap(({ isOpen }, at) => (isOpen ? Object.keys(parts[at] ?? {}) : []));
        await takeBreak();
        return { head, state, open, buckets };
      });
      return { ...read, ephemeralAt };
    },
  );

  // Spectators get no queue. They register again to see changes.
  if (model.realms.isSpectator(actor)) {
    const spectator = { client: registration.client, emailDomain: realm.emailDomain };
    const shown = await withChannelLists(spectatorState(state, spectator), actor);
    return { queue_id: null, ...versionFields, ...compressFields(shown, open) };
  }

  const record: QueueRecord = {
    id: newQueueId(realm.id, buckets),
    realmId: realm.id,
    realm: realm.name,
    epoch: head.epoch,
    position: { seq: head.seq, term: head.term },
    userId: actor.id,
    eventTypes: registration.eventTypes,
    client: registration.client,
    mirror: isMirror(context.client) ? context.client : '',
    narrow: registration.narrow,
    allPublicStreams: registration.allPublicStreams,
    registeredAt: head.seq,
    ephemeralAt,
    idForm: await queues.idForm(),
    registeredMs: context.clock.nowMs(),
    idleSeconds: registration.idleSeconds,
  };
  const shown = await withChannelLists(state, actor);
  await queues.save(record);
  return {
    queue_id: record.id,
    last_event_id: registeredId(record),
    ...versionFields,
    ...compressFields(shown, open),
  };
}
