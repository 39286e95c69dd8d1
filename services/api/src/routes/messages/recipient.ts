import type * as actions from '@parley/actions';
import { ApiError, limits } from '@parley/protocol';
import { z } from 'zod';

import { id } from '../../endpoint/endpoint.ts';

export type MessageType = 'direct' | 'private' | 'channel' | 'stream';

const startOfJson = /^\s*(?:[[{"\d-]|true|false|null)/;

/** Reads `to` as JSON if it is JSON, or else as plain text: a channel's name, or addresses separated by commas. */
function readJson(raw: string): unknown {
  // Most names are seen to be none at once, without an error that has to be made.
  if (!startOfJson.test(raw)) return raw;
  try {
    return JSON.parse(raw);
  } catch {
    return raw;
  }
}

export const isChannelType = (type: MessageType) => type === 'channel' || type === 'stream';

/**
 * Reads `type`, `to` and `topic` in all the forms that clients send. A channel is an id, a name, a JSON string or a list
 * of one; users are lists of ids or of addresses, or addresses separated by commas.
 */
export function readRecipient(
  type: MessageType,
  to: string,
  topic: string | undefined,
): actions.messages.Recipient {
  if (!isChannelType(type)) return { type: 'direct', users: readUsers(to) };
  const channel = readChannel(to);
  if (topic === undefined) throw new ApiError('BAD_REQUEST', 'A message to a channel needs a topic.');
  return { type: 'channel', channel, topic };
}

function readChannel(raw: string): number | string {
  const parsed = readJson(raw);
  const [only, ...more] = Array.isArray(parsed) ? (parsed as unknown[]) : [parsed];
  if (more.length > 0) throw new ApiError('BAD_REQUEST', 'Name exactly one channel.');
  if (typeof only === 'number' && Number.isInteger(only)) return only;
  if (typeof only === 'string' && only.trim() !== '') return withoutNul(only.trim());
  throw new ApiError('BAD_REQUEST', 'A message to a channel needs a channel.');
}

const people = z.union([z.array(id), z.array(z.string())]);

function readUsers(raw: string): number[] | string[] {
  const parsed = readJson(raw);
  const list = typeof parsed === 'number' ? [parsed] : parsed;
  const users =
    typeof list === 'string'
      ? list
          .split(',')
          .map((email) => email.trim())
          .filter(Boolean)
      : list;
  if (!Array.isArray(users))
    throw new ApiError('BAD_REQUEST', "'to' must be a list of email addresses or of user ids.");
  if (users.length === 0) throw new ApiError('BAD_REQUEST', 'A direct message needs at least one recipient.');
  if (users.length > limits.recipientsPerMessage) throw new ApiError('BAD_REQUEST', "'to' is too long.");
  const read = people.safeParse(users);
  if (read.success)
    return typeof read.data[0] === 'string' ? read.data.map((email) => withoutNul(String(email))) : read.data;
  const hasBoth = new Set(users.map((user: unknown) => typeof user)).size > 1;
  throw new ApiError(
    'BAD_REQUEST',
    hasBoth
      ? 'Name the recipients either by email address or by id, not both.'
      : "'to' must be a list of email addresses or of user ids.",
  );
}

/** Replaces NUL, which no name in Postgres contains, so that the query finds nothing instead of failing. */
const withoutNul = (name: string) => name.replaceAll('\0', '\uFFFD');
