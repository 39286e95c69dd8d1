import * as actions from '@parley/actions';
import { rendererVersion } from '@parley/markdown';

import { performAdHoc } from '../support/perform-ad-hoc.ts';
import type { BenchServers } from './bench-servers.ts';

export const bigRealm = {
  users: 10_000,
  channels: 1000,
  topicsPerChannel: 10,
  channelsPerUser: 30,
  /** Of the one who reads. */
  readerChannels: 300,
  unread: 20_000,
} as const;

export interface BigRealm {
  reader: { id: number; email: string };
  /** A channel that the reader is subscribed to. */
  channelId: number;
  /** Someone with whom the reader has a direct conversation. */
  partnerId: number;
  /** Adds messages to every channel in turn, all of which the reader has read; returns how many there are. */
  grow(messages: number): Promise<number>;
}

/**
 * A realm of the size that the contract's limits are about: 10 000 users, 1 000 channels, and a reader with 20 000
 * unread messages that stand by themselves, so that none of them is in one range with another.
 */
async function foundBigRealm(servers: BenchServers, say: (line: string) => void): Promise<BigRealm> {
  const { sql, actor } = servers;
  const realmId = actor.realm.id;
  say(`${bigRealm.users} users …`);
  const users = await sql<{ id: number; email: string }[]>`
    insert into users (realm_id, email, full_name, role, last_active_on)
    select ${realmId}, 'citizen' || n || '@bench.example', 'Citizen ' || n, 400, current_date - (n % 60)
    from generate_series(1, ${bigRealm.users}::int) n returning id, email`;
  const [reader, partner] = users;
  if (!reader || !partner) throw new Error('A realm needs users.');

  await createChannels(servers, say);
  const channels = await subscribe(servers, users, reader, say);
  await sql`
    insert into topics (channel_id, name)
    select h.id, 'topic ' || n from channels h, generate_series(0, ${bigRealm.topicsPerChannel - 1}::int) n
    where h.realm_id = ${realmId}`;

  return {
    reader,
    channelId: channels[0]?.id ?? 0,
    partnerId: partner.id,
    grow: (messages) => grow({ sql, realmId, users, reader, channels, say }, messages),
  };
}

interface Citizen {
  id: number;
  email: string;
}

interface NumberedChannel {
  id: number;
  conversation_id: number;
  number: number;
}

async function createChannels({ engine, actor }: BenchServers, say: (line: string) => void): Promise<void> {
  say(`${bigRealm.channels} channels …`);
  const names = Array.from({ length: bigRealm.channels }, (_, number) => `channel ${number}`);
  for (let first = 0; first < names.length; first += 100) {
    const newChannels = names
      .slice(first, first + 100)
      .map((name) => ({ name, description: '', color: null }));
    await performAdHoc(engine, actor.realm.id, async (tx) => {
      const creates = { isPrivate: false, sharesHistory: true };
      await actions.channels.subscribe(tx, {
        actor,
        channels: newChannels,
        principals: [],
        creates,
        isStrict: true,
      });
      return { events: [] };
    });
  }
}

/** Subscribes everyone to their channels. Returns all of these. */
async function subscribe(
  { sql, engine, actor }: BenchServers,
  users: readonly Citizen[],
  reader: Citizen,
  say: (line: string) => void,
): Promise<NumberedChannel[]> {
  const realmId = actor.realm.id;
  const made = await sql<NumberedChannel[]>`
    select id, conversation_id, split_part(name, ' ', 2)::int as number from channels
    where realm_id = ${realmId} and name ~ '^channel [0-9]+$' order by 3`;
  for (const { conversation_id: conversationId, number } of made) {
    if (number % 250 === 0) say(`subscriptions, channel ${number} of ${bigRealm.channels} …`);
    const joined = users
      .filter(({ id }, index) => (id === reader.id ? number < bigRealm.readerChannels : isIn(index, number)))
      .map(({ id }) => id);
    await sql`
      insert into conversation_members (conversation_id, user_id, is_subscribed)
      select ${conversationId}, id, false from unnest(${joined}::int[]) id`;
    await performAdHoc(engine, realmId, async () => ({
      events: [],
      memberships: [{ conversationId, joined, left: [] }],
    }));
  }
  return made;
}

interface Grown {
  sql: BenchServers['sql'];
  realmId: number;
  users: readonly Citizen[];
  reader: Citizen;
  channels: readonly NumberedChannel[];
  readonly say: (line: string) => void;
}

async function grow(
  { sql, realmId, users, reader, channels, say }: Grown,
  messages: number,
): Promise<number> {
  const perChannel = messages / bigRealm.channels;
  const batch = 50;
  for (let done = 0; done < perChannel; done += batch) {
    if (done % 250 === 0) say(`messages, ${done * bigRealm.channels} of ${messages} …`);
    await sql`
      insert into messages (id, realm_id, conversation_id, ordinal, channel_id, topic_id, sender_id, sent_at, content,
        rendered_content, rendered_version, client, has_link)
      select head.message_id + row_number() over (order by n, h.id), ${realmId}, h.conversation_id, ch.ordinal + n, h.id, t.id,
        ${users[0]?.id ?? 0} + 1 + (h.id * 7 + n * 13) % ${bigRealm.users - 1}, now(),
        'Message ' || n || ' of many about weather, lunch and the next release', '<p>Message ' || n || '</p>', ${rendererVersion}, 'bench',
        n % 20 = 0
      from generate_series(1, ${Math.min(batch, perChannel - done)}::int) n
      cross join channels h
      join realm_heads head on head.realm_id = h.realm_id
      join conversation_heads ch on ch.conversation_id = h.conversation_id
      join topics t on t.channel_id = h.id and t.name = 'topic ' || (ch.ordinal + n) % ${bigRealm.topicsPerChannel}
      where h.realm_id = ${realmId} order by n, h.id`;
    await sql`
      update conversation_heads ch set ordinal = m.ordinal, first_message_id = coalesce(ch.first_message_id, m.first)
      from (select conversation_id, max(ordinal) as ordinal, min(id) as first from messages group by 1) m
      where m.conversation_id = ch.conversation_id`;
    await sql`
      update realm_heads set message_id = (select max(id) from messages where realm_id = ${realmId})
      where realm_id = ${realmId}`;
  }
  // The newest stay as they were: what is read is older and older.
  await sql`
    update conversation_members c
    set read = c.received * int8multirange(int8range(1, ch.ordinal + 1)) - coalesce((
      select range_agg(int8range(ch.ordinal - n * 2, ch.ordinal - n * 2 + 1))
      from generate_series(0, ${bigRealm.unread / 200 - 1}::int) n
      where c.conversation_id = any(${channels.slice(0, 200).map((one) => one.conversation_id)}::bigint[])
    ), '{}')
    from conversation_heads ch
    where c.user_id = ${reader.id} and ch.conversation_id = c.conversation_id`;
  say('statistics …');
  await sql`vacuum analyze`;
  const [count] = await sql<{ messages: number }[]>`select count(*)::int as messages from messages`;
  return count?.messages ?? 0;
}

/** Everyone is in 30 channels of the thousand, spread evenly. */
const isIn = (index: number, number: number) =>
  (((number - index * 7) % bigRealm.channels) + bigRealm.channels) % bigRealm.channels <
  bigRealm.channelsPerUser;

let founded: Promise<BigRealm> | undefined;
/** Founds the realm, or returns the one that was founded: benchmarks have it in common. */
export const getBigRealm: (...args: Parameters<typeof foundBigRealm>) => Promise<BigRealm> = (...args) =>
  (founded ??= foundBigRealm(...args));
