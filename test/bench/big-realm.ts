import * as actions from '@parley/actions';
import { rendererVersion } from '@parley/markdown';
import * as model from '@parley/model';

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
  /** One channel has so many times as many messages as any other: a fifth of all, a quarter of them of one sender. */
  busyTimes: 251,
  /** Of somebody who has been away: the newest of each of their channels. */
  absentChannels: 100,
  absentUnread: 50_000,
  /** Messages of the reader and their partner that each growth begins with. */
  directs: 1000,
  /** So many of the newest messages have all words that others have. */
  wordsOf: 5000,
  /** Each so many-th id is starred, if the reader has received the message. */
  starredEvery: 499,
} as const;

interface Citizen {
  id: number;
  email: string;
}

export interface BigRealm {
  reader: Citizen;
  /** Somebody who has read nothing for a while. */
  absent: Citizen;
  /** The sender of a quarter of all in the busy channel. */
  talkative: Citizen;
  /** A channel that everybody who reads is subscribed to: the busy one. */
  channelId: number;
  /** Another one, of usual size. */
  quietChannelId: number;
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
  const [reader, partner, absent, talkative] = users;
  if (!reader || !partner || !absent || !talkative) throw new Error('A realm needs users.');

  await createChannels(servers, say);
  const channels = await subscribe(servers, users, { reader, absent }, say);
  await sql`
    insert into topics (realm_id, channel_id, name)
    select h.realm_id, h.id, 'topic ' || n from channels h, generate_series(0, ${bigRealm.topicsPerChannel - 1}::int) n
    where h.realm_id = ${realmId}`;

  const [busy, quiet] = channels;
  if (!busy || !quiet) throw new Error('A realm needs channels.');
  return {
    reader,
    absent,
    talkative,
    channelId: busy.id,
    quietChannelId: quiet.id,
    partnerId: partner.id,
    grow: (messages) =>
      grow(
        {
          sql,
          engine: servers.engine,
          realmId,
          users,
          reader,
          partner,
          absent,
          talkative,
          busy,
          channels,
          say,
        },
        messages,
      ),
  };
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
  { reader, absent }: Pick<BigRealm, 'reader' | 'absent'>,
  say: (line: string) => void,
): Promise<NumberedChannel[]> {
  const realmId = actor.realm.id;
  const made = await sql<NumberedChannel[]>`
    select id, conversation_id, split_part(name, ' ', 2)::int as number from channels
    where realm_id = ${realmId} and name ~ '^channel [0-9]+$' order by 3`;
  const isSubscribed = (id: number, index: number, number: number) => {
    if (id === reader.id) return number < bigRealm.readerChannels;
    return id === absent.id ? number < bigRealm.absentChannels : isIn(index, number);
  };
  for (const { conversation_id: conversationId, number } of made) {
    if (number % 250 === 0) say(`subscriptions, channel ${number} of ${bigRealm.channels} …`);
    const joined = users.filter(({ id }, index) => isSubscribed(id, index, number)).map(({ id }) => id);
    await sql`
      insert into conversation_members (realm_id, conversation_id, user_id, is_subscribed)
      select ${realmId}::int, ${conversationId}, id, false from unnest(${joined}::int[]) id`;
    await performAdHoc(engine, realmId, async () => ({
      events: [],
      memberships: [{ conversationId, joined, left: [] }],
    }));
  }
  return made;
}

interface Grown extends Pick<BigRealm, 'reader' | 'absent' | 'talkative'> {
  partner: Citizen;
  sql: BenchServers['sql'];
  engine: BenchServers['engine'];
  realmId: number;
  users: readonly Citizen[];
  busy: NumberedChannel;
  channels: readonly NumberedChannel[];
  readonly say: (line: string) => void;
}

async function grow(grown: Grown, messages: number): Promise<number> {
  const { sql, realmId, users, talkative, busy, say } = grown;
  const perChannel = messages / (bigRealm.channels - 1 + bigRealm.busyTimes);
  const batch = 5;
  await addDirects(grown);
  for (let done = 0; done < perChannel; done += batch) {
    if (done % 200 === 0) say(`messages, ${(done * messages) / perChannel} of ${messages} …`);
    await sql`
      insert into messages (id, realm_id, conversation_id, ordinal, channel_id, topic_id, sender_id, sent_at, content,
        rendered_content, rendered_version, client, has_link)
      select head.message_id + row_number() over (order by (n - 1) / h.times, h.id, n), ${realmId}, h.conversation_id,
        ch.ordinal + n, h.id, t.id,
        case when h.times > 1 and n % 4 = 0 then ${talkative.id} else
          ${users[0]?.id ?? 0} + 1 + (h.id * 7 + n * 13) % ${bigRealm.users - 1} end, now(),
        'Message ' || n || ' of many about weather, lunch and the next release', '<p>Message ' || n || '</p>', ${rendererVersion}, 'bench',
        (n::bigint * 7919 + h.id) / 16 % 20 = 0
      from (
        select *, case when id = ${busy.id} then ${bigRealm.busyTimes}::int else 1 end as times
        from channels where realm_id = ${realmId}
      ) h
      cross join generate_series(1, ${Math.min(batch, perChannel - done)}::int * times) n
      join realm_heads head on head.realm_id = h.realm_id
      join conversation_heads ch on ch.realm_id = h.realm_id and ch.conversation_id = h.conversation_id
      join topics t on t.realm_id = h.realm_id and t.channel_id = h.id and t.name = 'topic ' || (ch.ordinal + n) % ${bigRealm.topicsPerChannel}
      order by 1`;
    await settle(grown);
  }
  await markRead(grown);
  await collectWords(grown);
  say('statistics …');
  await sql`vacuum analyze`;
  const [count] = await sql<{ messages: number }[]>`select count(*)::int as messages from messages`;
  return count?.messages ?? 0;
}

/** Adds messages of the reader and their partner, in turn, to a conversation of the two. */
async function addDirects(grown: Grown): Promise<void> {
  const { sql, realmId, reader, partner } = grown;
  const people = [reader.id, partner.id].sort((a, b) => a - b);
  await sql`
    with made as (
      insert into conversations (realm_id, people) select ${realmId}, ${people}::int[]
      where not exists (select from conversations where realm_id = ${realmId} and people = ${people}::int[]) returning id
    ), members as (
      insert into conversation_members (realm_id, conversation_id, user_id, received)
      select ${realmId}::int, id, person, '{[1,)}' from made, unnest(${people}::int[]) person
    )
    select create_conversation_head(${realmId}, id) from made`;
  await sql`
    insert into messages (id, realm_id, conversation_id, ordinal, sender_id, sent_at, content, rendered_content,
      rendered_version, client, has_link)
    select head.message_id + n, ${realmId}, d.id, ch.ordinal + n, d.people[n % 2 + 1], now(),
      'Message ' || n || ' about ' || (array['weather', 'lunch', 'the next release'])[n % 3 + 1],
      '<p>Message ' || n || '</p>', ${rendererVersion}, 'bench', n % 20 = 0
    from conversations d
    join conversation_heads ch on ch.realm_id = d.realm_id and ch.conversation_id = d.id
    join realm_heads head on head.realm_id = d.realm_id
    cross join generate_series(1, ${bigRealm.directs}::int) n
    where d.realm_id = ${realmId} and d.people = ${people}::int[]`;
  await settle(grown);
}

/** What is read, unread and starred, as if it had been so at once. */
async function markRead({ sql, realmId, reader, absent, channels }: Grown): Promise<void> {
  // The newest stay as they were: what is read is older and older.
  await sql`
    update conversation_members c
    set read = c.received * int8multirange(int8range(1, ch.ordinal + 1)) - coalesce((
      select range_agg(int8range(ch.ordinal - n * 2, ch.ordinal - n * 2 + 1))
      from generate_series(0, ${bigRealm.unread / 200 - 1}::int) n
      where c.conversation_id = any(${channels.slice(0, 200).map((one) => one.conversation_id)}::bigint[])
    ), '{}')
    from conversation_heads ch
    where c.user_id = ${reader.id} and ch.realm_id = c.realm_id and ch.conversation_id = c.conversation_id`;
  await sql`
    update conversation_members c
    set read = c.received * int8multirange(int8range(1, greatest(1, ch.ordinal + 1 - ${bigRealm.absentUnread / bigRealm.absentChannels}::int)))
    from conversation_heads ch
    where c.user_id = ${absent.id} and ch.realm_id = c.realm_id and ch.conversation_id = c.conversation_id`;
  await sql`
    insert into message_flags (realm_id, user_id, message_id, starred)
    select realm_id, ${reader.id}, id, true from messages
    where realm_id = ${realmId} and id % ${bigRealm.starredEvery}::int = 0
      and conversation_id = any(${channels.slice(0, bigRealm.readerChannels).map((one) => one.conversation_id)}::bigint[])
    on conflict do nothing`;
}

/** The words of all messages, which are those of the newest, are collected as far as workers do it. */
async function collectWords({ sql, engine, realmId }: Grown): Promise<void> {
  const aside = (messages: number) => sql`
    insert into search_cursors (realm_id, message_id)
    select realm_id, message_id - ${messages}::int from realm_heads where realm_id = ${realmId}
    on conflict (realm_id) do update set message_id = excluded.message_id`;
  await aside(bigRealm.wordsOf);
  for (let hasMore = true; hasMore;)
    ({ hasMore } = await actions.messages.collectTerms(engine.db, { realmId }));
  await aside(model.messages.uncollectedMax);
}

/** Brings the heads up to what was inserted. */
async function settle({ sql, realmId }: Grown): Promise<void> {
  await sql`
    update conversation_heads ch set ordinal = m.ordinal, first_message_id = coalesce(ch.first_message_id, m.first)
    from (
      select conversation_id, max(ordinal) as ordinal, min(id) as first from messages
      where realm_id = ${realmId} and id > (select message_id from realm_heads where realm_id = ${realmId}) group by 1
    ) m
    where ch.realm_id = ${realmId} and m.conversation_id = ch.conversation_id`;
  await sql`
    update realm_heads set message_id = (select max(id) from messages where realm_id = ${realmId})
    where realm_id = ${realmId}`;
}

/** Everyone is in 30 channels of the thousand, spread evenly. */
const isIn = (index: number, number: number) =>
  (((number - index * 7) % bigRealm.channels) + bigRealm.channels) % bigRealm.channels <
  bigRealm.channelsPerUser;

let founded: Promise<BigRealm> | undefined;
/** Founds the realm, or returns the one that was founded: benchmarks have it in common. */
export const getBigRealm: (...args: Parameters<typeof foundBigRealm>) => Promise<BigRealm> = (...args) =>
  (founded ??= foundBigRealm(...args));
