import { type Connection, connect } from '@parley/client';
import { bringToLife, type DemoUser, showpiece } from '@parley/infra';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import type { DemoCluster } from '../support/demo-cluster.ts';
import { startDemo } from './demo.ts';

interface Read {
  id: number;
  sender_full_name: string;
  content: string;
  timestamp: number;
  reactions: unknown[];
  submessages: unknown[];
  avatar_url: string;
}

const dayS = 86_400;
/** Nodes learn within seconds of what is changed in Postgres alone. */
const patient = { timeout: 60_000, interval: 100 };
let demos: DemoCluster;
let olivia: Connection;
const as = ({ email, api_key: apiKey }: DemoUser) =>
  connect({ baseUrl: demos.cluster.baseUrl, credentials: { email, apiKey } });
const read = async (narrow: readonly object[], by = olivia) =>
  (
    await by.get<{ messages: Read[] }>('/messages', {
      anchor: 'newest',
      num_before: 200,
      num_after: 0,
      apply_markdown: false,
      client_gravatar: false,
      narrow,
    })
  ).messages;
const narrowTo = (channel: string, topic: string) => [
  { operator: 'channel', operand: channel },
  { operator: 'topic', operand: topic },
];

beforeAll(async () => {
  demos = await startDemo({ observatoryAt: new Date() });
  olivia = as(demos.demo('Olivia Brandt'));
});
afterAll(() => demos[Symbol.asyncDispose]());

test('the observatory has talked for days, with code, a formula, a picture, reactions and a poll', async () => {
  const talk = await read(narrowTo(showpiece.channel, showpiece.topic));
  const text = talk.map(({ content }) => content).join('\n');
  for (const part of ['```python', '```math', '/poll', 'finder.png']) expect(text).toContain(part);
  expect(talk.some(({ reactions }) => reactions.length > 3)).toBe(true);
  expect(talk.some(({ submessages }) => submessages.length > 5)).toBe(true);

  const all = await read([]);
  const times = all
    .filter(({ sender_full_name: name }) => name !== 'Notification Bot')
    .map(({ timestamp }) => timestamp);
  expect(times).toEqual(times.toSorted((one, other) => one - other));
  expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(2 * dayS);
});

test('everybody who writes in it has a face of their own', async () => {
  const { members } = await olivia.get<{
    members: { full_name: string; avatar_url: string; is_bot: boolean }[];
  }>('/users', { client_gravatar: false });
  const faces = members.filter(({ is_bot: isBot, full_name: name }) => !isBot || name === 'Stella');
  expect(faces.map(({ full_name: name }) => name).toSorted()).toEqual([
    'Adam Okafor',
    'Alice Chen',
    'Bob Lindqvist',
    'Carol Haddad',
    'Gus Weber',
    'Mona Rivera',
    'Olivia Brandt',
    'Stella',
  ]);
  for (const { avatar_url: url } of faces) {
    const response = await fetch(new URL(url, demos.cluster.baseUrl));
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('image/png');
  }
});

test('its owner is asked something that nobody has answered, and has read all but the last hours', async () => {
  const [question, ...others] = await read([{ operator: 'is', operand: 'mentioned' }]);
  expect(others).toEqual([]);
  const talk = await read(narrowTo('papers', 'referee report'));
  expect(talk.at(-1)?.id).toBe(question?.id);
  const unread = await read([{ operator: 'is', operand: 'unread' }]);
  expect(unread.map(({ id }) => id)).toContain(question?.id);
  expect(unread.length).toBeGreaterThan(5);
  expect(unread.length).toBeLessThan(20);
});

test('nobody may give messages times of their own once it is founded', async () => {
  for (const name of ['Olivia Brandt', 'Alice Chen', 'Stella']) {
    const send = () =>
      as(demos.demo(name)).post('/messages', {
        type: 'channel',
        to: 'general',
        topic: 'welcome',
        content: 'Long ago.',
        forged: 'yes',
        time: 1,
      });
    await vi.waitFor(() => expect(send()).rejects.toMatchObject({ code: 'BAD_REQUEST' }), patient);
  }
});

test('a later start says nothing again, and its bot answers whoever mentions it or writes to it', async () => {
  const before = await read([]);
  const users = ['Olivia Brandt', 'Stella'].map((name) => demos.demo(name));
  const [, bot] = users;
  if (!bot) throw new Error('There is no bot.');
  const said: string[] = [];
  const alive = await bringToLife(
    demos.cluster,
    { users, isNew: false },
    { signal: new AbortController().signal, say: (line) => said.push(line) },
  );
  await alive.started;
  expect(said).toEqual([]);
  expect((await read([])).map(({ id }) => id)).toEqual(before.map(({ id }) => id));

  await olivia.post('/messages', { type: 'direct', to: [bot.user_id], content: 'How is the moon?' });
  await olivia.post('/messages', {
    type: 'channel',
    to: 'random',
    topic: 'sky',
    content: 'Who is @**Stella**?',
  });
  await olivia.post('/messages', { type: 'channel', to: 'random', topic: 'sky', content: 'The moon is up.' });
  await vi.waitFor(async () => {
    const direct = await read([{ operator: 'dm', operand: [bot.user_id] }]);
    expect(direct.map((one) => one.sender_full_name)).toEqual(['Olivia Brandt', 'Stella']);
    expect(direct.at(-1)?.content).toContain('The Moon is');
    const topic = await read(narrowTo('random', 'sky'));
    expect(topic.map((one) => one.sender_full_name).toSorted()).toEqual([
      'Olivia Brandt',
      'Olivia Brandt',
      'Stella',
    ]);
    expect(topic.find((one) => one.sender_full_name === 'Stella')?.content).toContain('I am Stella');
  }, patient);
  await alive.stop();
});

test('logins have the names that accounts have by then, also where the observatory is not completed', async () => {
  const users = ['Olivia Brandt', 'Stella'].map((name) => ({
    ...demos.demo(name),
    name: `once not ${name}`,
  }));
  const said: string[] = [];
  const alive = await bringToLife(
    demos.cluster,
    { users, isNew: true },
    { signal: new AbortController().signal, say: (line) => said.push(line) },
  );
  await alive.started;
  await alive.stop();
  expect(said.at(-1)).toContain('The observatory is not complete');
  expect(alive.users.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['Olivia Brandt', 'Adam Okafor', 'Stella']),
  );
});
