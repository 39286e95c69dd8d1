import * as actions from '@parley/actions';
import { createSender } from '@parley/log';
import { type PendingEvent, events, to } from '@parley/protocol';
import { describe, expect, test } from 'vitest';

import { type Person, emptyChannel, getWorld, headOf, realm, say, subscribe } from '../support/index.ts';

type Recipient = Parameters<typeof actions.messages.planSend>[3];

interface Text {
  content: string;
  echo?: { queueId: string; localId: string };
}

/** A message as it is before it is appended. */
async function pendingOf(from: Person, recipient: Recipient, { content, echo }: Text) {
  const { engine } = await getWorld();
  const plan = await actions.messages.planSend(
    engine.db,
    from.realm.id,
    async () => from.actor,
    actions.messages.parseRecipient(recipient),
  );
  const text = { content, client: 'a "client", {of} ours', readBySender: true, echo: echo ?? null };
  const pending = actions.messages.plainMessage(await actions.messages.prepare(plan, text));
  if (!pending?.message) throw new Error('The message is not a plain one.');
  return { ...pending, message: pending.message };
}

/** The same message, in a form that only append_events knows. */
const inOtherForm = ({ message, ...pending }: PendingEvent): PendingEvent => ({
  ...pending,
  ...(message && { message: { ...message, mentionsChannel: false } }),
});

async function senderOf() {
  const { sql } = await getWorld();
  const published: string[] = [];
  /** The function of Postgres that each append took. */
  const ways: string[] = [];
  const sender = createSender({
    sql: new Proxy(sql, {
      apply(target, self, args: [TemplateStringsArray, ...unknown[]]) {
        ways.push(/append_\w+/.exec(args[0].join(''))?.[0] ?? 'none');
        return Reflect.apply(target, self, args);
      },
    }),
    publisher: {
      publish(_, appended) {
        for (const answer of appended) if ('entry' in answer) published.push(answer.entry);
      },
    },
  });
  return { sql, sender, published, ways };
}

/** What was written, without what is of its position in the log. */
function placeless(row: Record<string, unknown>, entry: { seq: number; event: { message: object } }) {
  const { id: _id, ordinal: _ordinal, sent_at: _at, previews_due_at: due, ...rest } = row;
  const { seq: _seq, event, ...others } = entry;
  const message = { ...event.message, id: 0, timestamp: 0 };
  return { ...rest, isDue: due !== null, entry: { ...others, event: { ...event, message } } };
}

const kinds = ['channel', 'private channel', 'direct'] as const;
type Kind = (typeof kinds)[number];

async function recipientOf(kind: Kind, alice: Person, bob: Person): Promise<Recipient> {
  if (kind === 'direct') return { type: 'direct', users: [bob.id] };
  const isPrivate = kind === 'private channel';
  await subscribe(alice, kind, [alice, bob], { invite_only: isPrivate });
  await say(alice, kind);
  return { type: 'channel', channel: kind, topic: 't' };
}

const contents = [
  'plain',
  'a "quote", a \\ and {braces}, null',
  'lines\nof\r\ntext\ttoo',
  'null',
  'żółw 🐢 \u2028',
  'see https://example.com/page',
];

describe('a plain message', () => {
  test.each(kinds)('a plain message to a %s leaves the same by both functions', async (kind) => {
    const { alice, bob } = await realm();
    const { sql, sender, published, ways } = await senderOf();
    const recipient = await recipientOf(kind, alice, bob);
    for (const content of contents) {
      const echo = { queueId: 'a "queue"', localId: `${content.slice(0, 9)} 1` };
      const isDue = content.includes('https:');
      const { message, ...rest } = await pendingOf(alice, recipient, { content, echo });
      const plain = { ...message, ...(isDue && { previewsDue: true as const }) };
      const other = { ...plain, echo: { ...echo, localId: `${echo.localId}b` } };
      const left = [];
      for (const pending of [{ ...rest, message: plain }, inOtherForm({ ...rest, message: other })]) {
        const sent = await sender.append(alice.realm.id, pending);
        const [row] = await sql<Record<string, unknown>[]>`
          select * from messages where realm_id = ${alice.realm.id} and id = ${sent?.messageId ?? 0}`;
        const [logged] = await sql`
          select entry, bytes from event_log where realm_id = ${alice.realm.id} order by seq desc limit 1`;
        expect(JSON.parse(published.at(-1) ?? '')).toEqual(logged?.['entry']);
        expect(logged?.['bytes']).toBe(Buffer.byteLength(published.at(-1) ?? ''));
        left.push(placeless({ ...row, local_id: null }, JSON.parse(published.at(-1) ?? '')));
      }
      expect(left[0]).toEqual(left[1]);
      expect(left[0]).toMatchObject({ content, isDue });
    }
    expect(ways).toEqual(contents.flatMap(() => ['append_plain_messages', 'append_events']));
  });

  test('has nothing that append_plain_messages does not know of', async () => {
    const { alice, bob } = await realm();
    const { sender, ways } = await senderOf();
    const wayOf = async (pending: PendingEvent) => {
      // What is stale is given up when it is its turn.
      await sender.append(alice.realm.id, { ...pending, rulesVersion: -1 });
      return ways.at(-1);
    };
    const echo = { queueId: 'queue', localId: '1' };
    const of = async (kind: Kind) => {
      const pending = await pendingOf(alice, await recipientOf(kind, alice, bob), { content: 'x', echo });
      return { ...pending, message: { ...pending.message, previewsDue: true as const } };
    };
    const [channel, hidden, direct] = [await of('channel'), await of('private channel'), await of('direct')];
    for (const plain of [channel, hidden, direct]) expect(await wayOf(plain)).toBe('append_plain_messages');

    const { conversations = [], ...toNobody } = channel;
    const { users, ...toNoPeople } = direct;
    expect([conversations.length, users]).toEqual([1, [alice.id, bob.id]]);
    const others: PendingEvent[] = [
      to.everyone(events.keyRegenerated({})),
      { ...channel, except: [bob.id] },
      { ...channel, message: { ...channel.message, mentionsChannel: true } },
      { ...channel, users: [bob.id] },
      { ...channel, conversations: [...conversations, ...conversations] },
      { ...channel, conversations: [direct.message.conversationId] },
      toNobody,
      { ...direct, conversations },
      toNoPeople,
    ];
    for (const other of others) expect([await wayOf(other), other]).toEqual(['append_events', other]);

    const { rulesVersion: _, ...unplanned } = direct;
    expect(await sender.append(alice.realm.id, unplanned)).toMatchObject({ isRepeated: false });
    expect(ways.at(-1)).toBe('append_events');
  });

  test('a plain message that repeats another, or was planned under older rules, takes no place beside those that are written', async () => {
    const { alice, bob } = await realm();
    const { sql, sender, published } = await senderOf();
    const { id } = alice.realm;
    const of = (content: string, localId?: string) =>
      pendingOf(
        alice,
        { type: 'direct', users: [bob.id] },
        { content, ...(localId !== undefined && { echo: { queueId: 'queue', localId } }) },
      );
    const first = await sender.append(id, await of('first', '1'));
    const head = await headOf(id);
    const batch = [
      // While this one is appended, the others gather.
      await of('alone'),
      await of('a'),
      await of('first again', '1'),
      { ...(await of('stale')), rulesVersion: -1 },
      await of('b', '2'),
      await of('b again', '2'),
      inOtherForm(await of('c')),
      await of('d'),
    ];
    const sent = await Promise.all(batch.map((pending) => sender.append(id, pending)));
    expect(sent.map((answer) => answer?.isRepeated)).toEqual([
      false,
      false,
      true,
      undefined,
      false,
      true,
      false,
      false,
    ]);
    expect([sent[2]?.messageId, sent[5]?.messageId]).toEqual([first?.messageId, sent[4]?.messageId]);
    const rows = await sql<{ content: string; ordinal: number }[]>`
      select content, ordinal from messages where realm_id = ${id} and id >= ${first?.messageId ?? 0} order by id`;
    expect(rows.map(({ content }) => content)).toEqual(['first', 'alone', 'a', 'b', 'c', 'd']);
    expect(rows.map(({ ordinal }) => ordinal - (rows[0]?.ordinal ?? 0))).toEqual([0, 1, 2, 3, 4, 5]);
    expect(published.map((entry) => JSON.parse(entry).seq - head)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(await headOf(id)).toBe(head + 5);
  });

  test('a plain message to a conversation that does not exist is refused', async () => {
    const { alice, bob } = await realm();
    const { sender } = await senderOf();
    const pending = await pendingOf(alice, { type: 'direct', users: [bob.id] }, { content: 'x' });
    const nowhere = { ...pending.message, conversationId: 2 ** 40 };
    const head = await headOf(alice.realm.id);
    await expect(sender.append(alice.realm.id, { ...pending, message: nowhere })).rejects.toThrow('ordinal');
    expect(await headOf(alice.realm.id)).toBe(head);
  });

  test.each(['half \uD83D a character', 'a \0 null'])(
    'a plain message with %j, which no reader could read, is refused',
    async (name) => {
      const { alice, bob } = await realm();
      const { sender } = await senderOf();
      const pending = await pendingOf(alice, { type: 'direct', users: [bob.id] }, { content: 'x \u0007' });
      const head = await headOf(alice.realm.id);
      const unreadable = { ...pending, event: { ...pending.event, name } };
      await expect(sender.append(alice.realm.id, unreadable)).rejects.toThrow(/json|Unicode/);
      expect(await headOf(alice.realm.id)).toBe(head);
      await sender.append(alice.realm.id, pending);
      expect(await headOf(alice.realm.id), 'but any other control character is read').toBe(head + 1);
    },
  );
});

test('the first message of a channel is appended after the event that names it', async () => {
  const { alice, bob, bot } = await realm();
  const { sql, sender, published } = await senderOf();
  await emptyChannel(alice, 'empty', [alice, bob]);
  const recipient: Recipient = { type: 'channel', channel: 'empty', topic: 't' };
  const texts = ['alone', 'first', 'second', 'third'];
  const pending = await Promise.all(texts.map((content) => pendingOf(bot, recipient, { content })));
  const head = await headOf(alice.realm.id);
  const sent = await Promise.all(
    // While the stale one is appended, the others gather.
    pending.map((message, index) =>
      sender.append(alice.realm.id, index === 0 ? { ...message, rulesVersion: -1 } : message),
    ),
  );
  expect(sent).toEqual([
    null,
    ...sent.slice(1).map(() => ({ messageId: expect.any(Number), isRepeated: false })),
  ]);
  const rows = await sql<{ id: number; content: string }[]>`
    select id, content from messages where realm_id = ${alice.realm.id} and id = any(${sent.flatMap((one) => one?.messageId ?? [])}) order by id`;
  expect(rows.map(({ id, content }) => [id, content])).toEqual(
    texts.slice(1).map((content, index) => [sent[index + 1]?.messageId, content]),
  );
  expect(published.map((entry) => JSON.parse(entry))).toMatchObject([
    { seq: head + 1, event: { type: 'stream', property: 'first_message_id', value: rows[0]?.id } },
    ...rows.map(({ id }, index) => ({
      seq: head + 2 + index,
      event: { type: 'message', message: { id } },
    })),
  ]);
});
