import { nameOf } from '@parley/api';
import { emptyTopicDisplayName } from '@parley/protocol';
import { expect, test } from 'vitest';

import {
  type Json,
  type Params,
  type Person,
  createChannel,
  inSeconds,
  jsonEndpoints,
  newest,
  realm,
  succeed,
} from '../support/index.ts';

const { empty_topic_name: _, ...withoutEmptyTopic } = newest;

/** Where something is empty that is no topic. */
const harmless = ['msg', 'description', 'rendered_description'];

/** A request over the empty topic: its endpoint, and what is sent. Parts of the path are among the parameters. */
type Ask = (endpoint: string, params: Params) => Promise<Json>;

/** Everything that can be done about the empty topic of a channel, in an order in which all of it succeeds. */
async function doAll(ask: Ask, { channel, other, topic }: { channel: number; other: number; topic: string }) {
  const send = async () =>
    (await ask('POST /messages', { type: 'channel', to: channel, topic, content: 'x' })).id;
  const [first, second, third] = [await send(), await send(), await send()];
  await ask('POST /mark_topic_as_read', { stream_id: channel, topic_name: topic });
  await ask('POST /messages/flags', { messages: [first, second], op: 'remove', flag: 'read' });
  await ask('PATCH /messages/:message_id', { message_id: first, content: 'y' });
  for (const to of [{ topic: 'named' }, { topic }, { stream_id: other, topic }]) {
    await ask('PATCH /messages/:message_id', { message_id: first, ...to });
  }
  await ask('POST /user_topics', { stream_id: channel, topic, visibility_policy: 3 });
  await ask('PATCH /users/me/subscriptions/muted_topics', { stream_id: channel, topic, op: 'add' });
  const draft = { type: 'stream', to: [channel], topic, content: 'x' };
  const { ids } = await ask('POST /drafts', { drafts: [draft] });
  await ask('PATCH /drafts/:draft_id', { draft_id: ids[0], draft });
  const later = { to: channel, topic, scheduled_delivery_timestamp: inSeconds(3600) };
  const scheduled = { type: 'channel', content: 'x', ...later };
  const { scheduled_message_id } = await ask('POST /scheduled_messages', scheduled);
  await ask('PATCH /scheduled_messages/:scheduled_message_id', { scheduled_message_id, ...later });
  await ask('DELETE /messages/:message_id', { message_id: second });
  return { first, third };
}

/** What is read of it. */
async function readAll(ask: Ask, channel: number, { first, third }: { first: number; third: number }) {
  const narrow = [{ operator: 'search', operand: 'y' }];
  await ask('GET /messages', { anchor: 'newest', num_before: 10, narrow: [] });
  await ask('GET /messages', { anchor: 'newest', num_before: 10, narrow });
  await ask('GET /messages/:message_id', { message_id: first });
  await ask('GET /messages/:message_id/history', { message_id: first });
  await ask('GET /messages/matches_narrow', { msg_ids: [first, third], narrow });
  await ask('GET /users/me/:stream_id/topics', { stream_id: channel });
  await ask('GET /drafts', {});
  await ask('GET /scheduled_messages', {});
}

/** Asks as a person, and keeps what was answered. */
function asking(person: Person, kept: Json[], more: Params = {}) {
  const asked = new Set<string>();
  const ask: Ask = async (endpoint, sent) => {
    asked.add(endpoint);
    const params: Params = { ...sent };
    const [method = '', pattern = ''] = endpoint.split(' ');
    const path = pattern.replaceAll(/:(\w+)/g, (_, name: string) => {
      const value = params[name];
      delete params[name];
      return String(value);
    });
    const { body } = await person.ask(method, path, { ...params, ...more });
    kept.push(await succeed(Promise.resolve(body)));
    return body;
  };
  return { ask, asked };
}

/** The names of the fields that are empty texts somewhere, and of the lists that hold empty texts. */
function emptyFields(value: Json, field = '', found = new Set<string>()): Set<string> {
  if (value === '') found.add(field);
  else if (Array.isArray(value)) for (const item of value) emptyFields(item, field, found);
  else if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value)) emptyFields(item, name, found);
  }
  return found;
}

const fetched = ['drafts', 'message', 'muted_topics', 'scheduled_messages', 'update_message_flags'];
const typesWithTopics = [...fetched, 'delete_message', 'update_message'];

/** Does everything, and returns all that clients of a kind were sent. */
async function observe({ isCapable, topic }: { isCapable: boolean; topic: string }) {
  const { alice, bob, carol } = await realm();
  const channel = await createChannel(alice, 'news', [alice, bob, carol]);
  const other = await createChannel(alice, 'other', [alice, bob]);
  const options = {
    client_capabilities: isCapable ? newest : withoutEmptyTopic,
    event_types: typesWithTopics,
  };
  const listeners = [await alice.listen(options), await bob.listen(options), await carol.listen(options)];
  const topics = [await alice.listen({ ...options, event_types: ['user_topic'] })];
  const heard: Json[] = [];
  const { ask, asked } = asking(alice, heard);
  const messages = await doAll(ask, { channel, other, topic });
  const reading = asking(alice, heard, isCapable ? { allow_empty_topic_name: true } : {});
  await readAll(reading.ask, channel, messages);
  for (const listener of [...listeners, ...topics]) heard.push(...(await listener.hears()));
  for (const fetch_event_types of [fetched, ['user_topic']]) {
    heard.push(...(await listenAll([alice, bob], { ...options, fetch_event_types })));
  }
  return { heard, asked: new Set([...asked, ...reading.asked]) };
}

/** Does what clients are told of for a moment alone. */
async function observeTyping({ isCapable, topic }: { isCapable: boolean; topic: string }) {
  const { alice, bob } = await realm();
  const stream_id = await createChannel(alice, 'news', [alice, bob]);
  const { id: message_id } = await succeed(
    alice.post('/messages', { type: 'channel', to: stream_id, topic, content: 'x' }),
  );
  const phone = await bob.listen({
    client_capabilities: isCapable ? newest : withoutEmptyTopic,
    event_types: ['typing', 'typing_edit_message'],
  });
  const { ask, asked } = asking(alice, []);
  await ask('POST /typing', { type: 'channel', op: 'start', stream_id, topic });
  const typing = await phone.waits();
  await ask('POST /messages/:message_id/typing', { message_id, op: 'start' });
  return { asked, heard: [...typing, ...(await phone.waits())] };
}

const topicsOfTyping = (heard: Json[]) => heard.map(({ topic, recipient }) => topic ?? recipient.topic);

const listenAll = (people: Person[], options: Params) =>
  Promise.all(people.map(async (person) => (await person.listen(options)).registered));

/** Every field in which clients are sent the name of a topic. */
const carriers = [
  'match_subject',
  'muted_topics',
  'name',
  'orig_subject',
  'prev_topic',
  'subject',
  'topic',
  'topic_name',
];

test.each(['', '(no topic)'])(
  'a client that cannot show the empty topic is never sent it, as %j',
  async (topic) => {
    const { heard } = await observe({ isCapable: false, topic });
    expect([...emptyFields(heard)].filter((field) => !harmless.includes(field))).toEqual([]);
    const typing = await observeTyping({ isCapable: false, topic });
    expect(topicsOfTyping(typing.heard)).toEqual([emptyTopicDisplayName, emptyTopicDisplayName]);
  },
);

test('a client that can show the empty topic is sent it in every field that has a topic', async () => {
  const { heard } = await observe({ isCapable: true, topic: '' });
  expect([...emptyFields(heard)].filter((field) => !harmless.includes(field)).sort()).toEqual(carriers);
  expect(JSON.stringify(heard)).not.toContain(`"${emptyTopicDisplayName}"`);
  const typing = await observeTyping({ isCapable: true, topic: '' });
  expect(topicsOfTyping(typing.heard)).toEqual(['', '']);
});

test('everything that takes or answers with a topic is tried over the empty one', async () => {
  const observed = [observe, observeTyping].map((act) => act({ isCapable: true, topic: '' }));
  const asked = new Set((await Promise.all(observed)).flatMap((one) => [...one.asked]));
  const takesTopic = (names: string[]) => names.some((name) => /^(allow_empty_)?topic(_name)?$/.test(name));
  const all = jsonEndpoints.filter(({ params }) => takesTopic(Object.keys(params))).map(nameOf);
  const untried = ['POST /streams/:stream_id/delete_topic', 'POST /external/:integration'];
  expect(all.filter((name) => !asked.has(name) && !untried.includes(name))).toEqual([]);
});
