import { limits } from '@parley/protocol';

import type { Organization } from './organization.ts';
import type { Account } from './people.ts';
import { type Place, membersConversationId } from './place-rows.ts';
import { because } from './reasons.ts';
import type { RowSpool } from './row-spool.ts';
import { UniqueNames, channelName, topicName } from './texts.ts';

/** Where messages are, with the number of those that are there. */
interface Conversation {
  id: number;
  ordinal: number;
}

export interface WrittenChannel extends Place {
  /** Those who are subscribed to it. */
  members: ReadonlySet<number>;
  topicNames: UniqueNames;
  conversation: Conversation;
}

interface DirectConversation extends Conversation {
  people: readonly number[];
}

/** Gives all channels of an organization their numbers and names, and notes those that had one name. */
export const placesOf = (organization: Organization): Places => new Places(organization);

/** Gives channels, topics and direct conversations their numbers and names. */
class Places {
  readonly #organization: Organization;
  readonly #topics = new Map<string, number>();
  readonly #direct = new Map<string, DirectConversation>();
  readonly channels = new Map<string, WrittenChannel>();
  #lastConversation: number = membersConversationId;

  constructor(organization: Organization) {
    this.#organization = organization;
    this.#nameChannels();
  }

  #nameChannels(): void {
    const names = new UniqueNames();
    const { tally, people, channels } = this.#organization;
    let id = 0;
    for (const channel of channels.values()) {
      id += 1;
      const wanted = channelName(channel.name, channel.key);
      const name = names.take(wanted, limits.channelNameLength);
      if (name !== wanted) tally.noteConflict(because('two_channels', { wanted, name }));
      if (name !== channel.name) tally.change('channels', 'renamed');
      const conversation = { id: this.#nextConversation(), ordinal: 0 };
      const members = channel.members.flatMap((key) => people.account(key)?.id ?? []);
      const creatorId = (channel.creator !== undefined && people.account(channel.creator)?.id) || null;
      const place = { id, conversationId: conversation.id, name, creatorId, conversation };
      this.channels.set(channel.key, { ...place, members: new Set(members), topicNames: new UniqueNames() });
    }
  }

  /** Returns the direct conversation of an archive as it is here: with the sender of a message. */
  direct(key: string, sender: Account): DirectConversation | undefined {
    const members = this.#organization.conversations.get(key);
    if (!members) return undefined;
    const { people, tally } = this.#organization;
    const ids = new Set(members.flatMap((member) => people.account(member)?.id ?? []));
    if (!ids.has(sender.id)) tally.change('messages', 'sender_had_left');
    return this.#directOf([...ids, sender.id]);
  }

  #directOf(ids: readonly number[]): DirectConversation | undefined {
    const people = [...new Set(ids)].sort((a, b) => a - b);
    if (people.length > limits.recipientsPerMessage + 1) return undefined;
    const key = people.join();
    const known = this.#direct.get(key);
    if (known) return known;
    const made = { id: this.#nextConversation(), ordinal: 0, people };
    this.#direct.set(key, made);
    return made;
  }

  /** Returns the direct conversations that have messages. */
  get directs(): readonly DirectConversation[] {
    return [...this.#direct.values()];
  }

  /** Returns the topic of a thread; that of what is in no thread has no name. */
  async topic(
    channel: WrittenChannel,
    thread: { key: string; title: string } | undefined,
    rows: RowSpool,
  ): Promise<number> {
    const key = `${channel.id} ${thread?.key ?? ''}`;
    const known = this.#topics.get(key);
    if (known !== undefined) return known;
    const id = this.#topics.size + 1;
    this.#topics.set(key, id);
    const name = thread ? channel.topicNames.take(topicName(thread.title, 'Thread'), limits.topicLength) : '';
    await rows.add({ id, channel_id: channel.id, name }, id);
    return id;
  }

  #nextConversation(): number {
    this.#lastConversation += 1;
    return this.#lastConversation;
  }
}
