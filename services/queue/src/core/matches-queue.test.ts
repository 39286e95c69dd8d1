import type { EventFamily } from '@parley/protocol';
import { expect, test } from 'vitest';

import { entryOf, noteOf, queueOf, readEntry, sets } from './fixtures.test-support.ts';
import { matchesFilter, matchesQueue } from './matches-queue.ts';
import { missingAudiences } from './missing-audiences.ts';
import type { ReadyEntry } from './ready-entry.ts';

const note = readEntry.logged(noteOf(1, [10]));
/** An entry that becomes other types for some clients. */
const changing = { ...note, family: { ...note.family, also: ['older', 'oldest'] } as unknown as EventFamily };

test('a queue asks for types by their own name, or by one that an event becomes', () => {
  expect(matchesFilter(queueOf({ eventTypes: ['note'] }), note)).toBe(true);
  expect(matchesFilter(queueOf({ eventTypes: ['other'] }), note)).toBe(false);
  expect(matchesFilter(queueOf({ eventTypes: [] }), note)).toBe(false);
  expect(matchesFilter(queueOf({ eventTypes: ['oldest'] }), changing)).toBe(true);
  expect(matchesFilter(queueOf({ eventTypes: ['other'] }), changing)).toBe(false);
});

test('user_topic hides muted_topics and nothing else', () => {
  expect(matchesFilter(queueOf({ eventTypes: ['note', 'user_topic'] }), note)).toBe(true);
});

test('a narrow filters messages alone', () => {
  expect(matchesFilter(queueOf({ narrow: [['channel', 'kitchen']] }), note)).toBe(true);
});

test.each([
  ['everyone', {}, [10, 99]],
  ['everyone but one', { except: [99] }, [10]],
  ['users', { users: [99] }, [99]],
  ['members', { members: [1] }, [10]],
  ['users and members', { users: [99], members: [1] }, [10, 99]],
  ['members but one', { members: [1], users: [99], except: [10] }, [99]],
  ['nobody', { users: [] }, []],
])('an audience may be %s', (_, audience, expected) => {
  const entry = readEntry.logged(entryOf(1, audience, { type: 'note', n: 1 }));
  expect([10, 99].filter((userId) => matchesQueue(queueOf({ userId }), entry, sets))).toEqual(expected);
});

test('what is open reaches queues of all public channels', () => {
  const hears = (open: boolean, allPublicStreams: boolean) =>
    matchesQueue(
      queueOf({ userId: 99, allPublicStreams }),
      readEntry.logged(entryOf(1, { members: [1], open }, { type: 'note', n: 1 })),
      sets,
    );
  expect([hears(true, true), hears(true, false), hears(false, true)]).toEqual([true, false, false]);
});

test('audiences that are not loaded are missing', () => {
  const log = [{}, { members: [1, 7] }, { users: [10] }, { members: [8, 2] }].map((audience, index) =>
    readEntry.logged(entryOf(index + 1, audience, { type: 'note', n: 1 })),
  );
  expect(missingAudiences(log, sets)).toEqual([7, 8]);
});

test('an audience that an event lists is loaded, or the event is not passed over', () => {
  const listing = (id: number) =>
    readEntry.logged(entryOf(1, { users: [10] }, { type: 'listing', subscribers_of: id }));
  expect(missingAudiences([listing(7), listing(1)], sets)).toEqual([7]);
  const size = (id: number) => {
    if (!sets.isLoaded(id)) throw new Error(`Audience ${id} is not there.`);
    return sets.size(id);
  };
  const matches = (id: number, userId: number) =>
    matchesQueue(queueOf({ userId }), listing(id), { ...sets, size });
  expect(() => matches(7, 10)).toThrow('Audience 7 is not there.');
  expect([matches(1, 10), matches(7, 99)]).toEqual([true, false]);
});

test('a program that mirrors is not given back its own messages', () => {
  const sent = (client: string) => ({ ...note, message: { message: { client } } }) as unknown as ReadyEntry;
  const hears = (mirror: string, client: string) => matchesFilter(queueOf({ mirror }), sent(client));
  expect([hears('irc_mirror', 'irc_mirror'), hears('irc_mirror', 'x_mirror'), hears('', '')]).toEqual([
    false,
    true,
    true,
  ]);
});
