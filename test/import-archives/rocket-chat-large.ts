import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { serialize } from 'bson';

import { channelCount, textOf, userCount } from './large.ts';

const firstMs = Date.UTC(2015, 0, 5);
const atOnce = 500;

const keyOf = (index: number) => `m${String(index).padStart(16, '0')}`;
const personOf = (index: number) => ({
  _id: `u${index}`,
  username: `user${index}`,
  name: `User ${index}`,
});

/** Returns a message. Every eighth begins a thread of three, and all lie in the database in another order than that of time. */
function messageOf(order: number, messages: number): object {
  const index = (order * 7919) % messages;
  const [root, reply] = [index - (index % 8), index % 8];
  const hasThread = root + 2 < messages;
  const at = new Date(firstMs + index * 60_000);
  const text = index % 11 === 0 ? `@user3 *${textOf(index)}*` : textOf(index);
  return {
    _id: keyOf(index),
    // A thread is in one room.
    rid: `room${(root / 8) % channelCount}`,
    msg: text,
    ts: at,
    u: personOf((index * 5) % userCount),
    urls: [],
    mentions: index % 11 === 0 ? [personOf(3)] : [],
    channels: [],
    md: [{ type: 'PARAGRAPH', value: [{ type: 'PLAIN_TEXT', value: text }] }],
    ...(hasThread && reply === 0 && { tcount: 2, tlm: at, replies: ['u1'] }),
    ...(hasThread && (reply === 1 || reply === 2) && { tmid: keyOf(root) }),
    ...(index % 10 === 3 && { reactions: { ':thumbsup:': { usernames: ['user1', 'user2'] } } }),
    _updatedAt: at,
  };
}

function* documents(count: number, make: (index: number) => object): Generator<Buffer> {
  for (let first = 0; first < count; first += atOnce) {
    const some = Array.from({ length: Math.min(atOnce, count - first) }, (_, index) => make(first + index));
    yield Buffer.concat(some.map((document) => serialize(document)));
  }
}

/** Writes a dump of Rocket.Chat's database with so many messages, of which a quarter are replies in threads. */
export async function writeLargeDump(folder: string, messages: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  const write = (name: string, count: number, make: (index: number) => object) =>
    pipeline(Readable.from(documents(count, make)), createWriteStream(join(folder, `${name}.bson`)));
  await write('users', userCount, (index) => ({
    ...personOf(index),
    type: 'user',
    roles: index === 0 ? ['user', 'admin'] : ['user'],
    active: true,
    emails: [{ address: `user${index}@acme.example` }],
  }));
  await write('rocketchat_room', channelCount, (index) => ({
    _id: `room${index}`,
    t: 'c',
    name: `channel-${index}`,
    ts: new Date(firstMs),
    u: personOf(0),
    default: index === 0,
  }));
  await write('rocketchat_subscription', channelCount * userCount, (index) => ({
    _id: `s${index}`,
    rid: `room${index % channelCount}`,
    u: personOf(Math.floor(index / channelCount)),
  }));
  // 7919 is a prime: unless it divides the number, every message comes once.
  await write('rocketchat_message', messages, (index) => messageOf(index, messages));
}
