import { describe, expect, test, vi } from 'vitest';

import {
  type Json,
  type Person,
  type TestRealm,
  getWorld,
  inSeconds,
  outcomeOf,
  picture,
  realm,
  say,
  subscribe,
} from '../../support/index.ts';

interface Scene extends TestRealm {
  messageId: number;
}

/** What is made twice; `name` differs. */
type Make = (scene: Scene, name: string) => Promise<Json>;

const post =
  (who: 'owner' | 'alice', path: string, params: (name: string, scene: Scene) => Json): Make =>
  (scene, name) =>
    scene[who].post(path, params(name, scene));

/** What there may be a number of, for one user, one message or one organization. */
const counted: [string, Make][] = [
  [
    'drafts',
    post('alice', '/drafts', (content) => ({
      drafts: [{ type: 'private', to: [], topic: '', content, timestamp: 1 }],
    })),
  ],
  [
    'scheduled messages',
    post('alice', '/scheduled_messages', (content, { bob }) => ({
      type: 'direct',
      to: [bob.id],
      content,
      scheduled_delivery_timestamp: inSeconds(600),
    })),
  ],
  [
    'reminders',
    post('alice', '/reminders', (note, { messageId }) => ({
      message_id: messageId,
      note,
      scheduled_delivery_timestamp: inSeconds(600),
    })),
  ],
  ['saved snippets', post('alice', '/saved_snippets', (title) => ({ title, content: 'x' }))],
  [
    'navigation views',
    post('alice', '/navigation_views', (name) => ({ fragment: name, is_pinned: true, name })),
  ],
  ['alert words', post('alice', '/users/me/alert_words', (word) => ({ alert_words: [word] }))],
  ['links of invitation', post('owner', '/invites/multiuse', () => ({}))],
  ['profile fields', post('owner', '/realm/profile_fields', (name) => ({ name, field_type: 1 }))],
  [
    'linkifiers',
    post('owner', '/realm/filters', (name) => ({
      pattern: `${name}-(?P<n>[0-9]+)`,
      url_template: 'https://ex.org/{n}',
    })),
  ],
  [
    'playgrounds',
    post('owner', '/realm/playgrounds', (name) => ({
      name,
      pygments_language: 'Python',
      url_template: 'https://ex.org/{code}',
    })),
  ],
  [
    'domains',
    post('owner', '/realm/domains', (name) => ({ domain: `${name}.example`, allow_subdomains: false })),
  ],
  ['groups', post('owner', '/user_groups/create', (name) => ({ name, description: '', members: [] }))],
  ['folders', post('owner', '/channel_folders/create', (name) => ({ name, description: '' }))],
  [
    'emoji',
    async ({ owner }, name) => {
      const file = { name: 'me.png', type: 'image/png', content: picture };
      return (await owner.upload(`/realm/emoji/${name}`, [file])).body;
    },
  ],
  [
    'reactions to a message',
    ({ alice, messageId }, name) =>
      alice.post(`/messages/${messageId}/reactions`, { emoji_name: name === 'one' ? 'tada' : 'octopus' }),
  ],
  [
    'answers to a widget',
    ({ alice, messageId }, key) =>
      alice.post('/submessage', {
        message_id: messageId,
        msg_type: 'widget',
        content: JSON.stringify({ type: 'new_option', idx: 1, option: key }),
      }),
  ],
];

const prepare = async (): Promise<Scene> => {
  const home = await realm();
  const people: Person[] = [home.owner, home.alice];
  await subscribe(home.owner, 'news', people);
  return { ...home, messageId: await say(home.alice, 'news', 't', '/poll Where?\nHere') };
};

describe('what is counted is made by one after the other', () => {
  test.each(counted)('(%s)', async (_, make) => {
    const { sql } = await getWorld();
    const scene = await prepare();
    const replies: Promise<Json>[] = [];
    const waiting = () => sql<{ query: string }[]>`
      select query from pg_stat_activity
      where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`;
    const isAtHead = ({ query }: { query: string }) => query.includes('append_events');
    const atHead = await sql.begin(async (tx) => {
      await tx`select from realm_heads where realm_id = ${scene.realm.id} for update`;
      for (const name of ['one', 'two']) {
        replies.push(make(scene, name));
        await vi.waitUntil(async () => (await waiting()).length >= replies.length, { timeout: 60_000 });
      }
      return (await waiting()).filter(isAtHead).length;
    });
    expect(atHead, 'the second waits for the first before it counts').toBe(1);
    for (const reply of replies) expect(outcomeOf(await reply)).toBe('ok');
  });
});
