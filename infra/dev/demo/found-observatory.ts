import * as actions from '@parley/actions';
import { type Connection, connect } from '@parley/client';
import { backoffMs, pause } from '@parley/kit';
import pLimit from 'p-limit';

import type { Cluster } from '../nodes/start-cluster.ts';
import {
  type Conversation,
  type Line,
  channels,
  conversations,
  readUntilHoursAgo,
  showpiece,
} from './conversations.ts';
import { drawFace, drawIcon, drawMoon, drawSky, drawSpectrum, drawStar } from './drawings.ts';
import { describeMoon } from './moon.ts';
import { type Writer, people, stella } from './people.ts';
import { type DemoUser, createSeeder, findDemoRealm, homeOf } from './seed.ts';

type Cast = Readonly<Record<Writer, { by: Connection; user: DemoUser }>>;

const writers = Object.keys({ ...people, stella }) as Writer[];
/** Requests at the same time: as many as one page makes. */
const atOnceMax = 6;
const hourMs = 3_600_000;

const attemptsMax = 8;
const backoff = { firstMs: 200, maxMs: 5000 };
/** What a server answers that has not done what it was asked, and may do it soon. */
const notYet = new Set([429, 502, 503]);

/** Asks again where nodes that have just started, or a busy machine, ask for a moment. */
const askPatiently: typeof fetch = async (input, init) => {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(input, init);
    if (!notYet.has(response.status) || attempt === attemptsMax) return response;
    await response.body?.cancel();
    const askedMs = Number(response.headers.get('retry-after') ?? 0) * 1000;
    await pause(Math.min(askedMs, backoff.maxMs) + backoffMs(attempt, backoff));
    init?.signal?.throwIfAborted();
  }
};

function gather(address: string, users: readonly DemoUser[]): Cast {
  const entries = writers.map((writer) => {
    const { account } = writer === 'stella' ? stella : people[writer];
    const user = users.find(({ name }) => name === account);
    if (!user) throw new Error(`There is no ${account} in the demo organization.`);
    const credentials = { email: user.email, apiKey: user.api_key };
    return [writer, { by: connect({ baseUrl: address, credentials, fetch: askPatiently }), user }] as const;
  });
  // Safe: there is an entry for each.
  return Object.fromEntries(entries) as unknown as Cast;
}

const picture = (content: Buffer, name: string) =>
  new File([new Uint8Array(content)], name, { type: 'image/png' });

async function upload(by: Connection, content: Buffer, name: string): Promise<string> {
  const { url } = await by.upload<{ url: string }>('/user_uploads', picture(content, name));
  return `[${name}](${url})`;
}

/** Gives the organization and its people names and faces. */
async function present(cast: Cast): Promise<void> {
  const limit = pLimit(atOnceMax);
  await cast.olivia.by.patch('/realm', {
    name: 'Larkspur Observatory',
    description: 'Two telescopes, one spectrograph, and whoever is awake.',
  });
  await cast.olivia.by.upload('/realm/icon', picture(await drawIcon(), 'icon.png'));
  await cast.olivia.by.patch(`/bots/${cast.stella.user.user_id}`, { full_name: stella.name });
  await cast.stella.by.upload('/users/me/avatar', picture(await drawStar(), 'me.png'));
  await Promise.all(
    Object.entries(people).map(([key, person]) =>
      limit(async () => {
        const { by } = cast[key as Writer];
        await by.patch('/settings', { full_name: person.name, enter_sends: true });
        await by.upload('/users/me/avatar', picture(await drawFace(person.face), 'me.png'));
        if ('status' in person) {
          const { text: status_text, emoji: emoji_name } = person.status;
          await by.post('/users/me/status', { status_text, emoji_name });
        }
      }),
    ),
  );
}

async function openChannels({ olivia, ...others }: Cast): Promise<void> {
  const folders = new Map<string, number>();
  const principals = [olivia, ...Object.values(others)].map(({ user }) => user.user_id);
  for (const { folder, ...channel } of channels) {
    if (folder !== undefined && !folders.has(folder)) {
      const made = await olivia.by.post<{ channel_folder_id: number }>('/channel_folders/create', {
        name: folder,
        description: '',
      });
      folders.set(folder, made.channel_folder_id);
    }
    const folder_id = folder === undefined ? undefined : folders.get(folder);
    await olivia.by.post('/users/me/subscriptions', {
      subscriptions: [channel],
      principals,
      send_new_subscription_messages: false,
      ...(folder_id !== undefined && { folder_id }),
    });
  }
}

/** Writes a text with what it has a place for. */
async function fill(text: string, { by }: Cast[Writer], nowMs: number): Promise<string> {
  const links = {
    '{finder}': async () => await upload(by, await drawSky(), 'finder.png'),
    '{argon}': async () => await upload(by, await drawSpectrum(), 'argon.png'),
    '{moon picture}': async () => await upload(by, await drawMoon(), 'moon.png'),
    '{moon}': () => Promise.resolve(describeMoon(nowMs)),
  };
  let filled = text;
  for (const [place, link] of Object.entries(links))
    if (filled.includes(place)) filled = filled.replace(place, await link());
  return filled;
}

async function say(cast: Cast, where: Conversation, line: Line, nowMs: number): Promise<void> {
  const writer = cast[line.by];
  const sentMs = nowMs - line.hoursAgo * hourMs;
  const to =
    'channel' in where
      ? { type: 'channel', to: where.channel, topic: where.topic }
      : { type: 'direct', to: where.among.map((one) => cast[one].user.user_id) };
  const { id } = await writer.by.post<{ id: number }>('/messages', {
    ...to,
    content: await fill(line.text, writer, sentMs),
    read_by_sender: true,
    // Only who may speak for others may give a message a time of its own.
    forged: 'yes',
    time: Math.floor(sentMs / 1000),
  });
  // One after the other: their order is shown.
  for (const [emoji_name, all] of Object.entries(line.reactions ?? {}))
    for (const one of all) await cast[one].by.post(`/messages/${id}/reactions`, { emoji_name });
  for (const [voter, option] of Object.entries(line.votes ?? {})) {
    const content = JSON.stringify({ type: 'vote', key: `canned,${option}`, vote: 1 });
    await cast[voter as Writer].by.post('/submessage', { message_id: id, msg_type: 'widget', content });
  }
  if (line.isStarred)
    await cast.olivia.by.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' });
}

/** All lines in the order of their times, and where they are. */
const inOrder = () =>
  conversations
    .flatMap((where) => where.lines.map((line) => ({ where, line })))
    .toSorted((one, other) => other.line.hoursAgo - one.line.hoursAgo);

async function talk(cast: Cast, nowMs: number, signal: AbortSignal | undefined): Promise<void> {
  const lines = inOrder();
  const readers = Object.values(cast).filter(({ user }) => user.password !== undefined);
  const unread = lines.filter(({ line }) => line.hoursAgo < readUntilHoursAgo);
  const read = lines.slice(0, lines.length - unread.length);
  const sayAll = async (all: typeof lines) => {
    for (const { where, line } of all) {
      signal?.throwIfAborted();
      await say(cast, where, line, nowMs);
    }
  };
  await sayAll(read);
  for (const { by } of readers) await by.post('/mark_all_as_read');
  await sayAll(unread);
  for (const { by, user } of readers) if (user !== cast.olivia.user) await by.post('/mark_all_as_read');
}

/** What the owner has for herself: a topic that she follows, a channel that she has pinned, and a draft. */
async function arrange({ by }: Cast['olivia']): Promise<void> {
  const idOf = async (stream: string) =>
    (await by.get<{ stream_id: number }>('/get_stream_id', { stream })).stream_id;
  const { channel, topic } = showpiece;
  await by.post('/user_topics', { stream_id: await idOf(channel), topic, visibility_policy: 3 });
  const pin = { stream_id: await idOf('papers'), property: 'pin_to_top', value: true };
  await by.post('/users/me/subscriptions/properties', { subscription_data: [pin] });
  const draft = {
    type: 'stream',
    to: [await idOf('general')],
    topic: 'visitors on Saturday',
    content: 'The dome is open for visitors from six. Please leave the red lights ',
  };
  await by.post('/drafts', { drafts: [draft] });
}

/** From now on messages have the times at which they are sent. */
async function endForging(
  { postgres, secret }: Pick<Cluster, 'postgres' | 'secret'>,
  cast: Cast,
): Promise<void> {
  await using engine = createSeeder({ databaseUrl: postgres.url, secret });
  const found = await findDemoRealm(engine.db);
  if (!found) throw new Error('There is no demo realm.');
  const realm = homeOf(found);
  const rights = { canForgeSender: false };
  for (const { user } of Object.values(cast))
    await engine.perform(realm.id, actions.users.setRights, { realm, userId: user.user_id, rights });
}

/**
 * Makes an observatory of the demo organization of a cluster, in which nobody has written yet, and everybody may give
 * messages times of their own: its people have names and faces, and have talked for three days. Returns its accounts by
 * their new names.
 *
 * @param nowMs when the three days end
 */
export async function foundObservatory(
  cluster: Pick<Cluster, 'baseUrl' | 'postgres' | 'secret'>,
  users: readonly DemoUser[],
  { nowMs = Date.now(), signal }: { nowMs?: number; signal?: AbortSignal } = {},
): Promise<DemoUser[]> {
  const cast = gather(cluster.baseUrl, users);
  try {
    await present(cast);
    await openChannels(cast);
    await talk(cast, nowMs, signal);
    await arrange(cast.olivia);
  } finally {
    await endForging(cluster, cast);
  }
  const names = new Map<string, string>(
    [...Object.values(people), stella].map(({ account, name }) => [account, name]),
  );
  return users.map((user) => ({ ...user, name: names.get(user.name) ?? user.name }));
}
