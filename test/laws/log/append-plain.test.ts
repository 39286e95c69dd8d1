import * as actions from '@parley/actions';
import { createPerformer } from '@parley/engine';
import { type Publisher, createSender, readHeads } from '@parley/log';
import type { PendingEvent } from '@parley/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';

import { type Person, getWorld, realm, say, subscribe } from '../../support/index.ts';
import { performAdHoc } from '../../support/perform-ad-hoc.ts';

type Recipient = Parameters<typeof actions.messages.planSend>[3];
type Message = NonNullable<PendingEvent['message']>;

/** What could end a text, an object or a line too early, or is refused. */
const pieces = fc.constantFrom(
  '"',
  '\\',
  '\\"',
  "'",
  '\n',
  '\r\n',
  '\t',
  '\u0001',
  '\u007f',
  '\u2028',
  '\ufeff',
  '\\u0000',
  '\\ud83d',
  '{',
  '}}}',
  '],',
  ',"id":7',
  ',"message":{',
  'null',
  '%s',
  '$1',
  'żółw',
  '🐢',
  'ab '.repeat(20_000),
);
const refusedPieces = fc.constantFrom('\0', '\ud83d', '\udc22');
const text = fc
  .array(
    fc.oneof(
      { weight: 8, arbitrary: pieces },
      { weight: 4, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
      { weight: 1, arbitrary: refusedPieces },
    ),
    { maxLength: 5 },
  )
  .map((parts) => parts.join(''));
const texts = fc.record({ content: text, rendered: text, topic: text, name: text, client: text });
type Texts = typeof texts extends fc.Arbitrary<infer Value> ? Value : never;

/** Postgres has no NUL in its texts, and half a character neither in what it reads as JSON. */
const isRefused = ({ content, ...shown }: Texts) =>
  content.includes('\0') || Object.values(shown).some((value) => /\0|\p{Cs}/u.test(value));

/** Plain messages to a recipient that say other things. */
async function draftOf(from: Person, recipient: Recipient) {
  const { engine } = await getWorld();
  const plan = await actions.messages.planSend(
    engine.db,
    from.realm.id,
    async () => from.actor,
    actions.messages.parseRecipient(recipient),
  );
  const prepared = await actions.messages.prepare(plan, {
    content: 'x',
    client: 'x',
    readBySender: true,
    echo: null,
  });
  const pending = actions.messages.plainMessage(prepared);
  if (!pending?.message) throw new Error('The message is not a plain one.');
  return { ...pending, message: pending.message };
}

function saying(
  draft: PendingEvent & { message: Message },
  { content, rendered, topic, name, client }: Texts,
) {
  const { message, ...event } = draft.event as typeof draft.event & { message: object };
  const shown = { ...message, content: rendered, subject: topic, sender_full_name: name, client };
  return {
    ...draft,
    event: { ...event, rendered_content: rendered, local_message_id: name, message: shown },
    message: { ...draft.message, content, renderedContent: rendered, client },
  };
}

test.each(['a channel', 'people'])(
  'a plain message to %s is in the log as JSON.stringify would write it, whatever it says',
  async (kind) => {
    const { alice, bob } = await realm();
    const { sql } = await getWorld();
    const sender = createSender({ sql, publisher: { publish: () => undefined } });
    if (kind === 'a channel') {
      await subscribe(alice, 'mine', [alice, bob]);
      await say(alice, 'mine');
    }
    const draft = await draftOf(
      alice,
      kind === 'people'
        ? { type: 'direct', users: [bob.id] }
        : { type: 'channel', channel: 'mine', topic: 't' },
    );

    await fc.assert(
      fc.asyncProperty(fc.array(texts, { minLength: 1, maxLength: 3 }), async (all) => {
        const messages = all.map((said) => saying(draft, said));
        const sent = await Promise.allSettled(
          messages.map((message) => sender.append(alice.realm.id, message)),
        );
        for (const [index, result] of sent.entries()) {
          const [said, pending] = [all[index], messages[index]];
          if (!said || !pending) throw new Error('There are as many results as messages.');
          expect(result.status).toBe(isRefused(said) ? 'rejected' : 'fulfilled');
          if (result.status === 'rejected') continue;
          const id = result.value?.messageId ?? 0;
          const [row] = await sql<{ entry: string; at: number; content: string; rendered: string }[]>`
            select e.entry::text as entry, floor(extract(epoch from m.sent_at))::int as at, m.content,
              m.rendered_content as rendered
            from messages m join event_log e on e.realm_id = m.realm_id and e.appended_at = m.sent_at
            where m.realm_id = ${alice.realm.id} and m.id = ${id} and (e.entry #>> '{event,message,id}')::bigint = ${id}`;
          const { seq, term, audience } = JSON.parse(row?.entry ?? '{}') as {
            seq: number;
            term: string;
            audience: object;
          };
          const event = { ...pending.event, message: { ...shownOf(pending), id, timestamp: row?.at } };
          const expected = JSON.stringify({ seq, term, audience, event });
          // As UTF-8 has it, which knows no half characters: the model refuses them before.
          const content = Buffer.from(said.content).toString();
          expect(row).toMatchObject({ content, rendered: said.rendered });
          expect(JSON.parse(row?.entry ?? '')).toEqual(JSON.parse(expected));
          // What has escapes passes through jsonb, which writes JSON in its own way.
          expect(expected.includes('\\u') ? expected : row?.entry).toBe(expected);
        }
      }),
      { numRuns: 40 },
    );
  },
);

test.each(['a plain', 'another', 'an action’s'])(
  'whoever is told that %s message was sent before is told how far the log was, which has it',
  async (kind) => {
    const { alice, bob } = await realm();
    const { sql, engine } = await getWorld();
    const told: Parameters<Publisher['publish']>[1][number][] = [];
    const publisher: Publisher = { publish: (_, appended) => void told.push(...appended) };
    const draft = await draftOf(alice, { type: 'direct', users: [bob.id] });
    const more = kind === 'a plain' ? {} : { mentionsChannel: false };
    const message = { ...draft.message, ...more, echo: { queueId: 'q', localId: '1' } };
    const sender = createSender({ sql, publisher });
    const performer = createPerformer({
      db: engine.db,
      publisher,
      ephemerals: null,
      enqueue: () => undefined,
    });
    const event = { ...draft, message };
    const ids = [];
    for (let time = 0; time < 2; time += 1)
      ids.push(
        kind === 'an action’s'
          ? (await performAdHoc(performer, alice.realm.id, async () => ({ events: [event] }))).messageIds[0]
          : (await sender.append(alice.realm.id, event))?.messageId,
      );
    expect(ids[1]).toBe(ids[0]);
    const [head] = await readHeads(sql, [alice.realm.id]);
    const { seq, term } = head ?? {};
    expect(told[1]).toMatchObject({ outcome: 'repeated', seq, known: JSON.stringify({ seq, term }) });
  },
);

/** The message that an event shows, without what Postgres gives it. */
function shownOf({ event }: PendingEvent): object {
  const {
    id: _id,
    timestamp: _timestamp,
    ...shown
  } = (event as { message?: Record<string, unknown> }).message ?? {};
  return shown;
}
