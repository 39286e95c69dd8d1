import { describe, expect, test } from 'vitest';

import {
  type Json,
  type Params,
  type Person,
  type TestRealm,
  createChannel,
  getWorld,
  idsOf,
  jsonEndpoints,
  permit,
  realm,
  runOnDemand,
  runRecurring,
  succeed,
  tell,
  text,
  upload,
} from '../support/index.ts';

/** Two organizations have messages of the same ids, with all that hangs on them. Neither sees or changes what is the other's. */
interface Home extends TestRealm {
  channel: number;
  other: number;
  /** In a channel: everything hangs on it. */
  full: number;
  moved: number;
  poll: number;
  direct: number;
  /** Of the last message. */
  last: number;
}

const secretOf = { here: 'walnut', there: 'hazelnut' } as const;

async function furnish(secret: string): Promise<Home> {
  const people = await realm();
  const { owner, alice, bob } = people;
  await succeed(owner.patch('/realm', { enable_read_receipts: true }));
  await permit({ owner }, 'can_delete_any_message_group', 'role:members');
  const channel = await createChannel(owner, 'nuts', [owner, alice, bob]);
  const other = await createChannel(owner, 'other', [owner, alice, bob], { invite_only: true });
  await succeed(owner.patch('/realm', { moderation_request_channel_id: other }));
  const say = async (by: Person, content: string, topic = `about ${secret}`): Promise<number> =>
    (await succeed(by.post('/messages', { type: 'channel', to: channel, topic, content }))).id;
  const uri = await upload(alice, text(`${secret}.txt`, secret));
  const full = await say(alice, `${secret} [file](${uri}) @**Bob**`);
  await succeed(bob.post(`/messages/${full}/reactions`, { emoji_name: 'octopus' }));
  await succeed(alice.patch(`/messages/${full}`, { content: `${secret} edited [file](${uri}) @**Bob**` }));
  for (const flag of ['starred', 'collapsed']) {
    await succeed(bob.post('/messages/flags', { messages: [full], op: 'add', flag }));
  }
  const moved = await say(bob, `${secret} was elsewhere`, 'before');
  await succeed(
    alice.patch(`/messages/${moved}`, { topic: `moved ${secret}`, propagate_mode: 'change_one' }),
  );
  const poll = await say(alice, `/poll ${secret}?\none\ntwo`);
  const direct = await tell(bob, [alice], `${secret} between us`);
  await succeed(
    alice.post('/reminders', { message_id: direct, scheduled_delivery_timestamp: 4_000_000_000 }),
  );
  const last = await say(bob, `${secret} at last`);
  return { ...people, channel, other, full, moved, poll, direct, last };
}

/** Everything that Postgres has of an organization, as one sum for each table. */
async function sumsOf({ realm: { id } }: TestRealm): Promise<object> {
  const { sql } = await getWorld();
  const tables = [
    'messages',
    'message_flags',
    'message_edits',
    'message_moves',
    'reactions',
    'submessages',
    'message_attachments',
    'attachments',
    'archived_messages',
    'reminders',
    'pending_notifications',
    'pushed_messages',
    'webhook_deliveries',
    'event_log',
    'realm_heads',
  ];
  const sums = await Promise.all([
    ...tables.map((table) =>
      sql.unsafe(`select '${table}' as of, md5(string_agg(t::text, ' ' order by t::text)) as sum
        from ${table} t where realm_id = ${id}`),
    ),
    sql`
      select 'members' as of, md5(string_agg(t::text, ' ' order by t::text)) as sum from conversation_members t
      join conversations c on c.id = t.conversation_id where c.realm_id = ${id}`,
  ]);
  return Object.fromEntries(sums.flat().map((row) => [row['of'], row['sum']]));
}

/** A reply names nothing that was said in the other organization, and nobody who is there. */
function expectNothingOf(there: Home, body: Json): void {
  const written = JSON.stringify(body);
  expect(written).not.toContain(secretOf.there);
  const named = [...written.matchAll(/"(?:user_id|sender_id|user_ids|creator_id)":\[?([\d,]+)/g)];
  const ids = new Set(named.flatMap(([, list = '']) => list.split(',').map(Number)));
  const strangers = idsOf([there.owner, there.alice, there.bob, there.carol]);
  expect(strangers.filter((id) => ids.has(id))).toEqual([]);
}

type Requests = Record<string, (home: Home) => [by: Person, path: string, params?: Params][]>;

/** What may be asked about a message, by endpoint. Each of it works. */
const requests: Requests = {
  'GET /messages': ({ alice, full, direct, moved }) => [
    [alice, '/messages', { anchor: full, num_before: 5, num_after: 5 }],
    [alice, '/messages', { message_ids: [full, direct, moved] }],
    ...['id', 'near', 'with'].map((operator): [Person, string, Params] => [
      alice,
      '/messages',
      { anchor: 'newest', num_before: 9, num_after: 0, narrow: [{ operator, operand: `${full}` }] },
    ]),
    ...['starred', 'mentioned', 'unread'].map((operand): [Person, string, Params] => [
      alice,
      '/messages',
      { anchor: 'first_unread', num_before: 9, num_after: 9, narrow: [{ operator: 'is', operand }] },
    ]),
    [alice, '/messages', { anchor: 'date', anchor_date: '2020-01-01', num_before: 9, num_after: 9 }],
  ],
  'GET /messages/matches_narrow': ({ alice, full, last }) => [
    [
      alice,
      '/messages/matches_narrow',
      { msg_ids: [full, last], narrow: [{ operator: 'has', operand: 'link' }] },
    ],
  ],
  'GET /messages/:message_id': ({ alice, full, direct }) =>
    [full, direct].map((id) => [alice, `/messages/${id}`]),
  'GET /messages/:message_id/history': ({ alice, full, moved }) =>
    [full, moved].map((id) => [alice, `/messages/${id}/history`]),
  'GET /messages/:message_id/read_receipts': ({ alice, full }) => [
    [alice, `/messages/${full}/read_receipts`],
  ],
  'POST /messages/flags': ({ alice, bob, full, last }) =>
    (['read', 'starred', 'collapsed'] as const).flatMap((flag) =>
      ['add', 'remove'].map((op): [Person, string, Params] => [
        flag === 'read' ? alice : bob,
        '/messages/flags',
        { messages: [flag === 'read' ? last : full], op, flag },
      ]),
    ),
  'POST /messages/flags/narrow': ({ bob, full }) =>
    ['read', 'starred'].flatMap((flag) =>
      ['add', 'remove'].map((op): [Person, string, Params] => [
        bob,
        '/messages/flags/narrow',
        { anchor: full, include_anchor: true, num_before: 0, num_after: 9, op, flag, narrow: [] },
      ]),
    ),
  'POST /messages/:message_id/reactions': ({ alice, full }) => [
    [alice, `/messages/${full}/reactions`, { emoji_name: 'octopus' }],
  ],
  'DELETE /messages/:message_id/reactions': ({ alice, full }) => [
    [alice, `/messages/${full}/reactions`, { emoji_name: 'octopus' }],
  ],
  'POST /messages/:message_id/report': ({ bob, full }) => [
    [bob, `/messages/${full}/report`, { report_type: 'spam' }],
  ],
  'POST /messages/:message_id/typing': ({ alice, full }) => [
    [alice, `/messages/${full}/typing`, { op: 'start' }],
  ],
  'POST /submessage': ({ bob, poll }) => [
    [
      bob,
      '/submessage',
      { message_id: poll, msg_type: 'widget', content: '{"type":"vote","key":"canned,0","vote":1}' },
    ],
  ],
  'POST /reminders': ({ bob, full }) => [
    [bob, '/reminders', { message_id: full, scheduled_delivery_timestamp: 4_000_000_000 }],
  ],
  'PATCH /messages/:message_id': ({ alice, bob, full, moved, channel }) => [
    [alice, `/messages/${full}`, { content: 'written anew @**Carol**' }],
    [alice, `/messages/${moved}`, { topic: 'a third place', propagate_mode: 'change_all' }],
    [
      bob,
      `/messages/${moved}`,
      { stream_id: channel, topic: 'a fourth place', propagate_mode: 'change_later' },
    ],
  ],
  'DELETE /messages/:message_id': ({ alice, full, direct }) =>
    [full, direct].map((id) => [alice, `/messages/${id}`]),
};

const names = /^(?:message_ids?|msg_ids|messages|anchor|narrow)$/;
/** They make a view of what comes, and read no message. */
const others = ['POST /register', 'GET /events', 'GET /messages/summary'];

test('every endpoint that takes the id of a message is asked', () => {
  const asking = jsonEndpoints
    .filter(
      ({ params, path }) =>
        Object.keys(params).some((name) => names.test(name)) || path.includes(':message_id'),
    )
    .map(({ method, path }) => `${method} ${path}`);
  expect(Object.keys(requests).sort()).toEqual(asking.filter((name) => !others.includes(name)).sort());
});

describe('an organization with messages of the same ids as another', async () => {
  const homes = (async () => {
    const there = await furnish(secretOf.there);
    const here = await furnish(secretOf.here);
    return { here, there };
  })();

  test('is the rule', async () => {
    const { here, there } = await homes;
    const idsIn = ({ full, moved, poll, direct, last }: Home) => [full, moved, poll, direct, last];
    expect(idsIn(here)).toEqual(idsIn(there));
    expect(idsOf([here.alice])).not.toEqual(idsOf([there.alice]));
  });

  test.each(Object.keys(requests))('shows and changes nothing of the other: %s', async (name) => {
    const { here, there } = await homes;
    const before = await sumsOf(there);
    const ear = await there.alice.listen();
    const method = name.split(' ')[0] ?? '';
    for (const [by, path, params] of requests[name]?.(here) ?? []) {
      const { body } = await by.ask(method, path, params);
      expect(body, JSON.stringify(params)).toMatchObject({ result: 'success' });
      expectNothingOf(there, body);
    }
    expect(await sumsOf(there)).toEqual(before);
    expect(await ear.hears()).toEqual([]);
  });

  test('registers with what is its own', async () => {
    const { here, there } = await homes;
    for (const [home, secret] of [
      [here, secretOf.there],
      [there, secretOf.here],
    ] as const) {
      const state: Json = await succeed(home.bob.post('/register', { event_types: [] }));
      expect(JSON.stringify(state)).not.toContain(secret);
    }
    const { starred_messages } = await succeed(there.bob.post('/register'));
    expect(starred_messages).toEqual([there.full]);
  });

  test('finds no message that the other alone has', async () => {
    const { here, there } = await homes;
    const id = await tell(there.bob, [there.alice], 'one more');
    await tell(there.bob, [there.alice], 'and another');
    const [{ newest } = { newest: 0 }] = await (
      await getWorld()
    ).sql<{ newest: number }[]>`
      select message_id as newest from realm_heads where realm_id = ${here.realm.id}`;
    const missing = Math.max(id, newest) + 1000;
    const before = await sumsOf(there);
    for (const unknown of [id + 1, missing].filter((one) => one > newest)) {
      expect(await here.alice.get(`/messages/${unknown}`)).toMatchObject({ code: 'BAD_REQUEST' });
      expect(await here.alice.delete(`/messages/${unknown}`)).toMatchObject({ code: 'BAD_REQUEST' });
      expect(await here.alice.patch(`/messages/${unknown}`, { content: 'x' })).toMatchObject({
        code: 'BAD_REQUEST',
      });
    }
    expect(await sumsOf(there)).toEqual(before);
  });

  test('leaves the other alone in the background', async () => {
    const { here, there } = await homes;
    const id = await tell(here.bob, [here.alice], 'look at https://example.com/page');
    const before = await sumsOf(there);
    await runOnDemand('preview-links', id, {}, here.realm.id);
    await runRecurring('channel-activity');
    expect(await sumsOf(there)).toEqual(before);
  });
});
