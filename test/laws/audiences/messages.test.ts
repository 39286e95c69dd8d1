import * as model from '@parley/model';
import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';

import {
  type Params,
  type Person,
  type TestRealm,
  createChannel,
  getWorld,
  leave,
  letSpectatorsIn,
  realm,
  say,
  subscribe,
  succeed,
  tell,
} from '../../support/index.ts';
import { namesOf, reached } from './expand.ts';

const kinds = ['owner', 'admin', 'moderator', 'alice', 'bob', 'carol', 'guest', 'bot'] as const;
type Kind = (typeof kinds)[number];

/** Alice and the guest are subscribed from the start, Bob until he leaves, Carol after that. */
const present: readonly Kind[] = ['alice', 'guest', 'carol'];
const before: readonly Kind[] = ['alice', 'guest', 'bob'];

const places = ['public', 'web', 'private', 'permitting', 'protected'] as const;
type Place = (typeof places)[number];
const shapes: Record<Place, { params: Params; readers: readonly Kind[]; sharesHistory: boolean }> = {
  public: { params: {}, readers: kinds.filter((kind) => kind !== 'guest'), sharesHistory: true },
  web: { params: { is_web_public: true }, readers: kinds, sharesHistory: true },
  private: {
    params: { invite_only: true, history_public_to_subscribers: true },
    readers: [],
    sharesHistory: true,
  },
  // Whoever may subscribe to it may read it.
  permitting: {
    params: { invite_only: true, history_public_to_subscribers: true },
    readers: ['bob', 'moderator'],
    sharesHistory: true,
  },
  protected: {
    params: { invite_only: true, history_public_to_subscribers: false },
    readers: [],
    sharesHistory: false,
  },
};

interface Sent {
  title: string;
  id: number;
  /** Where it is now. */
  place: Place;
  received: ReadonlySet<Kind>;
  flagged: ReadonlySet<Kind>;
}

/** Who may read a message: a plain reading of the rules. */
function reads({ place, received }: Sent, kind: Kind): boolean {
  const { readers, sharesHistory } = shapes[place];
  const isSubscribed = present.includes(kind);
  return sharesHistory ? isSubscribed || readers.includes(kind) : isSubscribed && received.has(kind);
}

/** Who is told of a change of it. */
const isTold = (sent: Sent, kind: Kind): boolean =>
  reads(sent, kind) &&
  (sent.received.has(kind) ||
    sent.flagged.has(kind) ||
    (shapes[sent.place].sharesHistory && present.includes(kind)));

function nullIfInvalid(error: Error): null {
  if (error.message === 'These messages do not exist, or you do not have access to them.') return null;
  throw error;
}

describe('who may read a message, and is told of its changes', () => {
  let people: TestRealm;
  let everyone: Person[];
  const sent: Sent[] = [];
  const channelIds = new Map<Place, number>();

  beforeAll(async () => {
    people = await realm();
    const { owner, alice, bob, carol, guest, moderator } = people;
    everyone = kinds.map((kind) => people[kind]);
    await letSpectatorsIn(people);
    for (const place of places) {
      const id = await createChannel(owner, place, [owner, alice, guest, bob], shapes[place].params);
      channelIds.set(place, id);
      const permitted = shapes[place].readers.map((kind) => people[kind].id);
      if (place === 'permitting') {
        const can_subscribe_group = { new: { direct_members: permitted, direct_subgroups: [] } };
        await succeed(owner.patch(`/streams/${id}`, { can_subscribe_group }));
      }
      await leave(owner, [place]);
    }
    const note = (title: string, id: number, place: Place, received: readonly Kind[], flagged: Kind[] = []) =>
      sent.push({ title, id, place, received: new Set(received), flagged: new Set(flagged) });
    const move = (id: number, to: Place) =>
      succeed(
        people.alice.patch(`/messages/${id}`, {
          stream_id: channelIds.get(to),
          propagate_mode: 'change_one',
        }),
      );
    const moved: [number, Place, Place, readonly Kind[]][] = [];
    for (const place of places) {
      note(`early in ${place}`, await say(alice, place, 'early'), place, before);
      for (const to of places)
        if (to !== place) moved.push([await say(alice, place, 'moved'), place, to, before]);
    }
    for (const place of places) {
      await leave(bob, [place]);
      await subscribe(alice, place, [carol]);
    }
    for (const place of places) {
      note(`late in ${place}`, await say(alice, place, 'late'), place, present);
      for (const to of places)
        if (to !== place) moved.push([await say(alice, place, 'moved'), place, to, present]);
    }
    for (const [id, from, to, received] of moved) {
      await move(id, to);
      // Whoever is in a channel with protected history is given what is moved there.
      const given = to === 'protected' ? present : [];
      note(`${received.includes('bob') ? 'early' : 'late'} from ${from} to ${to}`, id, to, [
        ...received,
        ...given,
      ]);
    }
    for (const place of ['public', 'web'] as const) {
      const id = await say(alice, place, 'starred');
      await succeed(moderator.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' }));
      note(`starred in ${place}`, id, place, present, ['moderator']);
    }
  });

  test('one by one, and as a condition of a query', async () => {
    const { engine } = await getWorld();
    await engine.db.transaction(async (tx) => {
      const ids = sent.map(({ id }) => id);
      for (const kind of kinds) {
        const { actor } = people[kind];
        const list = async (isWhole: boolean) => {
          const condition = await model.access.readableMessageCondition(tx, actor, isWhole);
          const rows = await tx.execute<{ id: number }>(sql`
            select m.id from messages m ${model.access.joinMessageReader(actor)}
            where m.realm_id = ${actor.realm.id} and m.id = any(${`{${ids.join(',')}}`}::bigint[]) and ${condition} order by 1`);
          return rows.map(({ id }) => id);
        };
        const found: number[] = [];
        const received: number[] = [];
        for (const { id } of sent) {
          const access = await model.access.getMessage(tx, actor, id).catch(nullIfInvalid);
          if (!access) continue;
          found.push(id);
          if (access.wasReceived) received.push(id);
        }
        const titles = (some: number[]) =>
          sent.filter(({ id }) => some.includes(id)).map(({ title }) => title);
        const expected = sent.filter((one) => reads(one, kind));
        expect(titles(found), kind).toEqual(expected.map(({ title }) => title));
        expect(titles(await list(true)), kind).toEqual(expected.map(({ title }) => title));
        const own = expected.filter((one) => one.received.has(kind)).map(({ title }) => title);
        expect(titles(received), kind).toEqual(own);
        expect(titles(await list(false)), kind).toEqual(own);
      }
    });
  });

  test('one by one, and all of a place together', async () => {
    const { engine } = await getWorld();
    await engine.db.transaction(async (tx) => {
      const told = async (place: Place, ids: number[]) => {
        const access = await model.access.findChannel(tx, people.owner.actor, channelIds.get(place) ?? 0);
        const audience = await model.access.messageAudience(
          tx,
          { channel: access?.channel ?? null, people: null },
          ids,
        );
        return await reached(tx, audience, everyone);
      };
      const those = (some: Sent[]) =>
        namesOf(kinds.filter((kind) => some.some((one) => isTold(one, kind))).map((kind) => people[kind]));
      for (const one of sent) expect(await told(one.place, [one.id]), one.title).toEqual(those([one]));
      for (const place of places) {
        const all = sent.filter((one) => one.place === place);
        expect(
          await told(
            place,
            all.map(({ id }) => id),
          ),
          place,
        ).toEqual(those(all));
      }
    });
  });

  test('what is said to some is read by them, and by nobody elsewhere', async () => {
    const { engine } = await getWorld();
    const { owner: stranger } = await realm();
    const { alice, bob, carol } = people;
    const id = await tell(alice, [bob]);
    await engine.db.transaction(async (tx) => {
      for (const person of [alice, bob]) {
        const members = [alice.id, bob.id].sort((a, b) => a - b);
        expect(await model.access.getMessage(tx, person.actor, id)).toMatchObject({
          channel: null,
          topic: null,
          people: members,
        });
      }
      const audience = await model.access.messageAudience(tx, { channel: null, people: [alice.id, bob.id] }, [
        id,
      ]);
      expect(audience).toEqual({ users: [alice.id, bob.id] });
      expect(await model.access.messageAudience(tx, { channel: null, people: null }, [id])).toEqual({
        users: [],
      });
      const [open] = sent.filter(({ place }) => place === 'web');
      const refused: [Person, number][] = [
        [carol, id],
        [stranger, id],
        [stranger, open?.id ?? 0],
        [alice, -1],
        [alice, 1.5],
        [alice, Number.MAX_SAFE_INTEGER],
        [alice, 2 ** 53],
      ];
      for (const [person, which] of refused) {
        const refusal = {
          code: 'BAD_REQUEST',
          message: 'These messages do not exist, or you do not have access to them.',
        };
        await expect(model.access.getMessage(tx, person.actor, which)).rejects.toMatchObject(refusal);
      }
    });
  });

  test('what is in an archived channel is read, and not locked', async () => {
    const { engine } = await getWorld();
    const { owner, alice } = people;
    const archived = await createChannel(owner, 'archived', [owner, alice]);
    const id = await say(alice, 'archived', 't');
    const lock = () =>
      engine.db.transaction((tx) =>
        model.access.lockChangeableMessage(tx, alice.actor, id, { lock: 'no key update' }),
      );
    expect(await lock()).toMatchObject({ message: { id } });
    await succeed(owner.delete(`/streams/${archived}`));
    await expect(lock()).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: 'These messages do not exist, or you do not have access to them.',
    });
    const access = await engine.db.transaction(async (tx) =>
      model.access.getMessage(tx, alice.actor, id, {
        rules: await model.permissions.getRules(tx, people.realm.id),
      }),
    );
    expect(access.wasReceived).toBe(true);
  });

  test('a direct message is locked for those it was said to', async () => {
    const { engine } = await getWorld();
    const { alice, bob, carol } = people;
    const id = await tell(alice, [bob]);
    const lock = (by: Person) =>
      engine.db.transaction((tx) =>
        model.access.lockChangeableMessage(tx, by.actor, id, { lock: 'no key update' }),
      );
    expect(await lock(bob)).toMatchObject({ message: { id }, channel: null });
    await expect(lock(carol)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });
});
