import { beforeAll, describe, expect, test } from 'vitest';

import { type Json, succeed } from '../../support/index.ts';
import { isNight, seed } from '../../support/seed.ts';
import { carriers, carriersOfOne, heardOf } from './carriers.ts';
import { type Sent, type Somebody, hears, reads, shapeNames } from './rules.ts';
import { type Message, type Reader, type Stage, setStage } from './stage.ts';

/** What is asked for each message is asked of one in so many by day. */
const oneOf = isNight ? 1 : 24;

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});

const titles = (some: Message[]) => some.map(({ title }) => title);

/** Compares what came to each person with what has to, by the names of the messages. */
async function compare(
  expects: (who: Reader, sent: Message) => boolean,
  ask: (reader: Reader) => Promise<readonly number[]>,
): Promise<void> {
  const { readers, messages } = stage;
  const came: Record<string, string[]> = {};
  const due: Record<string, string[]> = {};
  for (const reader of readers) {
    const ids = new Set(await ask(reader));
    came[reader.title] = titles(messages.filter(({ id }) => ids.has(id)));
    due[reader.title] = titles(messages.filter((message) => expects(reader, message)));
  }
  expect(came).toEqual(due);
}

describe('what comes to somebody is theirs to read, and all of it', () => {
  test.each(carriers.map((one) => [one.name, one] as const))('(%s)', async (_, { expects, ask }) => {
    await compare(expects, (reader) => ask(reader, stage));
  });

  const perOne = carriersOfOne.map((one, index) => [one.name, one, index] as const);
  test.each(perOne)('(%s)', async (name, { ask }, index) => {
    const { readers, messages } = stage;
    const pairs = readers.flatMap((reader, at) =>
      messages
        .filter(({ file }) => name !== 'its file' || file !== null)
        .filter((message) => (message.id + at + index + seed) % oneOf === 0)
        .map((message) => [reader, message] as const),
    );
    const answers = await Promise.all(
      pairs.map(async ([reader, message]) => [reader.title, message.title, await ask(reader, message)]),
    );
    expect(answers).toEqual(
      pairs.map(([reader, message]) => [reader.title, message.title, reads(reader, message)]),
    );
  });
});

describe('whoever has a message hears of its changes, as long as they may read it', () => {
  const hearing = (isStarred: (who: Somebody, sent: Sent) => boolean) => (who: Reader, sent: Message) =>
    hears(who, sent, isStarred(who, sent));
  const unstarred = hearing(() => false);
  /** Everyone has starred whatever they may read. */
  const starred = hearing(reads);

  const eachMessage = async (change: (id: number) => Promise<Json>) => {
    for (const { id } of stage.messages) await succeed(change(id));
  };
  const edits = (content: string) => eachMessage((id) => stage.owner.patch(`/messages/${id}`, { content }));
  const idsOf = (type: string) => async (reader: Reader) =>
    (await heardOf(reader, type)).flatMap(({ message_id, message_ids = [message_id] }) => message_ids);

  test('another text', async () => {
    await edits('another text');
    await compare(unstarred, idsOf('update_message'));
  });

  test('a reaction', async () => {
    await eachMessage((id) => stage.owner.post(`/messages/${id}/reactions`, { emoji_name: 'tada' }));
    await compare(unstarred, idsOf('reaction'));
  });

  test('what they star themselves, and another text of that', async () => {
    const { readers, messages } = stage;
    for (const reader of readers) {
      const mine = messages.filter((message) => reads(reader, message)).map(({ id }) => id);
      const change = { op: 'add', flag: 'starred' };
      await succeed(reader.person.post('/messages/flags', { messages: mine, ...change }));
      const other = messages.find((message) => !reads(reader, message));
      const refused = await reader.person.post('/messages/flags', { messages: [other?.id], ...change });
      expect(refused, reader.title).toMatchObject({ code: 'BAD_REQUEST' });
    }
    await compare(reads, async ({ person }) => {
      const { starred_messages } = await succeed(
        person.post('/register', { fetch_event_types: ['starred_messages'] }),
      );
      return starred_messages;
    });
    await edits('a third text');
    await compare(starred, idsOf('update_message'));
  });

  test('a move: it goes from whoever may not read it where it is now', async () => {
    const { owner, messages, channels, readers } = stage;
    const before = new Map(messages.map((message) => [message, { ...message }]));
    for (const message of messages) {
      if (message.shape === null) continue;
      // In each phase from each channel to another, so that all pairs but a few come about.
      const target = (shapeNames.indexOf(message.shape) + message.phase + 2) % shapeNames.length;
      message.movedTo = shapeNames[target] ?? 'public';
      const stream_id = channels.get(message.movedTo) ?? 0;
      const move = {
        stream_id,
        send_notification_to_old_thread: false,
        send_notification_to_new_thread: false,
      };
      await succeed(owner.patch(`/messages/${message.id}`, move));
    }
    const heard = new Map<Reader, Json[]>();
    for (const reader of readers) heard.set(reader, await reader.phone.hears());
    const heardAs = (type: string) => async (reader: Reader) =>
      (heard.get(reader) ?? [])
        .filter((event) => event.type === type)
        .flatMap(({ message_id, message_ids = [message_id] }) => message_ids);
    const hadIt = (who: Reader, message: Message) => reads(who, before.get(message) ?? message);
    await compare((who, message) => hadIt(who, message) && !reads(who, message), heardAs('delete_message'));
    await compare(
      (who, message) => message.shape !== null && hears(who, message, hadIt(who, message)),
      heardAs('update_message'),
    );
    await compare(reads, async ({ person }) => {
      const message_ids = messages.map(({ id }) => id);
      const found = await succeed(person.get('/messages', { message_ids }));
      return found.messages.map(({ id }: Json) => id);
    });
  });

  test('its deletion', async () => {
    await eachMessage((id) => stage.owner.delete(`/messages/${id}`));
    const everHad = (who: Reader, { phase, shape, people, mentions }: Message) =>
      reads(who, { phase, shape, people, mentions });
    await compare((who, message) => hears(who, message, everHad(who, message)), idsOf('delete_message'));
  });
});
