import type { LogEvent } from './entry.ts';

/** The row of a message that is appended with its event. */
export interface MessageRow {
  conversationId: number;
  channelId: number | null;
  topicId: number | null;
  senderId: number;
  content: string;
  renderedContent: string;
  client: string;
  readBySender: boolean;
  /** Retries with the same pair are the same message. */
  echo: { queueId: string; localId: string } | null;
  /** Facts that searches filter by. */
  has: { link: boolean; image: boolean; attachment: boolean };
}

/** An event on its way into the log: what happened, and who is to hear it. */
export interface Draft {
  event: LogEvent;
  /** Listed users; null with a null conversation means everyone in the realm. */
  users: number[] | null;
  /** Members of a channel conversation, as they are when the draft is appended. */
  conversationId: number | null;
  /** Also for queues that asked for all public channels. */
  open: boolean;
  message?: MessageRow;
  /** Users whose cached credentials are void from here on. */
  revokes?: number[];
}

interface Someone {
  id: number;
}

const draft = (event: LogEvent, rest: Partial<Draft>): Draft => ({
  event,
  users: null,
  conversationId: null,
  open: false,
  ...rest,
});

/** Addresses an event. Who is in a conversation is decided when the event enters the log, not here. */
export const to = {
  user: (user: Someone, event: LogEvent) => draft(event, { users: [user.id] }),
  users: (ids: Iterable<number>, event: LogEvent) => draft(event, { users: [...new Set(ids)] }),
  everyone: (event: LogEvent) => draft(event, {}),
};

/** A change of who is in a conversation, applied at the log position of the events beside it. */
export interface MembershipChange {
  conversationId: number;
  joined: number[];
  left: number[];
}

/** What an action hands to `commit`. */
export interface ActionResult {
  events: Draft[];
  memberships?: MembershipChange[];
  /** True when no permission, name or account that sending a message depends on has changed. */
  keepsRules?: boolean;
}
