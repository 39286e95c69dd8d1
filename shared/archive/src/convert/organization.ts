import { limits } from '@parley/protocol';

import { refused } from '../read/refused.ts';
import type { ForeignChannel, ForeignMessage } from './foreign.ts';
import { People } from './people.ts';
import type { Tally } from './report.ts';
import { SortedSpool } from './sorted-spool.ts';

/** Places of an archive. They are in memory. */
const placesMax = 1_000_000;
/** Pictures of emoji are in memory, too. */
const emojiBytesMax = 64 * 1024 * 1024;

/** A picture of a custom emoji. */
export interface EmojiPicture {
  name: string;
  extension: string;
  content: Buffer;
}

/** An organization as it is found in the archive of another product. Its messages lie in a folder until they are written. */
export class Organization {
  readonly tally: Tally;
  readonly people: People;
  readonly channels = new Map<string, ForeignChannel>();
  /** The people of direct conversations. */
  readonly conversations = new Map<string, readonly string[]>();
  readonly emoji = new Map<string, EmojiPicture>();
  readonly messages: SortedSpool | null;
  #emojiBytes = 0;
  /** Direct conversations with messages. Others are not made. */
  readonly #used = new Set<string>();
  /** The time of its earliest message, or of what was made before. */
  createdAt = Infinity;
  /** The time of its latest message. */
  endedAt = 0;
  messageCount = 0;

  /** Without a folder, messages are counted and forgotten. */
  constructor({ tally, domain, folder }: { tally: Tally; domain: string; folder: string | null }) {
    this.tally = tally;
    this.people = new People(tally, domain);
    this.messages = folder === null ? null : new SortedSpool(folder);
  }

  addChannel(channel: ForeignChannel): void {
    this.#assertRoom();
    this.channels.set(channel.key, channel);
    this.createdAt = Math.min(this.createdAt, channel.createdAt ?? Infinity);
    this.tally.keep('channels');
  }

  addConversation(key: string, members: readonly string[]): void {
    this.#assertRoom();
    this.conversations.set(key, members);
  }

  /** Adds a custom emoji. All pictures together have a bounded size. */
  addEmoji(picture: EmojiPicture): void {
    const isTaken = this.emoji.has(picture.name);
    this.#emojiBytes += picture.content.length;
    if (isTaken || this.emoji.size >= limits.emojiPerRealm || this.#emojiBytes > emojiBytesMax) {
      return this.tally.leaveOut('emoji', isTaken ? 'emoji_name_taken' : 'emoji_max');
    }
    this.emoji.set(picture.name, picture);
    this.tally.keep('emoji');
  }

  /** Adds an account that the archive names and says nothing else of. */
  needPerson(key: string, { name, isBot = false }: { name?: string; isBot?: boolean } = {}): void {
    if (this.people.find(key)) return;
    this.people.add({ key, name: name ?? `Unknown ${key}`, isBot, isActive: isBot });
    if (!isBot && name === undefined) {
      this.tally.change('people', 'person_unknown');
    }
  }

  /** Adds a message. Whoever adds more than some waits for the answer. */
  addMessage(message: ForeignMessage): Promise<void> | undefined {
    this.needPerson(message.sender);
    this.createdAt = Math.min(this.createdAt, message.at);
    this.endedAt = Math.max(this.endedAt, message.at);
    this.tally.keep('messages');
    this.messageCount += 1;
    if (this.conversations.has(message.place) && !this.#used.has(message.place)) {
      this.#used.add(message.place);
      this.tally.keep('conversations');
    }
    for (const { users } of message.reactions ?? []) {
      this.tally.keep('reactions', users.length);
      for (const user of users) this.needPerson(user);
    }
    if (message.files) this.tally.keep('files', message.files.length);
    if (message.starredBy) this.tally.keep('stars', message.starredBy.length);
    for (const user of message.starredBy ?? []) this.needPerson(user);
    return this.messages?.add(message.at, JSON.stringify(message));
  }

  /** Ends the reading: all names and numbers are given. */
  settle(): void {
    for (const { creator, members } of this.channels.values()) {
      for (const key of creator === undefined ? members : [...members, creator]) this.needPerson(key);
    }
    this.people.settle();
  }

  #assertRoom(): void {
    if (this.channels.size + this.conversations.size >= placesMax) {
      throw refused('places_max', { count: placesMax });
    }
  }
}
