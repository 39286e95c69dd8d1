import { expect } from 'vitest';

import { type Json, type Person, type TestRealm, getWorld } from '../../support/index.ts';

/** Everyone in a channel, and what tests of changed messages ask again and again. */
export async function subscribe(
  by: Person,
  name: string,
  principals: Person[] = [by],
  more: object = {},
): Promise<number> {
  const reply = await by.post('/users/me/subscriptions', {
    subscriptions: [{ name }],
    principals: principals.map(({ id }) => id),
    ...more,
  });
  expect(reply).toMatchObject({ result: 'success' });
  const { sql } = await getWorld();
  const [channel] = await sql<{ id: number }[]>`
    select id from channels where realm_id = ${by.realm.id} and lower(name) = ${name.toLowerCase()}`;
  return channel?.id ?? 0;
}

export async function say(by: Person, to: string, topic: string, content = 'hello'): Promise<number> {
  const reply = await by.post('/messages', { type: 'channel', to, topic, content });
  expect(reply).toMatchObject({ result: 'success' });
  return reply.id;
}

export async function tell(by: Person, people: Person[], content = 'hello'): Promise<number> {
  return (await by.post('/messages', { type: 'direct', to: people.map(({ id }) => id), content })).id;
}

/** The message as someone is shown it, its text as it was written; undefined where they may not read it. */
export async function see(who: Person, id: number): Promise<Json> {
  const params = { apply_markdown: false, allow_empty_topic_name: true };
  return (await who.get(`/messages/${id}`, params)).message;
}

/** Ids of a topic's messages, as someone finds them. */
export async function idsIn(who: Person, channelId: number, topic: string): Promise<number[]> {
  const narrow = [
    ['channel', channelId],
    ['topic', topic],
  ];
  const reply = await who.get('/messages', { anchor: 'newest', num_before: 1000, narrow });
  return (reply.messages ?? []).map(({ id }: Json) => id);
}

/** Settings of the organization, whatever else they would bring along. */
export async function setRealm({ realm }: TestRealm, settings: object): Promise<void> {
  const { sql } = await getWorld();
  await sql`update realms set settings = settings || ${sql.json({ ...settings })} where id = ${realm.id}`;
}

/** Gives a permission of the organization, or of a channel, to a system group. */
export async function permit(
  { realm }: TestRealm,
  permission: string,
  group: string,
  channelId?: number,
): Promise<void> {
  const { sql } = await getWorld();
  const [row] = await sql`select id from user_groups where realm_id = ${realm.id} and name = ${group}`;
  const value = sql.json({ [permission]: row?.['id'] });
  if (channelId === undefined) {
    await sql`update realms set group_settings = group_settings || ${value} where id = ${realm.id}`;
  } else await sql`update channels set group_settings = group_settings || ${value} where id = ${channelId}`;
}

export async function makeOlder(id: number, seconds: number): Promise<void> {
  const { sql } = await getWorld();
  await sql`update messages set sent_at = sent_at - make_interval(secs => ${seconds}) where id = ${id}`;
}

export const success = { result: 'success' };
export const refused = (msg: string) => ({ code: 'BAD_REQUEST', msg });
