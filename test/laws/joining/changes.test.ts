import { expect, test } from 'vitest';

import { type Params, getWorld, realm, say } from '../../support/index.ts';
import { ofNode } from '../neighbours/buffers.ts';
import { channelOfMany } from './channel-of-many.ts';

/** What is done with a message. */
const changes: Record<string, [method: string, path: string, params: Params]> = {
  'a reaction to it': ['POST', '/reactions', { emoji_name: 'thumbs_up' }],
  'a change of its content': ['PATCH', '', { content: 'said better' }],
  'a change of its topic': ['PATCH', '', { topic: 'elsewhere', send_notification_to_old_thread: false }],
  'its deletion': ['DELETE', '', {}],
};

/** As few as possible of what other connections have read is counted: what they read is known later, and only adds. */
const tries = 3;

/** How many buffers of members and accounts the change of a message of alice reads in a channel of so many. */
async function readBy(change: string, count: number, isPrivate: boolean): Promise<number> {
  const { alice } = await realm();
  const { sql } = await getWorld();
  const { id } = await channelOfMany(alice, count);
  await sql`update channels set is_private = ${isPrivate} where id = ${id}`;
  await say(alice, 'hall', 'elsewhere', 'a topic');
  const messages: number[] = [];
  for (let at = 0; at < tries; at += 1) messages.push(await say(alice, 'hall', 't', 'said'));
  await sql`vacuum analyze conversation_members, users, messages`;
  const [method = '', path = '', params = {}] = changes[change] ?? [];
  const read: number[] = [];
  for (const message of messages) {
    const buffers = await ofNode(async (port) => {
      const reply = await alice.ask(method, `/messages/${message}${path}`, params, { port });
      expect(reply.body, change).toMatchObject({ result: 'success' });
    });
    const ofMembers = [...buffers].filter(([name]) => /^(conversation_members|users)/.test(name));
    read.push(ofMembers.reduce((sum, [, blocks]) => sum + blocks, 0));
  }
  return Math.min(...read);
}

const cases = Object.keys(changes).flatMap((change) =>
  [false, true].map((isPrivate) => ({ change, isPrivate, place: isPrivate ? 'private' : 'public' })),
);

// Of at most 1000 members, an edit says who has not read the message.
test.for(cases)(
  'Postgres reads as much of the members of a $place channel of 6000 as of those of one of 1500, for $change',
  async ({ change, isPrivate }) => {
    const few = await readBy(change, 1500, isPrivate);
    const many = await readBy(change, 6000, isPrivate);
    expect(many, `${few} buffers in the smaller one`).toBeLessThan(few * 1.5 + 10);
  },
);
