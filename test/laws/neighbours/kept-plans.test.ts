import { randomUUID } from 'node:crypto';

import { beforeAll, describe, expect, test } from 'vitest';

import { isOfToday, testNothingLeftOut } from '../../support/by-day.ts';
import { type Params, type Person, channelId, idsOf, realm, say, subscribe } from '../../support/index.ts';
import { describeBuffers, ofNode, sumOf } from './buffers.ts';
import { fill, runUncounted, turnVacuumOff } from './data-set.ts';

/** Somebody who asks, and what of. */
interface Place {
  by: Person;
  other: Person;
  /** The id of the channel `general`. */
  channel: number;
  /** What they have sent to `general`, in the topic `t`. */
  ids: readonly number[];
}

type Request = [method: string, path: string, params: Params];

const change = (id: number, op: string, flag: string): Request => [
  'POST',
  '/messages/flags',
  { messages: [id], op, flag },
];

const narrow = [
  ['channel', 'general'],
  ['topic', 't'],
];

const page = (params: Params): Request[] => [
  ['GET', '/messages', { anchor: 'newest', num_before: 50, num_after: 0, ...params }],
];

/** What people do and ask for most. Each may be asked again and again. */
const requests: Readonly<Record<string, (place: Place, number: number) => Request[]>> = {
  'sending to a channel': () => [
    ['POST', '/messages', { type: 'channel', to: 'general', topic: 't', content: 'x' }],
  ],
  'sending to a person': ({ other }) => [
    ['POST', '/messages', { type: 'direct', to: idsOf([other]), content: 'x' }],
  ],
  // Nothing is done for a content that a message has already.
  'editing a message': ({ ids }, number) => [
    ['PATCH', `/messages/${at(ids, number)}`, { content: randomUUID() }],
  ],
  'moving a message and back': ({ ids }, number) =>
    ['elsewhere', 't'].map((topic) => [
      'PATCH',
      `/messages/${at(ids, number)}`,
      {
        topic,
        propagate_mode: 'change_one',
        send_notification_to_old_thread: false,
        send_notification_to_new_thread: false,
      },
    ]),
  'a reaction, which is taken back': ({ ids }, number) =>
    ['POST', 'DELETE'].map((method) => [
      method,
      `/messages/${at(ids, number)}/reactions`,
      { emoji_name: 'thumbs_up' },
    ]),
  'a star, which is taken away': ({ ids }, number) => [
    change(at(ids, number), 'add', 'starred'),
    change(at(ids, number), 'remove', 'starred'),
  ],
  'marking as unread and read': ({ ids }, number) => [
    change(at(ids, number), 'remove', 'read'),
    change(at(ids, number), 'add', 'read'),
  ],
  'marking what is in a narrow': () => [
    [
      'POST',
      '/messages/flags/narrow',
      { anchor: 'newest', num_before: 5, num_after: 0, narrow, op: 'add', flag: 'read' },
    ],
  ],
  typing: ({ other }) => [['POST', '/typing', { op: 'start', to: idsOf([other]) }]],
  presence: () => [['POST', '/users/me/presence', { status: 'active', new_user_input: true }]],
  'muting a topic and not': ({ channel }) =>
    [1, 0].map((policy) => [
      'POST',
      '/user_topics',
      { stream_id: channel, topic: 't', visibility_policy: policy },
    ]),
  'a page of everything': () => page({}),
  'a page of a topic': () => page({ narrow }),
  'a page of a channel, from the oldest': () =>
    page({ narrow: [['channel', 'channel 3']], anchor: 'oldest', num_before: 0, num_after: 50 }),
  'a page to people': () => page({ narrow: [['is', 'dm']] }),
  'a page of what is unread': () => page({ narrow: [['is', 'unread']] }),
  'a page with stars': () => page({ narrow: [['is', 'starred']] }),
  'a page with a word': () => page({ narrow: [['search', 'coffee']] }),
  'a registration': () => [['POST', '/register', {}]],
  'what is starred': () => [['POST', '/register', { fetch_event_types: ['starred_messages'] }]],
  'the accounts': () => [['GET', '/users', {}]],
  'the channels': () => [['GET', '/streams', {}]],
  'the topics of a channel': ({ channel }) => [['GET', `/users/me/${channel}/topics`, {}]],
  'a draft': () => [['POST', '/drafts', { drafts: [{ type: 'private', to: [], topic: '', content: 'x' }] }]],
};

const at = (ids: readonly number[], number: number): number => ids[number % ids.length] ?? 0;

async function gather(size: Parameters<typeof fill>[3], place: number): Promise<Place> {
  const { alice, bob } = await realm();
  await runUncounted(async (sql) => {
    await turnVacuumOff(sql);
    await fill(sql, place, [{ realmId: alice.realm.id, readerId: alice.id }], size);
  });
  await subscribe(alice, 'general', [alice, bob]);
  const ids: number[] = [];
  for (let number = 0; number < 20; number += 1)
    ids.push(await say(alice, 'general', 't', `message ${number}`));
  return { by: alice, other: bob, channel: await channelId(alice, 'general'), ids };
}

/** A statement is prepared when it has come five times, and a plan is kept when five more were made for their values. */
const timesUntilKept = 12;
const times = 5;

async function ask(name: string, place: Place, count: number, port: number): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    for (const [method, path, params] of requests[name]?.(place, number) ?? []) {
      const { body } = await place.by.ask(method, path, params, { port });
      expect(body, `${name} ${method} ${path}`).toMatchObject({ result: 'success' });
    }
  }
}

interface Reading {
  /** Buffers that Postgres reads for the requests of an organization, of a node that nobody else has asked. */
  alone: number;
  /** The same, of a node whose plans were made for another organization. */
  behind: number;
  /** What was read most by the second, for whoever has to find out why. */
  most: string;
}

async function measure(name: string, place: Place, first: Place): Promise<Reading> {
  const alone = await ofNode((port) => ask(name, place, times, port));
  const before = await ofNode((port) => ask(name, first, timesUntilKept, port));
  const after = await ofNode(async (port) => {
    await ask(name, first, timesUntilKept, port);
    await ask(name, place, times, port);
  });
  const behind = new Map([...after].map(([table, count]) => [table, count - (before.get(table) ?? 0)]));
  return { alone: sumOf(alone), behind: sumOf(behind), most: describeBuffers(behind) };
}

const triesMax = 4;

/** Says what is too much, if it is so each time: what other connections have read may be counted later, and only adds. */
async function excessOf(name: string, place: Place, first: Place): Promise<string[]> {
  let last = '';
  for (let tries = 0; tries < triesMax; tries += 1) {
    const { alone, behind, most } = await measure(name, place, first);
    if (behind <= alone * 1.1 + 50) return [];
    last = `${name}: ${alone} buffers alone, ${behind} behind another organization (${most})`;
  }
  return [last];
}

/** By day a third. */
const all = Object.keys(requests);
const ofToday = all.filter((_, index) => isOfToday(index, 3));

describe('plans that were made for one organization read no more for another, of whatever size:', () => {
  let small: Place;
  let large: Place;
  beforeAll(async () => {
    small = await gather({ users: 20, channels: 5, topicsPerChannel: 2, directs: 3, messages: 200 }, 0);
    large = await gather(
      { users: 5000, channels: 60, topicsPerChannel: 20, directs: 60, messages: 60_000 },
      1,
    );
    await runUncounted((sql) => sql`vacuum analyze`);
  });

  test.each(ofToday)('%s', async (name) => {
    const excesses = [...(await excessOf(name, small, large)), ...(await excessOf(name, large, small))];
    expect(excesses).toEqual([]);
  });
});

testNothingLeftOut('requests whose plans are compared', {
  left: all.length - ofToday.length,
  of: all.length,
});
