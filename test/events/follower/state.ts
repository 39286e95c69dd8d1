import type { Event, Json } from '../../support/index.ts';
import type { Messages } from './messages.ts';

export type ById = Record<number, Json>;

export interface State {
  users: ById;
  nonActiveUsers: ById;
  groups: ById;
  channels: ById;
  subscriptions: ById;
  unsubscribed: ById;
  neverSubscribed: ById;
  /** Null after the newest was deleted: which it is then, only the server knows. */
  maxMessageId: number | null;
  /** Where each unread message is. */
  unread: Record<number, string>;
  mentions: number[];
  starred: number[];
  /** Newest message of each direct conversation, by the others in it. */
  conversations: Record<string, number>;
  /** Topics that the user treats otherwise than their channels. */
  topics: Record<string, Json>;
  /** The user's uploads, as GET /attachments lists them. */
  uploads: ById;
  /** The invitations that GET /invites lists; null after a change, until the client asks again. */
  invites: Json[] | null;
  /** The organization's exports, as GET /export/realm lists them. */
  exports: Json[];
  /** Who lets exports contain what is private of theirs. */
  consents: Record<number, true>;
  /** What users say about themselves. */
  statuses: ById;
  drafts: ById;
  snippets: ById;
  scheduled: ById;
  reminders: ById;
  /** Navigation views, by fragment. */
  views: Record<string, Json>;
  messages: Messages;
  /** What the client knows of its own account. */
  own: Json;
}

/** What an event does to the state. */
export type Reducers = Record<string, (state: State, event: Event) => void>;

export function get(records: ById, id: number): Json {
  const record = records[id];
  if (record === undefined) throw new Error(`An event is about ${id}, which the client was never told of.`);
  return record;
}

export const recordOf = ({ subscriptions, unsubscribed, neverSubscribed }: State, id: number): Json =>
  get({ ...neverSubscribed, ...unsubscribed, ...subscriptions }, id);

export const union = (ids: number[], more: number[]): number[] =>
  [...new Set([...ids, ...more])].sort((a, b) => a - b);
