import type { Sql } from '@parley/db';

import { readTable } from '../read/read-rows.ts';
import { type Survey, tableOf } from '../read/survey.ts';
import type { Writing } from '../read/writing.ts';
import type { Structure } from './structure.ts';

/** Messages that one statement looks for. */
const keysPerStep = 20_000;
/** Topics that one statement looks for. */
const topicsPerStep = 2000;
/** Messages of a channel, or of a topic, that say where an earlier archive has put it. */
const samplesMax = 99;
const samplesOfTopicMax = 9;

/**
 * The messages of an archive, in the order of their ids, and the ids that they have here. It takes 60 bytes of memory for
 * each.
 */
export class MessageNumbers {
  readonly #structure: Structure;
  readonly #ids: Float64Array;
  readonly #sentUs: Float64Array;
  readonly #senders: Int32Array;
  /** Their channels; 0 for direct messages. */
  readonly #channels: Int32Array;
  readonly #conversations: Float64Array;
  /** Their topics; 0 for direct messages. */
  readonly #topics: Float64Array;
  /** Which one each is of those that its sender sent in the same microsecond. */
  readonly #repeats: Int32Array;
  /** The ids that they have here: 0 as long as they have none. */
  readonly #here: Float64Array;
  #firstNew = Infinity;

  private constructor(structure: Structure, read: Columns) {
    const order = Uint32Array.from(read.ids.keys()).sort((a, b) => at(read.ids, a) - at(read.ids, b));
    this.#structure = structure;
    this.#ids = Float64Array.from(order, (index) => at(read.ids, index));
    this.#sentUs = Float64Array.from(order, (index) => at(read.sentUs, index));
    this.#senders = Int32Array.from(order, (index) => at(read.senders, index));
    this.#channels = Int32Array.from(order, (index) => at(read.channels, index));
    this.#conversations = Float64Array.from(order, (index) => at(read.conversations, index));
    this.#topics = Float64Array.from(order, (index) => at(read.topics, index));
    this.#repeats = this.#countRepeats();
    this.#here = new Float64Array(order.length);
  }

  /** Reads the messages of an archive that was checked, and finds those that the organization has from an earlier one. */
  static async read(
    archive: string,
    survey: Survey,
    structure: Structure,
    { sql, realmId }: { sql: Sql; realmId: number },
  ): Promise<MessageNumbers> {
    const columns: Columns = {
      ids: [],
      sentUs: [],
      senders: [],
      channels: [],
      conversations: [],
      topics: [],
    };
    for await (const rows of readTable(archive, tableOf('messages').table, survey.superseded)) {
      for (const row of rows) {
        columns.ids.push(Number(row['id']));
        columns.sentUs.push(microsecondsOf(String(row['sent_at'])));
        columns.senders.push(Number(row['sender_id']));
        columns.channels.push(Number(row['channel_id'] ?? 0));
        columns.conversations.push(Number(row['conversation_id']));
        columns.topics.push(Number(row['topic_id'] ?? 0));
      }
    }
    const numbers = new MessageNumbers(structure, columns);
    await numbers.#findKnown(sql, realmId);
    return numbers;
  }

  get size(): number {
    return this.#ids.length;
  }

  /** Whether earlier archives have brought some of them. */
  get hasKnown(): boolean {
    return this.#here.some((here) => here !== 0 && here < this.#firstNew);
  }

  /** How many messages no earlier archive has brought. Those that this import has written already are among them. */
  countNew(firstNew: number): number {
    return this.#here.reduce((count, here) => count + Number(here === 0 || here >= firstNew), 0);
  }

  /**
   * Gives the messages that are new the ids from one on, in their order, and returns how many they are. An import that is
   * gone on with gives the same.
   */
  numberFrom(firstNew: number): number {
    this.#firstNew = firstNew;
    let next = firstNew;
    for (const [index, here] of this.#here.entries()) {
      if (here !== 0 && here < firstNew) continue;
      this.#here[index] = next;
      next += 1;
    }
    return next - firstNew;
  }

  /** Returns the id that a message has here; undefined if the archive has none of this id. */
  of(id: number): number | undefined {
    const index = this.indexOf(id);
    return index === undefined ? undefined : this.#here[index];
  }

  /** Returns the id here of the last message before an id; undefined if there is none. */
  lastBefore(id: number): number | undefined {
    return this.#here[this.#indexBefore(id)];
  }

  /** Whether this import brings a message. */
  isNew(id: number): boolean {
    return (this.of(id) ?? 0) >= this.#firstNew;
  }

  /** Records what stands for messages that have been written, so that no later archive brings them again. */
  async record(tx: Writing, realmId: number, ids: readonly number[]): Promise<void> {
    const indexes = ids.map((id) => this.#indexBefore(id + 1));
    await tx`
      insert into imported_messages (realm_id, key, message_id, content_hash, reactions_hash)
      select ${realmId}, imported_message_key(email, sent_us, number), m.id, hashtextextended(m.content, 0), 0 from unnest(
        ${indexes.map((index) => this.#emailOf(index))}::text[], ${indexes.map((index) => at(this.#sentUs, index))}::bigint[],
        ${indexes.map((index) => at(this.#repeats, index))}::int[], ${indexes.map((index) => at(this.#here, index))}::bigint[]
      ) t (email, sent_us, number, id) join messages m on m.realm_id = ${realmId} and m.id = t.id
      on conflict (realm_id, key) do nothing`;
  }

  /** Returns the place of a message among those of the archive; undefined if it has none of this id. */
  indexOf(id: number): number | undefined {
    const index = this.#indexBefore(id + 1);
    return this.#ids[index] === id ? index : undefined;
  }

  /** Yields places and ids here of the messages that were here before this import, some at a time. */
  *known(): Generator<{ index: number; id: number }[]> {
    for (let start = 0; start < this.size; start += keysPerStep) {
      const some = [...this.#here.subarray(start, start + keysPerStep)].map((id, n) => ({
        index: start + n,
        id,
      }));
      yield some.filter(({ id }) => id !== 0 && id < this.#firstNew);
    }
  }

  /**
   * Returns the topics here in which most of the known messages of the archive's topics are: of those that have new messages
   * as well.
   */
  async findTopics(sql: Sql, realmId: number): Promise<Map<number, TopicHere>> {
    const growing = new Set(
      this.#topics.filter((topic, index) => topic !== 0 && at(this.#here, index) >= this.#firstNew),
    );
    const samples = [...this.#samples(this.#topics, samplesOfTopicMax)].filter(([topic]) =>
      growing.has(topic),
    );
    const found = new Map<number, TopicHere>();
    for (let start = 0; start < samples.length; start += topicsPerStep) {
      const pairs = samples
        .slice(start, start + topicsPerStep)
        .flatMap(([topic, ids]) => ids.map((id) => [topic, id] as const));
      const rows = await sql<{ archived: number; id: number; channelId: number }[]>`
        select archived, topic_id as id, channel_id as "channelId" from (
          select t.archived, m.topic_id, m.channel_id, count(*) * 2 > sum(count(*)) over (partition by t.archived) as is_most
          from unnest(${pairs.map(([topic]) => topic)}::bigint[], ${pairs.map(([, id]) => id)}::bigint[]) t (archived, id)
          join messages m on m.realm_id = ${realmId} and m.id = t.id
          group by t.archived, m.topic_id, m.channel_id
        ) p where is_most and topic_id is not null`;
      for (const { archived, id, channelId } of rows)
        found.set(Number(archived), { id: Number(id), channelId });
    }
    return found;
  }

  /** Returns the channels here in which most of the known messages of the archive's channels are. */
  async findPlaces(sql: Sql, realmId: number): Promise<Map<number, number>> {
    const places = new Map<number, number>();
    for (const [channel, ids] of this.#samples(this.#channels)) {
      const [found] = await sql<{ id: number; isMost: boolean }[]>`
        select channel_id as id, count(*) * 2 > sum(count(*)) over () as "isMost" from messages
        where realm_id = ${realmId} and id = any(${ids}::bigint[]) and channel_id is not null
        group by 1 order by count(*) desc limit 1`;
      if (found?.isMost === true) places.set(channel, found.id);
    }
    return places;
  }

  /**
   * Returns the ids of messages that earlier archives of the same source brought and this one does not have, though it has
   * others of the same conversation, and goes back further than they do.
   */
  async findGone(sql: Sql, realmId: number): Promise<number[]> {
    const known = new Set(this.#here.filter((here) => here !== 0 && here < this.#firstNew));
    const batches = (await listBatches(sql, realmId)).filter(({ first, last }) =>
      this.#here.some((id) => id >= first && id <= last),
    );
    const firstUs = this.#sentUs.reduce((least, us) => Math.min(least, us), Infinity);
    const lastUs = this.#sentUs.reduce((most, us) => Math.max(most, us), 0);
    const gone: number[] = [];
    for (const ids of this.#samples(this.#conversations).values()) {
      const rows = await sql<{ id: number }[]>`
        select m.id from messages m join imported_messages i on i.realm_id = m.realm_id and i.message_id = m.id
        where m.realm_id = ${realmId} and m.conversation_id in (
          select conversation_id from messages where realm_id = ${realmId} and id = any(${ids}::bigint[])
        ) and (extract(epoch from m.sent_at) * 1000000)::bigint between ${firstUs} and ${lastUs} and exists (
          select from unnest(
            ${batches.map(({ first }) => first)}::bigint[], ${batches.map(({ last }) => last)}::bigint[]
          ) b (first, last) where m.id between b.first and b.last
        ) order by m.id`;
      for (const { id } of rows) if (!known.has(id)) gone.push(id);
    }
    return gone;
  }

  /** Returns ids here of some known messages, by a number that those of the archive have in common. */
  #samples(numbers: ArrayLike<number>, max = samplesMax): Map<number, number[]> {
    const samples = new Map<number, number[]>();
    for (const [index, here] of this.#here.entries()) {
      const number = at(numbers, index);
      if (here === 0 || here >= this.#firstNew || number === 0) continue;
      const list = samples.get(number) ?? [];
      if (list.length < max) list.push(here);
      samples.set(number, list);
    }
    return samples;
  }

  async #findKnown(sql: Sql, realmId: number): Promise<void> {
    for (let start = 0; start < this.size; start += keysPerStep) {
      const indexes = Array.from({ length: Math.min(keysPerStep, this.size - start) }, (_, n) => start + n);
      const found = await sql<{ index: number; id: number }[]>`
        select k.index, i.message_id as id from unnest(
          ${indexes}::int[], ${indexes.map((index) => this.#emailOf(index))}::text[],
          ${indexes.map((index) => at(this.#sentUs, index))}::bigint[], ${indexes.map((index) => at(this.#repeats, index))}::int[]
        ) k (index, email, sent_us, number)
        join imported_messages i on i.realm_id = ${realmId} and i.key = imported_message_key(email, sent_us, number)`;
      for (const { index, id } of found) this.#here[index] = id;
    }
  }

  #emailOf(index: number): string {
    return this.#structure.users.get(at(this.#senders, index))?.email ?? '';
  }

  #countRepeats(): Int32Array {
    const [senders, sentUs] = [this.#senders, this.#sentUs];
    const isSame = (a: number, b: number) =>
      at(senders, a) === at(senders, b) && at(sentUs, a) === at(sentUs, b);
    const order = Uint32Array.from(this.#ids.keys()).sort(
      (a, b) => at(senders, a) - at(senders, b) || at(sentUs, a) - at(sentUs, b) || a - b,
    );
    const repeats = new Int32Array(order.length).fill(1);
    for (const [place, index] of order.entries()) {
      const before = order[place - 1];
      if (before !== undefined && isSame(before, index)) repeats[index] = at(repeats, before) + 1;
    }
    return repeats;
  }

  /** Returns the index of the last message before an id; -1 if there is none. */
  #indexBefore(id: number): number {
    let [low, high] = [0, this.#ids.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (at(this.#ids, middle) < id) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}

/** A topic here, and its channel. */
export interface TopicHere {
  id: number;
  channelId: number;
}

interface Columns {
  ids: number[];
  sentUs: number[];
  senders: number[];
  channels: number[];
  conversations: number[];
  topics: number[];
}

const at = (values: ArrayLike<number>, index: number) => values[index] ?? 0;

/** Returns a time as archives have it, in microseconds since 1970. */
function microsecondsOf(time: string): number {
  const fraction = /\.(\d{1,6})/.exec(time)?.[1] ?? '';
  return Date.parse(time.replace(/\.\d+/, '')) * 1000 + Number(fraction.padEnd(6, '0'));
}

/** Returns the ids that each archive has brought. */
async function listBatches(sql: Sql, realmId: number): Promise<{ first: number; last: number }[]> {
  return await sql<{ first: number; last: number }[]>`
    select coalesce(lag(last_message_id) over (order by last_message_id), 0) + 1 as first, last_message_id as last
    from merged_archives where realm_id = ${realmId}`;
}
