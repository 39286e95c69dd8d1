import type * as model from '@parley/model';
import type { Role } from '@parley/protocol';

/** An account that an archive has and the organization does not. */
interface NewAccount {
  email: string;
  fullName: string;
  role: Role;
  isActive: boolean;
  isBot: boolean;
  /** Whose bot it is. */
  botOwnerId: number | null;
}

/** A channel that an archive has and the organization does not. */
interface NewChannel {
  name: string;
  description: string;
  isPrivate: boolean;
  sharesHistory: boolean;
}

/** Somebody's reaction to a message. */
export interface Reaction {
  userId: number;
  emoji: { name: string; code: string; type: model.emoji.ReactionType };
}

/** What makes an organization larger: by the same actions as through the API, so that clients hear of it. */
export interface Growth {
  /** Is called between pieces of work, with how long the last one took: others use the machine meanwhile. */
  readonly rest: (workedMs: number) => Promise<void>;
  /** @returns its id */
  createAccount(account: NewAccount): Promise<number>;
  /** @returns its id */
  createChannel(channel: NewChannel): Promise<number>;
  subscribe(channelId: number, userIds: readonly number[]): Promise<void>;
  archiveChannel(channelId: number): Promise<void>;
  /** Tells which message is the first one of a channel now. */
  refreshFirstMessage(channelId: number): Promise<void>;
  /** Gives an imported message the text of its source, if it has still the expected one. @returns whether it had */
  changeMessage(id: number, expected: string, content: string): Promise<boolean>;
  /** @returns whether it was still there, and could be deleted */
  removeMessage(id: number): Promise<boolean>;
  /** Gives an imported message a reaction that its source has, or takes away one that its source has no longer. */
  setReaction(messageId: number, reaction: Reaction, isThere: boolean): Promise<void>;
  createEmoji(emoji: { name: string; path: string; stillPath: string | null }): Promise<void>;
  /** @returns the id of the conversation of these people, whose ids are sorted */
  ensureDirectConversation(people: readonly number[]): Promise<number>;
}
