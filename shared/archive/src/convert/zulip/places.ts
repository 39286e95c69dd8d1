import { channelGroupSettings, limits } from '@parley/protocol';

import type { JsonTables } from '../json-tables.ts';
import type { Json } from '../json.ts';
import type { RowSpool } from '../row-spool.ts';
import { UniqueNames, channelName, shorten, topicName } from '../texts.ts';
import type { Directory } from './directory.ts';
import type { Groups } from './groups.ts';
import { rangesText, type ReadState } from './read-state.ts';
import { wordOf } from './settings.ts';
import { firstTime, idOf, isTrue, textOf, timeOf } from './values.ts';

/** Where messages are, with the number of those that are there. */
export interface Conversation {
  id: number;
  ordinal: number;
  channel: number | null;
  people: readonly number[] | null;
}

/** Returns what two names of topics have in common that are one topic, whatever the database’s language. */
const topicKey = (channel: number, name: string) =>
  `${channel} ${name.toLowerCase().replaceAll('i\u0307', 'i').replaceAll('ς', 'σ')}`;

/** The channels, topics and direct conversations of an export. Channels keep their ids. */
export class Places {
  readonly #directory: Directory;
  readonly #topics = new Map<string, number>();
  readonly #spool: RowSpool;
  readonly #ofChannels = new Map<number, Conversation>();
  readonly #direct = new Map<string, Conversation>();
  #last: number;
  readonly membersConversation: number;

  constructor(directory: Directory, spool: RowSpool) {
    this.#directory = directory;
    this.#spool = spool;
    for (const [id, recipient] of directory.recipients) {
      if (recipient.type !== 'channel') continue;
      const conversation = { id, ordinal: 0, channel: recipient.id, people: null };
      if (!this.#ofChannels.has(recipient.id)) this.#ofChannels.set(recipient.id, conversation);
    }
    this.#last = directory.greatestRecipient + 1;
    this.membersConversation = this.#last;
    for (const channel of directory.channels) {
      if (!this.#ofChannels.has(channel)) {
        this.#ofChannels.set(channel, { id: this.#next(), ordinal: 0, channel, people: null });
      }
    }
  }

  /** Returns the conversation that a message was sent to; undefined if the export does not have it. */
  conversationOf(recipient: number | undefined, sender: number): Conversation | undefined {
    const found = this.#directory.recipients.get(recipient ?? 0);
    if (!found) return undefined;
    if (found.type === 'group') return this.#directOf([...found.people, sender], recipient);
    return found.type === 'channel' ? this.#ofChannels.get(found.id) : this.#directOf([sender, found.id]);
  }

  /** Returns a topic of a channel. */
  async topic(channel: number, raw: string): Promise<number> {
    const name = raw === '' ? '' : topicName(raw, 'Topic');
    const key = topicKey(channel, name);
    const known = this.#topics.get(key);
    if (known !== undefined) return known;
    const id = this.#topics.size + 1;
    this.#topics.set(key, id);
    await this.#spool.add({ id, channel_id: channel, name }, id);
    return id;
  }

  get conversations(): readonly Conversation[] {
    return [...this.#ofChannels.values(), ...this.#direct.values()];
  }

  get directs(): readonly Conversation[] {
    return [...this.#direct.values()];
  }

  #directOf(people: readonly number[], wanted?: number): Conversation | undefined {
    const sorted = [...new Set(people)].sort((a, b) => a - b);
    if (sorted.length > limits.recipientsPerMessage + 1) return undefined;
    const key = sorted.join();
    const known = this.#direct.get(key);
    if (known) return known;
    for (const id of sorted) this.#directory.need(id);
    const made = { id: wanted ?? this.#next(), ordinal: 0, channel: null, people: sorted };
    this.#direct.set(key, made);
    this.#directory.tally.keep('conversations');
    return made;
  }

  #next(): number {
    this.#last += 1;
    return this.#last;
  }

  *conversationRows(): Generator<object> {
    const row = (id: number, people: readonly number[] | null) => ({
      id,
      realm_id: this.#directory.realmId,
      people,
    });
    yield row(this.membersConversation, null);
    for (const { id, people } of this.conversations) yield row(id, people);
  }

  *headRows(): Generator<object> {
    yield { conversation_id: this.membersConversation, ordinal: 0 };
    for (const { id, ordinal } of this.conversations) yield { conversation_id: id, ordinal };
  }

  conversationOfChannel(channel: number): Conversation | undefined {
    return this.#ofChannels.get(channel);
  }
}

interface ChannelOptions {
  tables: JsonTables;
  directory: Directory;
  groups: Groups;
  places: Places;
}

export async function* folderRows({ tables, directory }: ChannelOptions): AsyncGenerator<object> {
  for await (const { rows } of tables.rows('zerver_channelfolder')) {
    for (const row of rows) {
      const creator = idOf(row, 'creator');
      yield {
        id: idOf(row, 'id') ?? 0,
        realm_id: directory.realmId,
        name: textOf(row, 'name').trim(),
        description: textOf(row, 'description'),
        rendered_description: '',
        position: Number(row['order'] ?? 0),
        creator_id: creator !== undefined && directory.accounts.has(creator) ? creator : null,
        created_at: timeOf(row, 'date_created') ?? firstTime,
        is_archived: isTrue(row, 'is_archived'),
      };
    }
  }
}

export async function* channelRows(
  options: ChannelOptions,
  hasFolder: (id: number) => boolean,
): AsyncGenerator<object> {
  const { tables, directory } = options;
  const defaults = new Set<number>();
  for await (const { rows } of tables.rows('zerver_defaultstream')) {
    for (const row of rows) defaults.add(idOf(row, 'stream') ?? 0);
  }
  const names = new UniqueNames();
  for await (const { rows } of tables.rows('zerver_stream')) {
    for (const row of rows) {
      directory.tally.keep('channels');
      yield channelRow(row, options, { hasFolder, defaults, names });
    }
  }
}

function channelRow(
  row: Json,
  { directory, groups, places }: ChannelOptions,
  {
    hasFolder,
    defaults,
    names,
  }: { hasFolder: (id: number) => boolean; defaults: ReadonlySet<number>; names: UniqueNames },
): object {
  const id = idOf(row, 'id') ?? 0;
  const given = textOf(row, 'name');
  const name = names.take(channelName(given, `Channel ${id}`), limits.channelNameLength);
  if (name !== given) directory.tally.change('channels', 'renamed');
  const creator = idOf(row, 'creator');
  const isPrivate = isTrue(row, 'invite_only');
  const folder = idOf(row, 'folder');
  const days = row['message_retention_days'];
  return {
    id,
    realm_id: directory.realmId,
    conversation_id: places.conversationOfChannel(id)?.id,
    name,
    description: shorten(textOf(row, 'description'), limits.channelDescriptionLength),
    rendered_description: '',
    creator_id: creator !== undefined && directory.accounts.has(creator) ? creator : null,
    created_at: timeOf(row, 'date_created') ?? firstTime,
    is_private: isPrivate,
    is_web_public: isTrue(row, 'is_web_public') && !isPrivate,
    shares_history: !isPrivate || isTrue(row, 'history_public_to_subscribers', true),
    is_archived: isTrue(row, 'deactivated'),
    group_settings: groups.permissions(channelGroupSettings, row, creator),
    topics_policy: wordOf('topics_policy', row['topics_policy']) ?? 'inherit',
    message_retention_days: typeof days === 'number' ? days : null,
    folder_id: folder !== undefined && hasFolder(folder) ? folder : null,
    is_default: defaults.has(id),
    is_recently_active: isTrue(row, 'is_recently_active', true),
    weekly_traffic: null,
  };
}

const initialColor = '#c2c2c2';

/** Yields the rows of those who are or were in conversations, with what they received and read. */
export async function* memberRows(
  { tables, directory, places }: ChannelOptions,
  state: ReadState,
): AsyncGenerator<object> {
  const shared = new Map<number, boolean>();
  for await (const { rows } of tables.rows('zerver_stream')) {
    for (const row of rows) {
      const isShared = !isTrue(row, 'invite_only') || isTrue(row, 'history_public_to_subscribers', true);
      shared.set(idOf(row, 'id') ?? 0, isShared);
    }
  }
  const subscribed = new Map<number, Set<number>>();
  for await (const { rows } of tables.rows('zerver_subscription')) {
    for (const row of rows) {
      const [user, recipient] = [
        idOf(row, 'user_profile'),
        directory.recipients.get(idOf(row, 'recipient') ?? 0),
      ];
      if (recipient?.type !== 'channel' || user === undefined || !directory.accounts.has(user)) continue;
      const conversation = places.conversationOfChannel(recipient.id);
      if (!conversation) continue;
      const members = subscribed.get(conversation.id) ?? new Set();
      subscribed.set(conversation.id, members);
      if (members.has(user)) continue;
      members.add(user);
      yield { ...memberRow(conversation, user, state, row, shared.get(recipient.id)), ...choicesOf(row) };
    }
  }
  for (const conversation of places.conversations) {
    const { id, people } = conversation;
    for (const user of people ?? []) yield memberRow(conversation, user, state);
    if (people !== null) continue;
    for (const user of state.of(id).keys()) {
      if (subscribed.get(id)?.has(user) !== true) yield memberRow(conversation, user, state, {});
    }
  }
}

/** Returns the row of somebody in a direct conversation, or of a channel’s by a subscription that may be none. */
function memberRow(
  { id, ordinal }: Conversation,
  user: number,
  state: ReadState,
  subscription?: Json,
  isShared = true,
): object {
  const marks = state.of(id).get(user) ?? { received: [], read: [] };
  const isIn = subscription === undefined || isTrue(subscription, 'active');
  const [next, missed] = [ordinal + 1, state.missedFrom(id, user)];
  // Of whom the archive says nothing, everything counts as read, and nothing that only its readers may see was received.
  const isUnknown = isIn && !state.isKnown(user) && missed === undefined && isShared;
  return {
    conversation_id: id,
    user_id: user,
    is_subscribed: isIn,
    received: isUnknown ? '{[1,)}' : rangesText(marks.received, isIn ? (missed ?? next) : undefined),
    read: isUnknown && ordinal > 0 ? `{[1,${next})}` : rangesText(marks.read),
    color: initialColor,
    pin_to_top: false,
    is_muted: false,
    was_subscribed: subscription === undefined || subscription['recipient'] !== undefined,
    desktop_notifications: null,
    audible_notifications: null,
    push_notifications: null,
    email_notifications: null,
    wildcard_mentions_notify: null,
  };
}

function choicesOf(row: Json): object {
  const choice = (column: string) => (typeof row[column] === 'boolean' ? row[column] : null);
  const color = textOf(row, 'color').toLowerCase();
  return {
    color: /^#[0-9a-f]{6}$/.test(color) ? color : initialColor,
    pin_to_top: isTrue(row, 'pin_to_top'),
    is_muted: isTrue(row, 'is_muted'),
    desktop_notifications: choice('desktop_notifications'),
    audible_notifications: choice('audible_notifications'),
    push_notifications: choice('push_notifications'),
    email_notifications: choice('email_notifications'),
    wildcard_mentions_notify: choice('wildcard_mentions_notify'),
  };
}
