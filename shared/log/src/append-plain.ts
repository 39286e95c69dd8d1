import type { Sql } from '@parley/db';
import type { PendingEvent } from '@parley/protocol';

import { type Element, arrayOf } from './arrays.ts';

type NewMessage = NonNullable<PendingEvent['message']>;

/** A message of which nothing follows but itself: its row, and its entry. */
export type PlainMessage = PendingEvent & { message: NewMessage; rulesVersion: number };

const eventKeys = new Set<string>([
  'event',
  'users',
  'conversations',
  'open',
  'rulesVersion',
  'message',
] satisfies (keyof PendingEvent)[]);

const messageKeys = new Set<string>([
  'conversationId',
  'channelId',
  'topicId',
  'senderId',
  'content',
  'renderedContent',
  'renderedVersion',
  'client',
  'readBy',
  'echo',
  'previewsDue',
  'has',
] satisfies (keyof NewMessage)[]);

/** Returns whether append_plain_messages can append it. What it does not know of a message, append_events does. */
export function isPlain(pending: PendingEvent): pending is PlainMessage {
  const { message, users, conversations, rulesVersion } = pending;
  if (!message || rulesVersion === undefined) return false;
  for (const key in pending) if (!eventKeys.has(key)) return false;
  for (const key in message) if (!messageKeys.has(key)) return false;
  return message.channelId === null
    ? users !== undefined && conversations === undefined
    : users === undefined && conversations?.length === 1 && conversations[0] === message.conversationId;
}

/**
 * Appends plain messages in a transaction of their own. Returns the rows of append_plain_messages.
 *
 * The seam: a message's id, time and position in the log are known in Postgres alone, and to read and write its JSON again
 * there would cost more than the rest of the append. So an entry is written in two halves. This side writes all that it
 * knows and stops inside the objects that are still open; append_plain_messages puts the rest behind it as text:
 *
 *     Postgres     {"seq":7,"audience":
 *     audienceOf   {"users":[1,2]}                  or, to a channel, {"open":true,"members":[
 *     Postgres                                      and then the audience's id and ]}
 *     Postgres     ,"event":
 *     eventOf      {"type":"message", …,"message":{"sender_id":1, …
 *     Postgres     ,"id":42,"timestamp":1767225600}}}
 *
 * It holds because of what both sides keep to: `message` is the last field of the event and no object that is cut is
 * empty, so that a comma may follow; JSON has no line feed, so that one line is one event; and no field is named twice,
 * since `id` and `timestamp` are left out here. Postgres checks the whole as JSON, so a mistake is an error and never an
 * entry that cannot be read. `test/laws/log/append-plain.test.ts` compares what is stored with JSON.stringify.
 */
export async function appendPlain(
  sql: Sql,
  realmId: number,
  pending: readonly PlainMessage[],
): Promise<readonly unknown[]> {
  const messages = pending.map(({ message }) => message);
  const values = (read: (message: NewMessage) => Element) => arrayOf(messages.map(read));
  const texts = (read: (message: NewMessage) => string | undefined) =>
    arrayOf(messages.map((m) => quoted(read(m))));
  return await sql`
    select * from append_plain_messages(
      ${realmId},
      ${arrayOf(pending.map(({ rulesVersion }) => rulesVersion))}::text::bigint[],
      ${values((m) => m.conversationId)}::text::bigint[],
      ${values((m) => m.channelId ?? 'null')}::text::int[],
      ${values((m) => m.topicId ?? 'null')}::text::bigint[],
      ${values((m) => m.senderId)}::text::int[],
      ${texts((m) => m.content)}::text::text[],
      ${texts((m) => m.renderedContent)}::text::text[],
      ${values((m) => m.renderedVersion)}::text::smallint[],
      ${texts((m) => m.client)}::text::text[],
      ${values((m) => m.has.link)}::text::boolean[],
      ${values((m) => m.has.image)}::text::boolean[],
      ${values((m) => m.has.attachment)}::text::boolean[],
      ${values((m) => m.previewsDue === true)}::text::boolean[],
      ${arrayOf(messages.map((m) => quoted(arrayOf(m.readBy))))}::text::text[],
      ${texts((m) => m.echo?.queueId)}::text::text[],
      ${texts((m) => m.echo?.localId)}::text::text[],
      ${arrayOf(pending.map((p) => quoted(audienceOf(p))))}::text::text[],
      ${pending.map(eventOf).join('\n')}
    )`;
}

/** The audience's half of the seam; that of a channel's message ends where the id of its conversation's members follows. */
function audienceOf({ users, open, message }: PlainMessage): string {
  if (message.channelId === null) return JSON.stringify({ users, open });
  return `{${open === undefined ? '' : `"open":${open},`}"members":[`;
}

/** The event's half of the seam: its JSON up to the end of its message. */
function eventOf({ event }: PlainMessage): string {
  // Safe: the event of a message holds it.
  const { message, ...rest } = event as typeof event & { message: object };
  const { id: _id, timestamp: _timestamp, ...shown } = message as Record<string, unknown>;
  return `${JSON.stringify(rest).slice(0, -1)},"message":${JSON.stringify(shown).slice(0, -1)}`;
}

const quoted = (text: string | undefined): string =>
  text === undefined ? 'null' : `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
