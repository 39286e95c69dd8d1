import type { LogEvent } from './entry.ts';
import type { Ephemeral } from './ephemeral.ts';
import type { Job } from './jobs.ts';
import type { WebhookTrigger } from './objects/outgoing-webhook.ts';

/** The row of a message that is inserted together with the append of its event. */
interface NewMessage {
  conversationId: number;
  channelId: number | null;
  topicId: number | null;
  senderId: number;
  content: string;
  renderedContent: string;
  /** The version of the renderer that produced `renderedContent`. */
  renderedVersion: number;
  client: string;
  /** Users for whom the message starts as read: its sender, and those who mute the sender. */
  readBy: number[];
  /** If present, the message starts as unread for these users only. */
  unreadFor?: number[];
  /** Users who are not in the conversation and receive this one message because it mentions them. */
  alsoReceivedBy?: number[];
  /** Users by flag. A flag is stored only for users who receive the message. */
  flags?: Partial<Record<SparseFlag, number[]>>;
  /** True if the message mentions everyone in the channel. */
  mentionsChannel?: boolean;
  /** Ids of the uploads that the message refers to. The caller has locked their rows. */
  attachments?: number[];
  /** JSON of the message's first submessage, which makes the message a widget. */
  widget?: string;
  /** Sends with the same pair are retries of one message. */
  echo?: { queueId: string; localId: string };
  /** When the message was sent, in seconds since 1970, if that is earlier than its append. */
  sentAt?: number;
  /** True if the message links to pages that have yet to be fetched. */
  previewsDue?: true;
  /** The outgoing-webhook bots whose services are to be told of the message, with the ids that the deliveries get. */
  webhooks?: { id: number; botId: number; trigger: WebhookTrigger }[];
  /** What the message contains, for searches by `has:`. */
  has: { link: boolean; image: boolean; attachment: boolean };
}

/** Flags that are stored as rows of message_flags, because few users have them on a message. */
type SparseFlag = 'mentioned' | 'topic_wildcard_mentioned' | 'has_alert_word';

/**
 * The users whom an event is for: the listed users and the members of `conversations`; everyone in the realm if there
 * are neither.
 */
export interface Audience {
  users?: number[];
  /** Conversations whose members receive the event. Membership is read when the event is appended. */
  conversations?: number[];
  except?: number[];
}

/** An event with its audience, before it is appended to the log. */
export interface PendingEvent extends Audience {
  event: LogEvent;
  /** True if queues that asked for all public channels receive the event too. */
  open?: boolean;
  message?: NewMessage;
  /**
   * True if the event carries the message of the pending event before it, in the form that the users may see who
   * receive this event instead of that one.
   */
  copiesMessage?: true;
  /**
   * An event that is appended before the message if the message is the first of its conversation. Its `value` is set
   * to the message's id.
   */
  opening?: PendingEvent;
  /**
   * The path in the event at which the id of a conversation's first message is filled in, as it is when the event is
   * appended.
   */
  firstMessage?: { conversationId: number; path: string[] };
  /**
   * Recomputes a channel's first message after deletions and moves. If it is the same as before, the event is not
   * appended.
   */
  refreshesFirstMessage?: { conversationId: number; channelId: number };
  /**
   * The event is stale if the topic, or a topic of the channel that has a name, has a message after `lastMessageId`: a
   * decision about all of these messages no longer holds.
   */
  expects?: { topicId: number; lastMessageId: number } | { namedTopicsOf: number; lastMessageId: number };
  /**
   * The event's `shared_flags` are filled in with the flags that this message has for its readers when the event is
   * appended.
   */
  sharedFlagsOf?: number;
  /**
   * The event's `subscribers_of` is filled in with the audience that this conversation has when the event is appended:
   * nodes list its members.
   */
  subscribersOf?: number;
  /**
   * Marks everything that this user received before the event's position in the log as read. The caller has locked the
   * user's member rows.
   */
  readsAll?: number;
  /**
   * The upload that the event is about. The messages that refer to it, and the bytes that the realm's uploads take,
   * are filled in as they are when the event is appended.
   */
  attachment?: { id: number };
  /** How many entries without an event are appended before it, for the ids of its many events. */
  rooms?: number;
  /** Users whose cached credentials are no longer valid from this event on. */
  revokes?: number[];
  /**
   * The version of the realm's rules under which the event was planned. If the realm has a newer version by now, the
   * event is stale.
   */
  rulesVersion?: number;
}

/** Addresses an event. The members of a conversation are read when the event is appended, not here. */
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

/**
 * A change of the members of a conversation. It takes effect at the position in the log of the events that are appended
 * with it.
 */
export interface MembershipChange {
  conversationId: number;
  joined: number[];
  left: number[];
  /** True if accounts are activated or deactivated: their subscriptions stay. */
  keepsSubscriptions?: boolean;
}

/** The result of an action: everything that follows from it. */
export interface ActionResult {
  /** Events that are appended to the log in the action's own transaction, in this order. */
  events: PendingEvent[];
  memberships?: MembershipChange[];
  /**
   * True if something changed that a plan for sending or a decision of another action depends on: settings,
   * permissions, groups, names, accounts, channels. The version of the realm's rules is raised, and what was decided
   * under the older one is decided again.
   */
  changesRules?: boolean;
  /**
   * Jobs that are enqueued after the commit. Enqueueing is best effort: each job is also recorded in Postgres, where
   * a sweep finds it.
   */
  jobs?: Job[];
  /** Ephemeral events that are published after the commit. Publishing is best effort, and nothing records them. */
  ephemerals?: Ephemeral[];
}

/** Returns the result of an action that appends no entry to the log. */
export const ephemeralOnly = (...ephemerals: Ephemeral[]): ActionResult => ({
  events: [],

  ephemerals,
});

/** So many messages may a change of flags have that is made together with those of others: it keeps them waiting. */
export const gatheredFlagsMax = 500;

/** A flag of one user that is to be set or cleared on messages, before it is appended to the log with those of others. */
export interface PendingFlags {
  userId: number;
  flag: 'read' | 'starred' | 'collapsed';
  op: 'add' | 'remove';
  /** Each of them once, with the channel in which the user may read it where that was asked. */
  messages: { id: number; channelId: number | null }[];
  /** The version of the realm's rules that the change depends on; undefined if it depends on none. */
  rulesVersion?: number | undefined;
  /** What the account was when the change was asked for; undefined if that does not matter. */
  account?: object | undefined;
}
