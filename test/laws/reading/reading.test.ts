import { beforeAll, describe, expect, test } from 'vitest';

import { type Json, succeed } from '../../support/index.ts';
import { isNight, seed } from '../../support/seed.ts';
import { carriers, carriersOfOne, heardOf } from './carriers.ts';
import { type Sent, type Somebody, hears, reads } from './rules.ts';
import { type Message, type Reader, type Stage, setStage } from './stage.ts';

/** What is asked for each message is asked of one in so many by day. */
const oneOf = isNight ? 1 : 8;

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

  test('its deletion', async () => {
    await eachMessage((id) => stage.owner.delete(`/messages/${id}`));
    await compare(starred, idsOf('delete_message'));
  });
});
