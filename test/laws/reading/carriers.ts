import * as model from '@parley/model';
import { sql } from 'drizzle-orm';
import { expect } from 'vitest';

import { type Json, type Person, getWorld, outcomeOf, statusFor, succeed } from '../../support/index.ts';
import { type Sent, type Somebody, isNotified, isUnread, reads, receives } from './rules.ts';
import type { Message, Reader, Stage } from './stage.ts';

/** A way on which messages come to somebody: which of them do, and which have to. */
export interface Carrier {
  name: string;
  readonly expects: (who: Somebody, sent: Sent) => boolean;
  /** Answers with ids, of other messages too. */
  readonly ask: (reader: Reader, stage: Stage) => Promise<readonly number[]>;
}

/** A way that is asked for each message: it takes as many requests as there are messages. */
export interface CarrierOfOne {
  name: string;
  readonly ask: (reader: Reader, message: Message) => Promise<boolean>;
}

const receivesAndReads = (who: Somebody, sent: Sent) => receives(who, sent) && reads(who, sent);

const idsOf = ({ messages }: Json): number[] => messages.map(({ id }: Json) => id);
/** To guests, only those channels are public that all the world may read. */
const inPublic = (who: Somebody, sent: Sent) =>
  (sent.shape === 'web-public' || (sent.shape === 'public' && who.role !== 'guest')) && reads(who, sent);

const everything = { anchor: 'newest', num_before: 200, num_after: 0 };
const narrowed =
  (...terms: [string, unknown][]) =>
  async ({ person }: Reader) =>
    idsOf(await succeed(person.get('/messages', { ...everything, narrow: terms })));

const search = (person: Person, text: string): Promise<Json> =>
  succeed(person.get('/messages', { ...everything, narrow: [['search', text]] }));

async function searchAt(person: Person, port: number, narrow: Json): Promise<number[]> {
  const { body } = await person.ask('GET', '/messages', { ...everything, narrow }, { port });
  expect(body).toMatchObject({ result: 'success' });
  return idsOf(body);
}

/** A word with a typing error in it. */
const misspell = (word: string) => `${word.slice(0, 4)}${word[5]}${word[4]}${word.slice(6)}`;

/** Asks for each channel; one that the reader may not know of has nothing for them. */
async function inEachChannel(
  { channels }: Stage,
  ask: (channel: number) => Promise<Json>,
): Promise<number[]> {
  const ids: number[] = [];
  for (const id of channels.values()) {
    const reply = await ask(id);
    if (reply.result === 'success') ids.push(...reply.ids);
  }
  return ids;
}

const ofChannels = (who: Somebody, sent: Sent) => sent.shape !== null && reads(who, sent);

export const carriers: Carrier[] = [
  { name: 'the view of all messages', expects: receivesAndReads, ask: narrowed() },
  { name: 'a search', expects: receivesAndReads, ask: narrowed(['search', 'giraffe']) },
  {
    name: 'a search with a typing error, and what is marked in it',
    expects: receivesAndReads,
    async ask({ person }) {
      const { messages, search_corrections: corrections } = await search(person, 'giraffes');
      const misspelt = await search(person, 'girraffe');
      expect(corrections).toBeUndefined();
      expect(misspelt.search_corrections).toEqual(
        misspelt.messages.length > 0 ? { girraffe: ['giraffe'] } : undefined,
      );
      for (const { match_content } of [...messages, ...misspelt.messages])
        expect(match_content).toContain('<span class="highlight">giraffe</span>');
      return idsOf(misspelt);
    },
  },
  {
    name: 'a search that is put to an engine',
    expects: receivesAndReads,
    ask: ({ person }, { searchPort: port }) => searchAt(person, port, [['search', 'giraffe']]),
  },
  {
    name: 'a search in all public channels that is put to an engine',
    expects: inPublic,
    ask: ({ person }, { searchPort: port }) =>
      searchAt(person, port, [
        ['channels', 'public'],
        ['search', 'giraffe'],
      ]),
  },
  {
    name: 'a search in all public channels',
    expects: inPublic,
    ask: narrowed(['channels', 'public'], ['search', 'giraffe']),
  },
  {
    name: 'the view of mentions',
    expects: (who, sent) =>
      sent.mentions && who.history.startsWith('mentioned') && receivesAndReads(who, sent),
    ask: narrowed(['is', 'mentioned']),
  },
  {
    name: 'the view of direct messages',
    expects: (who, sent) => sent.shape === null && receives(who, sent),
    ask: narrowed(['is', 'dm']),
  },
  {
    name: 'the view of messages with files',
    expects: (who, sent) => (sent.shape === null || sent.phase < 3) && receivesAndReads(who, sent),
    ask: narrowed(['has', 'attachment']),
  },
  {
    name: 'the view of what is unread',
    expects: isUnread,
    ask: narrowed(['is', 'unread']),
  },
  {
    name: 'the history of a channel',
    expects: ofChannels,
    ask: ({ person }, stage) =>
      inEachChannel(stage, async (channel) => {
        const narrow = [['channel', channel]];
        const reply = await person.get('/messages', { ...everything, narrow });
        return { ...reply, ids: reply.messages ? idsOf(reply) : [] };
      }),
  },
  {
    name: 'the topics of a channel',
    expects: ofChannels,
    ask: ({ person }, stage) =>
      inEachChannel(stage, async (channel) => {
        const reply = await person.get(`/users/me/${channel}/topics`);
        return { ...reply, ids: (reply.topics ?? []).map(({ max_id }: Json) => max_id) };
      }),
  },
  {
    name: 'fetching by ids',
    expects: reads,
    ask: async ({ person }, { messages }) =>
      idsOf(await succeed(person.get('/messages', { message_ids: messages.map(({ id }) => id) }))),
  },
  {
    name: 'asking which messages are in a narrow',
    expects: receivesAndReads,
    async ask({ person }, { messages }) {
      const params = { msg_ids: messages.map(({ id }) => id), narrow: [] };
      const reply = await succeed(person.get('/messages/matches_narrow', params));
      return Object.keys(reply.messages).map(Number);
    },
  },
  {
    name: 'unread messages at the start',
    expects: isUnread,
    async ask({ person }) {
      const params = { fetch_event_types: ['message', 'update_message_flags'] };
      const { unread_msgs } = await succeed(person.post('/register', params));
      const { pms, streams, huddles } = unread_msgs;
      return [...pms, ...streams, ...huddles].flatMap(({ unread_message_ids }: Json) => unread_message_ids);
    },
  },
  {
    name: 'a notification',
    expects: isNotified,
    async ask({ person }, { messages, realm }) {
      const { engine } = await getWorld();
      const considered = {
        realmId: realm.id,
        messageIds: messages.map(({ id }) => id),
        userId: person.id,
        now: new Date(),
      };
      const rows = await engine.db.execute<{ id: number }>(sql`
        select message_id as id from ${model.notifications.wantedNotifications(considered)} w where mail and push`);
      return rows.map(({ id }) => id);
    },
  },
  {
    name: 'the event of a message',
    expects: receives,
    ask: async (reader) => (await heardOf(reader, 'message')).map(({ message }) => message.id),
  },
];

/** The events of one type that came since somebody was last asked. */
export async function heardOf({ phone }: Reader, type: string): Promise<Json[]> {
  return (await phone.hears()).filter((event) => event.type === type);
}

const isAnswered = async (reply: Promise<Json>) => (await reply).result === 'success';

export const carriersOfOne: CarrierOfOne[] = [
  { name: 'fetching one', ask: ({ person }, { id }) => isAnswered(person.get(`/messages/${id}`)) },
  { name: 'its versions', ask: ({ person }, { id }) => isAnswered(person.get(`/messages/${id}/history`)) },
  {
    name: 'its readers',
    ask: ({ person }, { id }) => isAnswered(person.get(`/messages/${id}/read_receipts`)),
  },
  {
    name: 'a reaction',
    async ask({ person }, { id }) {
      // No such emoji: whoever may read the message is told that.
      const reply = await person.post(`/messages/${id}/reactions`, { emoji_name: 'no_such' });
      return outcomeOf(reply).includes('emoji');
    },
  },
  {
    name: 'a correction of a word that it alone has',
    async ask({ person }, { channel, word }) {
      const place = channel === null ? [] : [['channel', channel]];
      const narrow = [...place, ['search', misspell(word)]];
      const reply = await person.get('/messages', { ...everything, narrow });
      return JSON.stringify(reply).includes(word);
    },
  },
  {
    name: 'its file',
    ask: async ({ person }, { file }) => file !== null && (await statusFor(person, file)) === 200,
  },
];
