import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';

import {
  type Person,
  type TestRealm,
  createWebhookBot,
  delayWrites,
  deliverDue,
  getWorld,
  inSeconds,
  picture,
  realm,
  runWebhooks,
  servicesThatAnswer,
  subscribe,
} from '../../support/index.ts';
import { isNight } from '../../support/seed.ts';
import { letSee } from '../actions/guests.ts';
import { asFollowed, follow, shown } from '../follower/index.ts';
import { changeGroup, valueNaming } from './groups.ts';
import { type Viewer, viewers } from './law.ts';
import { endReplicated, isReplicated, readAsAtPrimary, untilReplicated } from './replicated.ts';

/** `npm run histories` tries thousands of them. */
const histories = Number(process.env['HISTORIES'] ?? (isNight ? 500 : 10));
/** Histories that follow each other in one realm, and those who follow them. */
const historiesPerRealm = 10;
const followersPerRealm = 4;
const delayMsMax = 20;

const image = { name: 'a.png', content: picture, type: 'image/png' };

interface Step {
  by: Viewer;
  what: string;
  name: string;
  topic: string;
  others: Viewer[];
  change: string;
}

const kinds = [
  'public',
  'private',
  'send',
  'send',
  'mention',
  'react',
  'direct',
  'join',
  'leave',
  'edit',
  'edit',
  'role',
  'policy',
  'move',
  'settings',
  'draft',
  'draft',
  'snippet',
  'view',
  'schedule',
  'schedule',
  'remind',
  'deliver',
  'ask',
  'ask',
  'answer',
  'group',
  'group',
  'group',
  'mention group',
  'emoji',
  'organization',
];

const step = fc.record({
  by: fc.constantFrom(...viewers),
  what: fc.constantFrom(...kinds),
  name: fc.constantFrom('a', 'b'),
  topic: fc.constantFrom('s', 't'),
  others: fc.subarray([...viewers]),
  change: fc.constantFrom('hide', 'show', 'archive', 'restore', 'rename', 'admit', 'admit group'),
});

type Act = (people: TestRealm, step: Step, ids: number[]) => Promise<unknown>;

/** Some are refused, as of a channel that is not there yet: what happens depends on who comes first. */
const acts: Record<string, Act> = {
  edit: (people, taken, ids) => editChannel(people, taken, ids),
  group: (people, { by, topic, change }, ids) =>
    changeGroup(people, people[by], { name: topic, other: topic === 's' ? 't' : 's', change }, ids),
  'mention group': (people, { by, name, topic }) =>
    people[by].post('/messages', { type: 'channel', to: name, topic, content: `@*${topic}*` }),
  leave: (people, { by, name }, ids) =>
    people[by].delete('/users/me/subscriptions', { subscriptions: [name], principals: ids }),
  join: (people) => people.join({ name: 'Newcomer', email: `${Math.random()}@example.com` }),
  direct: (people, { by }, ids) => people[by].post('/messages', { type: 'direct', to: ids, content: 'x' }),
  send: (people, { by, name, topic }) =>
    people[by].post('/messages', { type: 'channel', to: name, topic, content: 'x' }),
  mention: (people, { by, name, topic, others }) => {
    const content = others.map((other) => `@**${people[other].name}**`).join(' ') || 'x';
    return people[by].post('/messages', { type: 'channel', to: name, topic, content });
  },
  react: async (people, { by, name }) => {
    const id = await newestIn(people, name);
    return await people[by].post(`/messages/${id}/reactions`, { emoji_name: 'tada' });
  },
  role: ({ owner, ...people }, { change }) => {
    const role = { hide: 600, show: 400, archive: 300, restore: 200 }[change] ?? 400;
    return owner.patch(`/users/${people.moderator.id}`, { role });
  },
  policy: async (people, { by, name, topic, change }) => {
    const { stream_id } = await people.owner.get('/get_stream_id', { stream: name });
    const visibility_policy = { hide: 1, show: 3, archive: 0 }[change] ?? 2;
    return await people[by].post('/user_topics', { stream_id: stream_id ?? 0, topic, visibility_policy });
  },
  move: async (people, { by, name, topic, change }) => {
    const id = await newestIn(people, name);
    const { stream_id } = await people.owner.get('/get_stream_id', { stream: name === 'a' ? 'b' : 'a' });
    const to =
      change === 'hide' && stream_id !== undefined ? { stream_id } : { topic: topic === 's' ? 'T' : 's' };
    return await people[by].patch(`/messages/${id}`, { ...to, propagate_mode: 'change_all' });
  },
  settings: (people, { by, change }) =>
    people[by].patch('/settings', {
      automatically_follow_topics_policy: change === 'hide' ? 4 : 1,
      enable_drafts_synchronization: change !== 'hide',
    }),
  draft: (people, { by, change }, ids) => draft(people[by], change, ids),
  emoji: (people, { by, topic, change }) =>
    change === 'archive'
      ? people[by].delete(`/realm/emoji/our_${topic}`)
      : people[by].upload(`/realm/emoji/our_${topic}`, [image]),
  organization: async ({ owner }, { name, topic, change }) => {
    if (change === 'archive') return await owner.delete('/realm/icon');
    if (change === 'restore') return await owner.upload('/realm/icon', [image]);
    const { stream_id } = await owner.get('/get_stream_id', { stream: name });
    return await owner.patch('/realm', {
      description: topic,
      enable_read_receipts: change === 'show',
      // Newcomers are announced there.
      signup_announcements_stream_id: change === 'hide' ? -1 : (stream_id ?? -1),
    });
  },
  snippet: (people, { by, change }) => snippet(people[by], change),
  schedule: (people, { by, change }, ids) => schedule(people[by], change, ids),
  remind: async (people, { by, name, change }) => {
    if (change === 'archive') {
      const { reminders } = await people[by].get('/reminders');
      return await people[by].delete(`/reminders/${reminders[0]?.reminder_id ?? 0}`);
    }
    const due = { message_id: await newestIn(people, name), scheduled_delivery_timestamp: inSeconds(3600) };
    return await people[by].post('/reminders', due);
  },
  deliver: (people, { by }) => deliverDue(people[by]),
  ask: (people, { by, name, topic }) =>
    people[by].post('/messages', { type: 'channel', to: name, topic, content: 'now @**Helper**' }),
  answer: (people, { change, others }) => {
    const content = others.map((other) => `@**${people[other].name}**`).join(' ');
    const status = { hide: 404, show: 503 }[change] ?? 200;
    return runWebhooks({ webhooks: servicesThatAnswer(status, JSON.stringify({ content })) });
  },
  view: (people, { by, change, topic }) => view(people[by], change, `narrow/${topic}`),
};

async function take(people: TestRealm, taken: Step): Promise<void> {
  const ids = taken.others.map((other) => people[other].id);
  const act = acts[taken.what];
  if (act) return void (await act(people, taken, ids));
  const params = {
    subscriptions: [{ name: taken.name }],
    principals: ids,
    invite_only: taken.what === 'private',
  };
  await people[taken.by].post('/users/me/subscriptions', params);
}

async function draft(by: Person, change: string, to: number[]): Promise<unknown> {
  const { drafts = [] } = await by.get('/drafts');
  const written = { type: 'private', to, topic: '', content: change };
  const path = `/drafts/${drafts[0]?.id ?? 0}`;
  if (change === 'archive') return await by.delete(path);
  if (change === 'rename') return await by.patch(path, { draft: written });
  return await by.post('/drafts', { drafts: [written, { ...written, to: [] }] });
}

async function snippet(by: Person, change: string): Promise<unknown> {
  const { saved_snippets } = await by.get('/saved_snippets');
  const path = `/saved_snippets/${saved_snippets[0]?.id ?? 0}`;
  if (change === 'archive') return await by.delete(path);
  if (change === 'rename') return await by.patch(path, { title: `${saved_snippets.length}` });
  return await by.post('/saved_snippets', { title: change, content: change });
}

async function schedule(by: Person, change: string, to: number[]): Promise<unknown> {
  const { scheduled_messages } = await by.get('/scheduled_messages');
  const path = `/scheduled_messages/${scheduled_messages[0]?.scheduled_message_id ?? 0}`;
  const written = { type: 'direct', to, content: change, scheduled_delivery_timestamp: inSeconds(3600) };
  if (change === 'archive') return await by.delete(path);
  if (change === 'rename') return await by.patch(path, written);
  return await by.post('/scheduled_messages', written);
}

async function view(by: Person, change: string, fragment: string): Promise<unknown> {
  const path = `/navigation_views/${fragment}`;
  if (change === 'archive') return await by.delete(path);
  if (change === 'rename') return await by.patch(path, { name: `${fragment} again` });
  if (change === 'hide') return await by.patch(path, { is_pinned: false });
  return await by.post('/navigation_views', { fragment, is_pinned: true, name: fragment });
}

async function newestIn({ owner }: TestRealm, name: string): Promise<number> {
  const narrow = [['channel', name]];
  const page = await owner.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0, narrow });
  return page.messages?.[0]?.id ?? 1;
}

/** By someone who may do anything, as far as the channel is there. */
async function editChannel(people: TestRealm, { name, topic, change }: Step, ids: number[]): Promise<void> {
  const { owner } = people;
  const { stream_id } = await owner.get('/get_stream_id', { stream: name });
  if (stream_id === undefined) return;
  const changes: Record<string, Record<string, unknown>> = {
    hide: { is_private: true },
    show: { is_private: false },
    restore: { is_archived: false },
    rename: { new_name: name.toUpperCase(), description: `${ids.length}` },
    admit: { can_subscribe_group: { new: { direct_members: ids, direct_subgroups: [] } } },
    'admit group': { can_subscribe_group: { new: await valueNaming(people, topic, ids) } },
  };
  if (change === 'archive') await owner.delete(`/streams/${stream_id}`);
  else await owner.patch(`/streams/${stream_id}`, changes[change] ?? {});
}

const history = fc.record({
  sees: fc.boolean(),
  who: fc.shuffledSubarray([...viewers], { minLength: followersPerRealm, maxLength: followersPerRealm }),
  rounds: fc.array(fc.array(step, { minLength: 3, maxLength: 14 }), {
    minLength: historiesPerRealm,
    maxLength: historiesPerRealm,
  }),
  // Where there is a replica: whether clients start when it has everything.
  waits: fc.array(fc.constantFrom(true, false, false, false), {
    minLength: historiesPerRealm,
    maxLength: historiesPerRealm,
  }),
});

afterAll(endReplicated);

beforeAll(async () => {
  await delayWrites((await getWorld()).sql, delayMsMax);
});

test('whatever happens at the same moment, followers end where fresh clients start', async () => {
  let count = 0;
  await fc.assert(
    fc.asyncProperty(history, async ({ sees, who, rounds, waits }) => {
      const people = await realm();
      if (!sees) await letSee(people.owner, 'role:members');
      await subscribe(people.owner, 'a', [people.owner, people.alice, people.guest]);
      await createWebhookBot(people.owner, 'https://bots.example/hook');
      let followers = await Promise.all(who.map((name) => follow(people[name], 'modern')));
      for (const [round, steps] of rounds.entries()) {
        await Promise.all(steps.map((one) => take(people, one)));
        if (isReplicated()) await readAsAtPrimary(who.map((name) => people[name]));
        if (isReplicated() && waits[round]) await untilReplicated(people);
        for (const follower of followers) await follower.catchUp();
        const fresh = await Promise.all(who.map((name) => follow(people[name], 'modern')));
        for (const [index, { state }] of fresh.entries()) {
          const followed = followers[index]?.state ?? state;
          expect(shown(followed), `${who[index]} after ${JSON.stringify(steps)}`).toEqual(
            asFollowed(state, followed),
          );
        }
        followers = fresh;
        count += 1;
        if (count % 100 === 0) process.stderr.write(`${count} histories\n`);
      }
    }),
    { numRuns: histories / historiesPerRealm, endOnFailure: true },
  );
}, 7_200_000);
