import type { LogEvent } from './entry.ts';
import type { Ephemeral } from './ephemeral.ts';
import type { Job } from './jobs.ts';

/** The row of a message that is appended with its event. */
export interface NewMessage {
  conversationId: number;
  channelId: number | null;
  topicId: number | null;
  senderId: number;
  content: string;
  renderedContent: string;
  /** Of the renderer. */
  renderedVersion: number;
  client: string;
  /** Users who have read it as it comes: its sender, those who mute the sender. */
  readBy: number[];
  /** Set where it comes as unread to these only. */
  unreadFor?: number[];
  /** Users outside of the conversation whom a mention makes recipients of this one message. */
  alsoReceivedBy?: number[];
  /** Users by flag; kept for those who receive the message. */
  flags?: Partial<Record<SparseFlag, number[]>>;
  /** Everyone in the channel is mentioned. */
  mentionsChannel?: boolean;
  /** Ids of uploads it refers to; the caller holds their rows. */
  attachments?: number[];
  /** JSON of its first submessage, which makes it a widget. */
  widget?: string;
  /** Retries with the same pair are the same message. */
  echo?: { queueId: string; localId: string };
  /** It links to pages that are still to be looked at. */
  previewsDue?: true;
  /** Facts that searches filter by. */
  has: { link: boolean; image: boolean; attachment: boolean };
}

/** Flags that are stored as rows, because few have them. */
export type SparseFlag = 'mentioned' | 'topic_wildcard_mentioned' | 'has_alert_word';

/** Whom an event is for: the listed users and the members of `conversations`; without either, everyone in the realm. */
export interface Audience {
  users?: number[];
  /** Conversations whose members, as they are when the event is appended, receive it. */
  conversations?: number[];
  except?: number[];
}

/** An event and its audience, on their way into the log. */
export interface PendingEvent extends Audience {
  event: LogEvent;
  /** Also for queues that asked for all public channels. */
  open?: boolean;
  message?: NewMessage;
  /** The event's message is the one that was written before it, as those may know it who hear this one instead. */
  copiesMessage?: true;
  /** Goes before the message, with its id as the event's `value`, if it is the first of its conversation. */
  opening?: PendingEvent;
  /** Where in the event the id of a conversation's first message stands: it is what it is when the event is appended. */
  firstMessage?: { conversationId: number; path: string[] };
  /** Brings a channel's first message up to date after deletions and moves; skipped if it is the same as before. */
  refreshesFirstMessage?: { conversationId: number; channelId: number };
  /** Stale if the topic has a message after this one: what was decided about the whole topic holds no more. */
  expects?: { topicId: number; lastMessageId: number };
  /** The event's `marks` are the flags that this message has for everyone when the event is appended. */
  sharedFlagsOf?: number;
  /** Marks all that this user received, up to the event's place in the log; the caller holds the user's member rows. */
  readsAll?: number;
  /**
   * An upload that the event is about: the messages that refer to it and the bytes that the realm's uploads take are
   * filled in as they are when the event is appended.
   */
  attachment?: { id: number };
  /** Users whose cached credentials are void from here on. */
  revokes?: number[];
  /** Version of the realm's rules that the draft was planned under; it is refused as stale under another. */
  rulesVersion?: number;
}

/** Addresses an event. Who is in a conversation is decided when the event enters the log, not here. */
export const to = {
  user: (user: { id: number }, event: LogEvent): PendingEvent => ({ event, users: [user.id] }),
  users: (ids: Iterable<number>, event: LogEvent): PendingEvent => ({ event, users: [...new Set(ids)] }),
  everyone: (event: LogEvent): PendingEvent => ({ event }),
  members: (conversations: number[], event: LogEvent, except: number[] = []): PendingEvent => ({
    event,
    conversations,
    ...(except.length > 0 && { except }),
  }),
};

/** A change of who is in a conversation, applied at the log position of the events beside it. */
export interface MembershipChange {
  conversationId: number;
  joined: number[];
  left: number[];
  /** True where accounts come and go and their subscriptions stay. */
  keepsSubscriptions?: boolean;
}

/** What an action returns: all that follows from it. */
export interface ActionResult {
  /** Appended to the log in the action's own transaction, in this order. */
  events: PendingEvent[];
  memberships?: MembershipChange[];
  /** True when no permission, name or account that sending a message depends on has changed. */
  keepsRules?: boolean;
  /** Enqueued after the commit. Best effort: each is also marked in Postgres, where a sweep finds it. */
  jobs?: Job[];
  /** Published after the commit. Best effort, and recorded nowhere. */
  ephemerals?: Ephemeral[];
}

/** The result of an action that no log entry tells of. */
export const ephemeralOnly = (...ephemerals: Ephemeral[]): ActionResult => ({
  events: [],
  keepsRules: true,
  ephemerals,
});
