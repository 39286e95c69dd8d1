import { systemClock } from '@parley/kit';
import type { QueueRecord } from '@parley/protocol';
import { createRegistry, createSigner } from '@parley/redis';
import { describe, expect, test } from 'vitest';

import {
  type Event,
  type Json,
  type Listener,
  type Person,
  getWorld,
  headOf,
  realm,
  say,
  subscribe,
  succeed,
  tell,
} from '../support/index.ts';

/** A client that keeps ids in 32 bits, as some in the field do. */
function int32(id: number): number {
  const [kept = NaN] = new Int32Array([id]);
  if (kept !== id) throw new RangeError(`${id} does not fit into 32 bits.`);
  return kept;
}

/** Appends entries that tell nobody anything. */
async function append(realmId: number, count: number): Promise<void> {
  const { sql } = await getWorld();
  const events = JSON.stringify(
    Array.from({ length: count }, () => ({ event: { type: 'room' }, users: [] })),
  );
  await sql`select from append_events(${realmId}, ${events}::text::jsonb, '[]'::jsonb, true)`;
}

const contentsOf = (events: readonly Event[]) => events.map(({ message }) => message.content);

describe('the ids of a new queue', () => {
  test('begin at 0, and grow by eight an entry, in a realm that has had many', async () => {
    const { alice, bob, realm: home } = await realm();
    await append(home.id, 3000);
    const phone = await bob.listen({ event_types: ['message'] });
    expect(phone.registered.last_event_id).toBe(-1);
    await tell(alice, [bob], 'one');
    await append(home.id, 3000);
    await tell(alice, [bob], 'two');
    // What is older than the node's memory comes in a reply of its own.
    const events = [...(await phone.hears()), ...(await phone.hears())];
    expect(contentsOf(events)).toEqual(['one', 'two']);
    expect(events.map(({ id }) => int32(id))).toEqual([5, 5 + 3001 * 8]);
  });

  test('are the same for whoever asks again, from any of them', async () => {
    const { alice, bob } = await realm();
    const phone = await bob.listen({ event_types: ['message'] });
    for (const content of ['one', 'two', 'three']) await tell(alice, [bob], content);
    const all: Event[] = (await phone.poll({ dont_block: true })).events;
    expect(contentsOf(all)).toEqual(['one', 'two', 'three']);
    for (const [index, { id }] of all.entries()) {
      const { events } = await phone.poll({ dont_block: true, last_event_id: id });
      expect(events).toEqual(all.slice(index + 1));
    }
    expect((await phone.poll({ dont_block: true, last_event_id: -100 })).events).toEqual(all);
  });
});

describe('an entry that becomes many events', () => {
  /** Somebody hears, one by one, that so many messages of a topic are gone. */
  async function deleteTopic(count: number) {
    const { owner, alice, bob, realm: home } = await realm();
    await subscribe(alice, 'news', [owner, alice, bob]);
    const ids: number[] = [];
    for (let n = 0; n < count; n += 1) ids.push(await say(alice, 'news', 't', `${n}`));
    const old = await bob.listen({ event_types: ['delete_message', 'message'] });
    const capabilities = { notification_settings_null: true, bulk_message_deletion: true };
    const newer = await bob.listen({
      event_types: ['delete_message', 'message'],
      client_capabilities: capabilities,
    });
    const { stream_id, subject }: Json = (await bob.get(`/messages/${ids[0]}`)).message;
    const gone = await owner.post(`/streams/${stream_id}/delete_topic`, { topic_name: subject });
    expect(gone).toMatchObject({ result: 'success' });
    await say(alice, 'news', 'after');
    return { ids, old, newer, home };
  }

  const deletedBy = (events: readonly Event[]) =>
    events.filter(({ type }) => type === 'delete_message').map(({ message_id }) => message_id);

  test('gives each an id of its own, from which its client may go on', async () => {
    const { ids, old } = await deleteTopic(30);
    const all: Event[] = (await old.poll({ dont_block: true })).events;
    expect(deletedBy(all).toSorted((a, b) => a - b)).toEqual(ids);
    expect(all.at(-1)).toMatchObject({ type: 'message' });
    const numbers = all.map(({ id }) => int32(id));
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
    for (const index of [0, 1, 7, 15, 29]) {
      const { events } = await old.poll({ dont_block: true, last_event_id: numbers[index] });
      expect(events).toEqual(all.slice(index + 1));
    }
  });

  test('is one event for a client that knows many, in whose ids there are gaps', async () => {
    const { ids, newer } = await deleteTopic(12);
    const events = await newer.hears();
    expect(events.map(({ type }) => type)).toEqual(['delete_message', 'message']);
    expect(events[0]?.message_ids.toSorted((a: number, b: number) => a - b)).toEqual(ids);
  });
});

/** Hears what is published beside the log until so many events came. */
async function hearTyping(phone: Listener, count: number): Promise<Event[]> {
  const heard: Event[] = [];
  while (heard.length < count) heard.push(...(await phone.waits()));
  return heard;
}

test('many ephemeral events behind one entry each reach a client, once, in order', async () => {
  const { alice, bob, realm: home } = await realm();
  const phone = await bob.listen({ event_types: ['typing'] });
  const ops = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? 'start' : 'stop'));
  const before = await headOf(home.id);
  const heard: Event[] = [];
  for (const op of ops) {
    await succeed(alice.post('/typing', { op, to: [bob.id] }));
    heard.push(...(await hearTyping(phone, 1)));
  }
  expect(heard.map(({ op }) => op)).toEqual(ops);
  const ids = heard.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
  expect((await headOf(home.id)) - before, 'room is made where it is needed').toBeLessThan(ops.length / 2);
});

/** Gives a queue that was just registered the ids that it would have from a node of an older version. */
async function makeOld(queueId: string): Promise<number> {
  const { redis, secret } = await getWorld();
  const registry = createRegistry(redis, createSigner([secret]), systemClock);
  const { record } = await registry.lookUp(queueId);
  if (!record) throw new Error('There is no such queue.');
  const wide: QueueRecord = { ...record, idForm: 'wide' };
  const knownTerm = record.position?.term ?? '';
  const renewed = { record: wide, ttlSeconds: 600, isHolder: false, isVouchedFor: true, knownTerm };
  await registry.renew([renewed], 'none');
  return record.registeredAt;
}

test('a queue that a node of an older version registered keeps its ids', async () => {
  const { alice, bob } = await realm();
  const listen = async (person: Person) => await person.listen({ event_types: ['message'] });
  const phone = await listen(bob);
  const seq = await makeOld(phone.queueId);
  phone.lastEventId = seq * 1_000_000;
  await tell(alice, [bob], 'one');
  await tell(alice, [bob], 'two');
  const events = await phone.hears();
  expect(events.map(({ id }) => id)).toEqual([(seq + 1) * 1_000_000, (seq + 2) * 1_000_000]);
  expect(await phone.hears()).toEqual([]);
});
