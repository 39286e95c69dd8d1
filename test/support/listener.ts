import { systemClock } from '@parley/kit';
import { queueIds } from '@parley/protocol';
import { createRegistry, createSigner } from '@parley/redis';
import { expect } from 'vitest';

import type { Json, Params } from './http.ts';
import { getWorld } from './world.ts';

export type Event = { id: number; type: string } & Record<string, Json>;

/** Whoever may register a queue. */
interface Registrant {
  realm: { id: number };
  get(path: string, params?: Params): Promise<Json>;
  post(path: string, params?: Params): Promise<Json>;
}

/** A client with an event queue. */
export interface Listener {
  queueId: string;
  /** The newest event it has heard of. */
  lastEventId: number;
  /** What POST /register answered. */
  registered: Json;
  /**
   * All that came since it was last asked. Does not wait: the node is made to pass the log's present end first, so
   * that what is not heard was not said.
   */
  hears(): Promise<Event[]>;
  /** Waits for what comes next, and acknowledges it. */
  waits(): Promise<Event[]>;
  /** GET /events from where the listener is; what is heard is not acknowledged. */
  poll(params?: Params): Promise<Json>;
}

export async function listenAs(person: Registrant, options: Params = {}): Promise<Listener> {
  const registered = await person.post('/register', { fetch_event_types: [], ...options });
  expect(registered, 'registering').toMatchObject({ result: 'success' });
  const queueId: string = registered.queue_id;

  const listener: Listener = {
    queueId,
    lastEventId: registered.last_event_id,
    registered,
    async hears() {
      const passing = await person.get('/events', {
        queue_id: queueId,
        last_event_id: await positionOf(queueId, await headOf(person.realm.id)),
        dont_block: true,
      });
      expect(passing, "passing the log's end").toMatchObject({ result: 'success' });
      // On a slow machine the heartbeat of a minute is among them.
      return (await receive({ dont_block: true })).filter(({ type }) => type !== 'heartbeat');
    },
    waits: () => receive(),
    poll: (params) =>
      person.get('/events', { queue_id: queueId, last_event_id: listener.lastEventId, ...params }),
  };

  /** Events of a poll that succeeds; an error says what was answered. */
  async function receive(params?: Params): Promise<Event[]> {
    const reply = await listener.poll(params);
    expect(reply, 'polling').toMatchObject({ result: 'success' });
    listener.lastEventId = reply.events.at(-1)?.id ?? listener.lastEventId;
    return reply.events;
  }

  return listener;
}

/** The id that a queue has at an entry of the log. */
export async function positionOf(queueId: string, seq: number): Promise<number> {
  const { redis, secret } = await getWorld();
  const { record } = await createRegistry(redis, createSigner([secret]), systemClock).lookUp(queueId);
  if (!record) return -1;
  return queueIds(record).firstOf(seq);
}

/** Where the realm's log ends now. */
export async function headOf(realmId: number): Promise<number> {
  const { sql } = await getWorld();
  const [head] = await sql<{ seq: number }[]>`select seq from realm_heads where realm_id = ${realmId}`;
  if (!head) throw new Error(`Realm ${realmId} has no log.`);
  return head.seq;
}
