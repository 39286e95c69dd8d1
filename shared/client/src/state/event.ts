import type {
  EditHistoryEntry,
  Reaction,
  SlimPresence,
  Submessage,
  UnreadDetail,
  User,
  events,
} from '@parley/protocol';

import type { FetchedMessage } from './message.ts';

type Family = (typeof events)[keyof typeof events];
type Logged = Family['schema']['_zod']['output'];
type KindOf<One> = One extends { type: infer Type extends string; op: infer Op extends string }
  ? `${Type} ${Op}`
  : One extends { type: infer Type extends string }
    ? Type
    : never;
/** Events as the log has them, by kind: clients are sent most of them so. */
type LoggedEvents = { [One in Logged as KindOf<One>]: One };
type Person<More> = { type: 'realm_user'; person: { user_id: number } & More };

/** What clients are sent otherwise than it is logged. */
interface SentOtherwise {
  message: { message: Omit<FetchedMessage, 'flags'>; flags: string[]; local_message_id?: string };
  update_message: {
    user_id: number | null;
    rendering_only: boolean;
    message_id: number;
    message_ids: number[];
    edit_timestamp: number;
    flags: string[];
    stream_id?: number;
    new_stream_id?: number;
    orig_subject?: string;
    subject?: string;
    topic_links?: { text: string; url: string }[];
    propagate_mode?: 'change_one' | 'change_later' | 'change_all';
    orig_content?: string;
    orig_rendered_content?: string;
    content?: string;
    rendered_content?: string;
    is_me_message?: boolean;
  };
  delete_message: {
    message_ids?: number[];
    message_id?: number;
    message_type: 'stream' | 'private';
    stream_id?: number;
    topic?: string;
  };
  'update_message_flags remove': {
    flag: string;
    messages: number[];
    all: boolean;
    message_details?: Record<string, UnreadDetail>;
  };
  'reaction add': Reaction & { message_id: number };
  'reaction remove': Reaction & { message_id: number };
  submessage: Omit<Submessage, 'id'> & { submessage_id: number };
  'realm_user add': { person: User };
  'realm_user remove': Person<{ full_name: string }>;
  'realm_bot add': { bot: Bot };
  'realm_bot update': { bot: Partial<Bot> & { user_id: number } };
  'subscription update': { stream_id: number; property: string; value: unknown };
  update_display_settings: { user: string; setting_name: string; setting: unknown };
  update_global_notifications: { user: string; notification_name: string; setting: unknown };
  presence: { presences: Record<string, SlimPresence> };
  'typing start': Typing;
  'typing stop': Typing;
  'typing_edit_message start': TypingEdit;
  'typing_edit_message stop': TypingEdit;
}

/** A bot that the account owns. */
export interface Bot {
  user_id: number;
  full_name: string;
  is_active: boolean;
  owner_id: number | null;
  api_key?: string;
  [field: string]: unknown;
}

export interface Typing {
  message_type: 'direct' | 'stream';
  sender: { user_id: number };
  recipients?: { user_id: number }[];
  stream_id?: number;
  topic?: string;
}

export interface TypingEdit {
  sender_id: number;
  message_id: number;
}

export type EventsByKind = Omit<LoggedEvents, keyof SentOtherwise> & SentOtherwise;

/** An event as it comes. */
export interface AnyEvent {
  id: number;
  type: string;
  [field: string]: unknown;
}

/** The type of an event, with its op. */
export const kindOf = ({ type, op }: { type: string; op?: unknown }): string =>
  typeof op === 'string' ? `${type} ${op}` : type;

export type { EditHistoryEntry };
