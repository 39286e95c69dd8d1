import type {
  UserSettings,
  Attachment,
  Channel,
  Draft,
  Invite,
  NavigationView,
  RealmExport,
  Reminder,
  SavedSnippet,
  ScheduledMessage,
  SlimPresence,
  Subscription as SentSubscription,
  User,
  UserGroup as SentGroup,
  UserStatus,
} from '@parley/protocol';

import type { Bot } from './event.ts';
import type { Messages } from './message.ts';
import type { Place } from './places.ts';

/**
 * What a client knows: data alone, which events keep true. Maps and sets are changed in place; what stands in them is
 * replaced when it changes, so that equal references mean equal records.
 */
export interface State {
  users: Map<number, User>;
  nonActiveUsers: Map<number, User>;
  groups: Map<number, UserGroup>;
  /** Every channel that the account may know of. */
  channels: Map<number, Channel>;
  /** Channels again, by what the account has to do with them. */
  subscriptions: Map<number, Subscription>;
  unsubscribed: Map<number, Subscription>;
  neverSubscribed: Map<number, ChannelWithSubscribers>;
  /** Null after the newest was deleted: which it is then, only the server knows. */
  maxMessageId: number | null;
  unread: Unread;
  /** Unread messages that mention the user. */
  mentions: Set<number>;
  starred: Set<number>;
  /** Newest message of each direct conversation. */
  conversations: Map<Place, number>;
  /** Topics that the user treats otherwise than their channels, by `topicKey`. */
  topics: Map<string, UserTopic>;
  /** The user's uploads, as GET /attachments lists them; null until they are listed. */
  uploads: Map<number, Attachment> | null;
  /** The invitations that GET /invites lists; null until they are listed, and after a change. */
  invites: Invite[] | null;
  /** The organization's exports, as GET /export/realm lists them; null until they are listed. */
  exports: RealmExport[] | null;
  /** Who lets exports contain what is private of theirs; null until they are listed. */
  consents: Set<number> | null;
  /** What users say about themselves. */
  statuses: Map<number, UserStatus>;
  presences: Map<number, SlimPresence>;
  /** Who types where. */
  typing: Map<Place, Set<number>>;
  /** Who edits which message. */
  editing: Map<number, Set<number>>;
  drafts: Map<number, Draft>;
  snippets: Map<number, SavedSnippet>;
  scheduled: Map<number, ScheduledMessage>;
  reminders: Map<number, Reminder>;
  /** Navigation views, by fragment. */
  views: Map<string, NavigationView>;
  /** The messages that the client has loaded. */
  messages: Messages;
  /** What the client knows of its own account and organization, under the names of POST /register. */
  own: Own;
}

/** The slices of the state, as changes name them. */
export type Slice = keyof State;

/** The unread messages, including those that the client has not loaded. */
export interface Unread {
  /** Where each unread message is. */
  places: Map<number, Place>;
  /** The unread messages of each place. A place without any has no entry. */
  at: Map<Place, Set<number>>;
  /** How many are unread in each channel. A channel without any has no entry. */
  inChannels: Map<number, number>;
  /** How topics with unread messages are written. */
  topicNames: Map<Place, string>;
}

export type UserGroup = Omit<SentGroup, 'members' | 'direct_subgroup_ids'> & {
  members: Set<number>;
  direct_subgroup_ids: Set<number>;
};

interface WithSubscribers {
  /** Who is subscribed, oneself included; undefined where the server does not list them. */
  subscribers?: Set<number>;
}

export type ChannelWithSubscribers = Channel & WithSubscribers;
export type Subscription = Omit<SentSubscription, 'subscribers' | 'partial_subscribers'> & WithSubscribers;

export interface UserTopic {
  stream_id: number;
  topic_name: string;
  /** Seconds since the epoch. */
  last_updated: number;
  /** 1: muted; 2: unmuted; 3: followed. */
  visibility_policy: number;
}

export interface Own {
  user_id: number;
  email: string;
  full_name: string;
  is_admin: boolean;
  is_owner: boolean;
  is_guest: boolean;
  is_moderator: boolean;
  realm_name: string;
  realm_url: string;
  realm_bots: Bot[];
  realm_domains: { domain: string; allow_subdomains: boolean }[];
  custom_profile_fields: { id: number; name: string; type: number; [field: string]: unknown }[];
  channel_folders: { id: number; name: string; order: number; [field: string]: unknown }[];
  realm_user_settings_defaults: Record<string, unknown>;
  /** What the account has set. Spectators have set nothing. */
  user_settings: Partial<UserSettings>;
  muted_users: { id: number; timestamp: number }[];
  alert_words: string[];
  /** Only of clients that ask for it instead of user_topics. */
  muted_topics?: [string, string, number][];
  [field: string]: unknown;
}
