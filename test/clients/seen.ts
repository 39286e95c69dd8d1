import type { DemoUser } from '@parley/infra';

import type { Json } from '../support/http.ts';

/** What a message looks like to somebody else. */
export interface SeenMessage {
  id: number;
  content: string;
  reactions: { emoji_name: string }[];
  last_edit_timestamp?: number;
}

/** What a client was told, and what another account sees of what it did. */
export interface Seen {
  /** What each step of its driver returned. */
  said: Readonly<Record<string, Json>>;
  /** The messages of its topic, oldest first. */
  topic: readonly SeenMessage[];
  /** What it wrote to the other account itself. */
  direct: readonly SeenMessage[];
  /** What a link in a message of its topic leads to. */
  linked: string;
}

type Check = (seen: Seen) => boolean;

export type Language = 'python' | 'go' | 'node';

/** A program or library of somebody else that talks to the server. */
export interface Client {
  /** As its registry calls it. */
  name: string;
  language: Language;
  does: string;
  /** Whether it speaks HTTPS and nothing else. */
  needsTls?: true;
  /** What has to be seen, by what it shows; where nothing is said here, every step has to succeed. */
  checks?: Readonly<Record<string, Check>>;
  /** Checks that do not hold against any server of the protocol, and what about the client makes it so. */
  ownFaults?: Readonly<Record<string, string>>;
}

/** The accounts that a driver is told of. */
export type Accounts = Readonly<Record<'owner' | 'alice' | 'carol' | 'bot', DemoUser>>;

/** The channel in which clients meet the account that looks at what they do. */
export const channelName = 'programs';

/** What that account says, to clients that listen. */
export const heardWords = 'Is anybody there?';

export const has = (messages: readonly SeenMessage[], content: string): boolean =>
  messages.some((message) => message.content === content);

export const isLiked = (messages: readonly SeenMessage[], content: string, emoji = 'tada'): boolean =>
  messages.some(
    (one) => one.content === content && one.reactions.some((reaction) => reaction.emoji_name === emoji),
  );

/** Whether a list or text that a driver returned has something in it. */
export const includes = (said: Json, part: string): boolean =>
  (Array.isArray(said) || typeof said === 'string') && said.includes(part);
