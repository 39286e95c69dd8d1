import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import * as actions from '@parley/actions';
import { rendererVersion } from '@parley/markdown';

import { createRandom } from '../chaos/random.ts';
import { performAdHoc } from '../support/perform-ad-hoc.ts';
import type { BenchServers } from './bench-servers.ts';

const channelCount = 20;
/** Of the channels, so many are private, and no reader is in them. */
const privateCount = 4;
const vocabulary = 50_000;
const [wordsMin, wordsMax] = [5, 23];
/** One in so many messages names a ticket that no other names. */
const ticketEvery = 997;
const [senderCount, readerCount] = [100, 11];
/** So many rows are written by one statement, which has 15 seconds. */
const rowsAtOnce = 20_000;

/** In every second message of private channels, and in no other. */
export const hiddenWord = 'verborgenia';

const syllables = ['ba', 'ke', 'di', 'lo', 'mu', 'na', 'pe', 'ri', 'so', 'tu', 'va', 'ze', 'fi', 'go', 'hu'];

/** The word of a rank; the first is the most frequent. */
export function wordAt(rank: number): string {
  let word = '';
  for (let left = rank + 2 * syllables.length ** 2; left > 0; left = Math.floor(left / syllables.length))
    word += syllables[left % syllables.length] ?? '';
  return `${word}n`;
}

/** The word that only this message has, if it has one. */
export const ticketOf = (number: number): string | undefined =>
  number % ticketEvery === 0 ? `ticket${number}` : undefined;

interface Place {
  id: number;
  conversationId: number;
  topicId: number;
  ordinal: number;
}

/** A realm in which people search a history. */
export interface SearchedHistory {
  readers: readonly { id: number; email: string }[];
  /** One of the public channels. */
  channelId: number;
  /** The conversations that the readers may read. */
  readable: readonly number[];
  /** Adds so many messages. */
  grow(messages: number): Promise<void>;
}

/**
 * Founds channels, of which the readers may read most, and fills them with messages of made-up words: the word of rank n is in
 * about one of n messages, as in what people write.
 */
export async function foundSearchedHistory(servers: BenchServers): Promise<SearchedHistory> {
  const { sql, engine, actor } = servers;
  const realmId = actor.realm.id;
  const people = await sql<{ id: number; email: string }[]>`
    insert into users (realm_id, email, full_name, role)
    select ${realmId}, 'searcher' || n || '@bench.example', 'Searcher ' || n, 400
    from generate_series(1, ${senderCount + readerCount}::int) n returning id, email`;
  const [readers, senders] = [people.slice(0, readerCount), people.slice(readerCount)];
  const nameAt = (index: number) => `searched ${index}`;
  const isPrivateAt = (index: number) => index >= channelCount - privateCount;
  for (let index = 0; index < channelCount; index += 1) {
    const isPrivate = isPrivateAt(index);
    const principals = isPrivate ? [actor.id] : [actor.id, ...readers.map(({ id }) => id)];
    await performAdHoc(engine, realmId, async (tx) => {
      const channels = [{ name: nameAt(index), description: '', color: null }];
      const creates = { isPrivate, sharesHistory: true };
      const { memberships } = await actions.channels.subscribe(tx, {
        actor,
        channels,
        principals,
        creates,
        isStrict: true,
      });
      return { events: [], memberships: memberships ?? [] };
    });
  }
  const places = await sql<Place[]>`
    with made as (
      insert into topics (realm_id, channel_id, name) select realm_id, id, 'history' from channels
      where realm_id = ${realmId} and name like 'searched %' returning id, channel_id
    )
    select c.id, c.conversation_id::int as "conversationId", made.id::int as "topicId", h.ordinal::int as ordinal
    from channels c join made on made.channel_id = c.id
    join conversation_heads h on h.realm_id = ${realmId} and h.conversation_id = c.conversation_id
    where c.realm_id = ${realmId} order by split_part(c.name, ' ', 2)::int`;
  const random = createRandom(20_260_131);
  let written = 0;
  return {
    readers,
    channelId: places[0]?.id ?? 0,
    readable: places.filter((_, index) => !isPrivateAt(index)).map(({ conversationId }) => conversationId),
    async grow(messages) {
      for (let left = messages; left > 0; left -= rowsAtOnce) {
        const some = Math.min(left, rowsAtOnce);
        const rows = rowsOf(
          { servers, places, senders, isPrivateAt, random },
          await headOf(servers),
          written,
          some,
        );
        written += some;
        await pipeline(
          Readable.from(rows),
          await sql`
            copy messages (id, realm_id, conversation_id, ordinal, channel_id, topic_id, sender_id, sent_at, content,
              rendered_content, rendered_version, client) from stdin`.writable(),
        );
        await settle(servers, places, some);
      }
    },
  };
}

interface Filling {
  servers: BenchServers;
  places: readonly Place[];
  senders: readonly { id: number }[];
  isPrivateAt: (index: number) => boolean;
  random: () => number;
}

/** Lines of `copy` for the next messages, one channel after the other. */
function* rowsOf(filling: Filling, headId: number, written: number, count: number): Generator<string> {
  const { servers, places, senders, isPrivateAt, random } = filling;
  const realmId = servers.actor.realm.id;
  const words = Array.from({ length: vocabulary }, (_, rank) => wordAt(rank));
  let lines = '';
  for (let n = 1; n <= count; n += 1) {
    const number = written + n;
    const index = number % places.length;
    const place = places[index];
    if (!place) continue;
    place.ordinal += 1;
    const length = wordsMin + Math.floor(random() * (wordsMax - wordsMin + 1));
    const said = Array.from({ length }, () => words[Math.floor(vocabulary ** random()) - 1] ?? '');
    const ticket = ticketOf(number);
    if (ticket !== undefined) said.push(ticket);
    if (isPrivateAt(index) && random() < 0.5) said.push(hiddenWord);
    const text = said.join(' ');
    const sender = senders[Math.floor(random() * senders.length)]?.id ?? 0;
    lines += `${headId + n}\t${realmId}\t${place.conversationId}\t${place.ordinal}\t${place.id}\t${place.topicId}\t${sender}\tnow\t${text}\t<p>${text}</p>\t${rendererVersion}\tbench\n`;
    if (n % 1000 !== 0 && n !== count) continue;
    yield lines;
    lines = '';
  }
}

async function headOf({ sql, actor }: BenchServers): Promise<number> {
  const [head] = await sql<{ id: number }[]>`
    select message_id::int as id from realm_heads where realm_id = ${actor.realm.id}`;
  return head?.id ?? 0;
}

/** Brings the heads up to what was written. */
async function settle({ sql, actor }: BenchServers, places: readonly Place[], count: number): Promise<void> {
  for (const { conversationId, ordinal } of places) {
    await sql`
      update conversation_heads set ordinal = ${ordinal},
        first_message_id = coalesce(first_message_id, (
          select min(id) from messages where realm_id = ${actor.realm.id} and conversation_id = ${conversationId}
        ))
      where realm_id = ${actor.realm.id} and conversation_id = ${conversationId}`;
  }
  await sql`update realm_heads set message_id = message_id + ${count}::int where realm_id = ${actor.realm.id}`;
}
