import { expect, test } from 'vitest';

import { type Json, type Params, type Person, realm, say, subscribe, succeed } from '../support/index.ts';

const contracts = 'svc_extra_emoji';
const zulips = 'zulip_extra_emoji';

interface Program {
  userAgent?: string;
  params?: Params;
  /** What it declares with its queue alone. */
  capabilities?: Params;
}

/** Who reads which name. */
const programs: [string, Program, string][] = [
  ['any other program', { userAgent: 'MyClient/1.0' }, contracts],
  ['the Python library', { userAgent: 'ZulipPython/0.9.0' }, contracts],
  ['the desktop application, which shows our web client', { userAgent: 'ZulipElectron/5.12' }, contracts],
  ['the Flutter application', { userAgent: 'ZulipFlutter/30.0.271+271 (Android 14)' }, zulips],
  ['the older mobile application', { userAgent: 'ZulipMobile/27.236 (iOS 17.4)' }, zulips],
  ['the terminal client', { userAgent: 'ZulipTerminal/0.7.0' }, zulips],
  ['a program that declares it', { params: { zulip_extra_emoji: true } }, zulips],
];

/** All types of the extra emoji in a reply, whatever they belong to. */
const typesIn = (body: Json): string[] => JSON.stringify(body).match(/\b(?:svc|zulip)_extra_emoji\b/g) ?? [];

/** A realm where somebody has reacted with the extra emoji, and has it as their status. */
async function withExtraEmoji() {
  const people = await realm();
  const { alice, bob } = people;
  await subscribe(alice, 'news', [alice, bob]);
  const id = await say(alice, 'news', 'owls');
  const emoji = { emoji_name: 'zulip', emoji_code: 'zulip' };
  await succeed(alice.post(`/messages/${id}/reactions`, { ...emoji, reaction_type: zulips }));
  await succeed(alice.post('/users/me/status', { ...emoji, reaction_type: contracts }));
  return { ...people, id };
}

const asking =
  (person: Person, { userAgent, params }: Program) =>
  async (method: string, path: string, more: Params = {}): Promise<Json> => {
    const reply = await person.ask(method, path, { ...params, ...more }, userAgent ? { userAgent } : {});
    expect(reply.body, path).toMatchObject({ result: 'success' });
    expect(reply.body, path).not.toHaveProperty('ignored_parameters_unsupported');
    return reply.body;
  };

test.each(programs)('%s reads its name of the extra emoji in every reply', async (_, program, expected) => {
  const { alice, bob, id } = await withExtraEmoji();
  const ask = asking(bob, program);
  const page = { anchor: 'newest', num_before: 10, num_after: 0 };
  const replies = [
    await ask('GET', `/messages/${id}`),
    await ask('GET', '/messages', page),
    await ask('GET', '/messages', { ...page, narrow: [{ operator: 'search', operand: 'owls' }] }),
    await ask('GET', `/users/${alice.id}/status`),
    await ask('POST', '/register', { fetch_event_types: ['user_status'] }),
    await ask('POST', '/register'),
  ];
  for (const reply of replies) expect([...new Set(typesIn(reply))]).toEqual([expected]);
});

test.each([
  ...programs,
  [
    'a program that declares it for its queue',
    { capabilities: { zulip_extra_emoji: true } },
    zulips,
  ] as const,
])('%s reads its name of the extra emoji in every event', async (_, program, expected) => {
  const { alice, bob, carol } = await withExtraEmoji();
  const ask = asking(bob, program);
  const declared = { notification_settings_null: true, ...program.capabilities };
  const registered = await ask('POST', '/register', { client_capabilities: declared });
  expect([...new Set(typesIn(registered))]).toEqual([expected]);
  const polled = await ask('GET', '/events', {
    dont_block: true,
    event_types: ['reaction'],
    ...program.capabilities,
  });

  const id = await say(alice, 'news');
  const emoji = { emoji_name: 'zulip', emoji_code: 'zulip', reaction_type: contracts };
  await succeed(alice.post(`/messages/${id}/reactions`, emoji));
  await succeed(alice.delete(`/messages/${id}/reactions`, emoji));
  await succeed(carol.post('/users/me/status', emoji));

  for (const [{ queue_id, last_event_id }, types] of [
    [registered, ['reaction', 'reaction', 'user_status']],
    [polled, ['reaction', 'reaction']],
  ] as const) {
    const { events } = await bob.get('/events', { queue_id, last_event_id, dont_block: true });
    const withEmoji = events.filter((event: Json) => typesIn(event).length > 0);
    expect(withEmoji.map(({ type }: Json) => type)).toEqual(types);
    expect(withEmoji.flatMap(typesIn)).toEqual(types.map(() => expected));
  }
});

test('a declaration that is no boolean is refused', async () => {
  const { alice } = await realm();
  expect(await alice.get('/users/me', { zulip_extra_emoji: 'perhaps' })).toMatchObject({
    code: 'BAD_REQUEST',
  });
});
