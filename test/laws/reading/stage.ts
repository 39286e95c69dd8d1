import type { Role } from '@parley/protocol';
import { afterAll } from 'vitest';

import {
  type Listener,
  type Person,
  type TestRealm,
  addMembers,
  channelId,
  createGroup,
  feedSearch,
  getWorld,
  leave,
  letSpectatorsIn,
  linkTo,
  realm,
  startSearchEngine,
  subscribe,
  succeed,
  text,
  upload,
} from '../../support/index.ts';
import { isNight } from '../../support/seed.ts';
import {
  type Phase,
  type RoleName,
  type Sent,
  type ShapeName,
  type Somebody,
  histories,
  historiesOf,
  lastPhase,
  phases,
  roleNames,
  shapeNames,
  shapes,
} from './rules.ts';

/** Somebody with an account and a client that has listened from the start. */
export interface Reader extends Somebody {
  title: string;
  person: Person;
  phone: Listener;
}

/** A message with what it carries. */
export interface Message extends Sent {
  title: string;
  id: number;
  channel: number | null;
  topic: string;
  /** A file that it alone links to. */
  file: string | null;
  /** A word that it alone has. */
  word: string;
}

export interface Stage extends TestRealm {
  readers: Reader[];
  messages: Message[];
  channels: Map<ShapeName, number>;
  /** An api node that asks a search engine, which has heard of everything. */
  searchPort: number;
}

const roleNumbers: Record<RoleName, Role> = { member: 400, guest: 600, administrator: 200 };

/** A realm in which everybody has a different past, and the owner has said something in each phase of it. */
export async function setStage(): Promise<Stage> {
  const home = await realm();
  const { owner } = home;
  await letSpectatorsIn(home);
  await succeed(owner.patch('/realm', { enable_read_receipts: true }));
  const readers = await bringReaders(home);
  const permitted = readers.filter(({ history }) => 'isPermitted' in histories[history]);
  const group = await createGroup(
    owner,
    'permitted',
    permitted.map(({ person }) => person),
  );
  const channels = await makeChannels(home, group);
  const messages: Message[] = [];
  for (const phase of phases) {
    if (phase === lastPhase - 1) await bringCrowd(home, readers);
    await changeMembers(home, readers, phase);
    for (const shape of shapeNames) {
      const word = wordOf(messages.length);
      messages.push(await sayIn(home, readers, channels, { shape, phase, word }));
    }
  }
  messages.push(...(await tellSome(home, readers, messages.length)));
  return { ...home, readers, messages, channels, searchPort: await startSearching(home) };
}

/** Has a search engine fed with what was said, and a node that asks it. Both end with the file. */
async function startSearching({ realm: home }: TestRealm): Promise<number> {
  const engine = await startSearchEngine();
  const client = engine.client();
  await feedSearch(home, client);
  const node = await (await getWorld()).startApi({ search: engine.options });
  afterAll(async () => {
    await node[Symbol.asyncDispose]();
    await engine[Symbol.asyncDispose]();
  });
  return node.port;
}

/** A word that is unlike all others. */
const wordOf = (number: number) =>
  Array.from({ length: 10 }, (_, at) =>
    String.fromCodePoint(97 + ((number * (3 + 2 * at) + at * at * 5 + at) % 26)),
  ).join('');

async function bringReaders({ join }: TestRealm): Promise<Reader[]> {
  const { sql } = await getWorld();
  const readers: Reader[] = [];
  for (const role of roleNames) {
    for (const history of historiesOf(role, isNight)) {
      const title = `${role}, ${history}`;
      const email = `${title.replaceAll(/\W+/g, '.')}@example.com`;
      const person = await join({ name: title, email, role: roleNumbers[role] });
      readers.push({ title, role, history, person, phone: await person.listen() });
    }
  }
  const wishes = { enable_stream_push_notifications: true, enable_stream_email_notifications: true };
  await sql`update users set settings = settings || ${sql.json(wishes)}
    where id = any(${readers.map(({ person }) => person.id)})`;
  return readers;
}

async function makeChannels({ owner }: TestRealm, group: number): Promise<Map<ShapeName, number>> {
  const channels = new Map<ShapeName, number>();
  for (const name of shapeNames) {
    const { isPrivate, isWebPublic, sharesHistory, permits } = shapes[name];
    await subscribe(owner, name, [owner], {
      invite_only: isPrivate,
      is_web_public: isWebPublic,
      history_public_to_subscribers: sharesHistory,
    });
    const id = await channelId(owner, name);
    if (permits) await succeed(owner.patch(`/streams/${id}`, { can_subscribe_group: { new: group } }));
    channels.set(name, id);
  }
  return channels;
}

/** Has those come who are in the channels in a phase, and those leave who are not. */
async function changeMembers({ owner }: TestRealm, readers: Reader[], phase: Phase): Promise<void> {
  const isIn = ({ history }: Reader, when: number) =>
    (histories[history].subscribed as readonly number[]).includes(when);
  const coming = readers.filter((one) => isIn(one, phase) && !isIn(one, phase - 1));
  const leaving = readers.filter((one) => !isIn(one, phase) && isIn(one, phase - 1));
  const people = (some: Reader[]) => some.map(({ person }) => person);
  if (leaving.length > 0) await leave(owner, shapeNames, people(leaving));
  for (const name of shapeNames) if (coming.length > 0) await subscribe(owner, name, people(coming));
}

/**
 * Has so many newcomers come to all channels that they are more than those who have ever been there: of what was said
 * before, the log names whoever has it, and of what comes after, whoever has it not.
 */
async function bringCrowd({ owner, realm: home }: TestRealm, readers: Reader[]): Promise<void> {
  const principals = await addMembers(home, readers.length);
  const subscriptions = shapeNames.map((name) => ({ name }));
  await succeed(owner.post('/users/me/subscriptions', { subscriptions, principals }));
}

/** Those who are away are mentioned while they are: in the phase before the last. */
const mentionsIn = (phase: Phase) => phase === lastPhase - 1;

async function sayIn(
  { owner }: TestRealm,
  readers: Reader[],
  channels: Map<ShapeName, number>,
  { shape, phase, word }: { shape: ShapeName; phase: Phase; word: string },
): Promise<Message> {
  const channel = channels.get(shape) ?? 0;
  const topic = `in phase ${phase}`;
  const mentions = mentionsIn(phase);
  const called = readers.filter(({ history }) => mentions && 'isMentioned' in histories[history]);
  const file = phase === lastPhase ? null : await upload(owner, text(`${shape} ${phase}`));
  const parts = [
    `giraffe ${word}`,
    ...called.map(({ person }) => `@**${person.name}|${person.id}**`),
    ...(file ? [linkTo(file)] : []),
  ];
  const content = parts.join(' ');
  const { id } = await succeed(owner.post('/messages', { type: 'channel', to: channel, topic, content }));
  const title = `${shape}, phase ${phase}`;
  return { title, id, channel, topic, file, word, phase, shape, people: [], mentions };
}

/** Direct messages to two who have nothing to do with each other, and to one. */
async function tellSome({ owner }: TestRealm, readers: Reader[], number: number): Promise<Message[]> {
  const messages: Message[] = [];
  for (const people of [['settled', 'stranger'], ['left']] as const) {
    const to = readers.filter(({ history }) => (people as readonly string[]).includes(history));
    const file = await upload(owner, text(people.join()));
    const word = wordOf(number + messages.length);
    const content = `giraffe ${word} ${linkTo(file)}`;
    const ids = to.map(({ person }) => person.id);
    const { id } = await succeed(owner.post('/messages', { type: 'direct', to: ids, content }));
    const title = `direct to ${people.join(' and ')}`;
    messages.push({
      title,
      id,
      channel: null,
      topic: '',
      file,
      word,
      phase: lastPhase,
      shape: null,
      people,
      mentions: false,
    });
  }
  return messages;
}
