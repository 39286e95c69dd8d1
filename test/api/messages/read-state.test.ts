import fc from 'fast-check';
import { expect, test } from 'vitest';

import { type Json, type Person, realm, subscribe } from '../../support/index.ts';
import { isNight } from '../../support/seed.ts';

/** The plainest way to keep read state: one entry per user and message. */
interface Model {
  messages: { id: number; place: string; sender: string; readers: string[] }[];
  /** `user message` of what is unread. */
  unread: Set<string>;
  starred: Set<string>;
  members: Map<string, Set<string>>;
}

const names = ['alice', 'bob', 'guest'] as const;
type Name = (typeof names)[number];
const places = ['open', 'shut'] as const;

const who = fc.constantFrom(...names);
const picks = fc.array(fc.nat(30), { maxLength: 8 });
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('send' as const),
      who,
      place: fc.constantFrom(...places),
      topic: fc.constantFrom('a', 'b'),
      reads: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('direct' as const),
      who,
      to: fc.subarray([...names], { minLength: 1 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('flag' as const),
      who,
      picks,
      op: fc.constantFrom('add', 'remove'),
      flag: fc.constantFrom('read', 'read', 'starred'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('join' as const), who, place: fc.constantFrom(...places) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('all' as const), who }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('channel' as const), who, place: fc.constantFrom(...places) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('topic' as const),
      who,
      place: fc.constantFrom(...places),
      topic: fc.constantFrom('a', 'b'),
    }),
  },
);

test('whatever is sent, read and starred, read state is that of one row per user and message', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
      const home = await realm();
      const people: Record<Name, Person> = { alice: home.alice, bob: home.bob, guest: home.guest };
      const join = (place: string, name: Name, kind: { invite_only?: boolean } = {}) =>
        subscribe(home.moderator, place, [people[name], home.moderator], kind, false);
      await join('open', 'alice');
      await join('shut', 'alice', { invite_only: true });
      const { streams } = await home.alice.get('/streams');
      const idOf = (place: string): number => streams.find((one: Json) => one.name === place).stream_id;

      const model: Model = {
        messages: [],
        unread: new Set(),
        starred: new Set(),
        members: new Map(places.map((place) => [place, new Set(['alice'])])),
      };
      const arrive = (id: number, place: string, sender: Name, readers: string[], reads: boolean) => {
        model.messages.push({ id, place, sender, readers });
        for (const reader of readers) if (!(reads && reader === sender)) model.unread.add(`${reader} ${id}`);
      };

      for (const one of steps) {
        const person = people[one.who];
        const mine = model.messages.filter(({ readers }) => readers.includes(one.who));
        const markRead = (ids: number[]) => {
          for (const id of ids) model.unread.delete(`${one.who} ${id}`);
        };
        if (one.do === 'send') {
          const { id } = await person.post('/messages', {
            type: 'channel',
            to: one.place,
            topic: one.topic,
            content: 'x',
            read_by_sender: one.reads,
          });
          if (id)
            arrive(
              id,
              `${one.place} ${one.topic}`,
              one.who,
              [...(model.members.get(one.place) ?? [])],
              one.reads,
            );
        } else if (one.do === 'direct') {
          const readers = [...new Set<Name>([one.who, ...one.to])];
          const to = one.to.map((name) => people[name].id);
          const { id } = await person.post('/messages', { type: 'direct', to, content: 'x' });
          arrive(id, `people ${readers.sort().join(' ')}`, one.who, readers, false);
        } else if (one.do === 'flag') {
          const ids = [
            ...new Set(one.picks.flatMap((index) => mine[index % Math.max(mine.length, 1)]?.id ?? [])),
          ];
          await person.post('/messages/flags', { op: one.op, flag: one.flag, messages: ids });
          for (const id of ids) {
            const flagged = one.flag === 'read' ? model.unread : model.starred;
            if ((one.op === 'add') === (one.flag === 'starred')) flagged.add(`${one.who} ${id}`);
            else flagged.delete(`${one.who} ${id}`);
          }
        } else if (one.do === 'join') {
          await join(one.place, one.who);
          model.members.get(one.place)?.add(one.who);
        } else if (one.do === 'all') {
          await person.post('/mark_all_as_read');
          markRead(mine.map(({ id }) => id));
        } else if (model.members.get(one.place)?.has(one.who)) {
          const prefix = one.do === 'topic' ? `${one.place} ${one.topic}` : one.place;
          if (one.do === 'channel') await person.post('/mark_stream_as_read', { stream_id: idOf(one.place) });
          else
            await person.post('/mark_topic_as_read', { stream_id: idOf(one.place), topic_name: one.topic });
          markRead(mine.filter(({ place }) => place.startsWith(prefix)).map(({ id }) => id));
        }
      }

      for (const name of names) {
        const expected = (set: Set<string>) =>
          model.messages.filter(({ id }) => set.has(`${name} ${id}`)).map(({ id }) => id);
        const { unread_msgs, starred_messages } = await people[name].post('/register', {
          fetch_event_types: ['message', 'update_message_flags', 'starred_messages'],
        });
        const listed = [...unread_msgs.pms, ...unread_msgs.streams, ...unread_msgs.huddles];
        const unread: number[] = listed.flatMap(({ unread_message_ids: ids }: Json) => ids);
        expect(
          unread.sort((a, b) => a - b),
          name,
        ).toEqual(expected(model.unread));
        expect(starred_messages, name).toEqual(expected(model.starred));
        const all = { anchor: 'newest', num_before: 1000 };
        const { messages } = await people[name].get('/messages', all);
        const received = model.messages.filter(({ readers }) => readers.includes(name));
        expect(messages.map(({ id }: Json) => id)).toEqual(received.map(({ id }) => id));
        const isUnread = (id: number) => model.unread.has(`${name} ${id}`);
        expect(
          messages.filter(({ flags }: Json) => !flags.includes('read')).map(({ id }: Json) => id),
        ).toEqual(received.map(({ id }) => id).filter(isUnread));
        const first = await people[name].get('/messages', { anchor: 'first_unread', num_before: 0 });
        expect(first.anchor).toBe(expected(model.unread)[0] ?? 10_000_000_000_000_000);
        const narrow = [['is', 'unread']];
        const page = await people[name].get('/messages', { ...all, narrow });
        expect(page.messages.map(({ id }: Json) => id)).toEqual(expected(model.unread));
      }
    }),
    { numRuns: isNight ? 100 : 6, endOnFailure: true },
  );
});
