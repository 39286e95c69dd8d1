import { type IdSet, createIdSet } from '@parley/db';
import { limits } from '@parley/protocol';

import { refused } from '../../read/refused.ts';
import type { ArchiveFileWriter } from '../../write/archive-file.ts';
import type { Row } from '../../write/part.ts';
import { type JsonTables, type RowBatch } from '../json-tables.ts';
import type { Json } from '../json.ts';
import { because } from '../reasons.ts';
import { shorten, timeText } from '../texts.ts';
import type { Directory } from './directory.ts';
import { uploadPathOf } from './files.ts';
import { type Change, Moves, changesOf, isResolving } from './history.ts';
import type { Conversation, Places } from './places.ts';
import { type ReadState, flagBits } from './read-state.ts';
import { idOf, isTrue, microsOf, textOf } from './values.ts';

const tablesOfMessages = [
  'messages',
  'message_flags',
  'message_edits',
  'reactions',
  'message_attachments',
] as const;
type TableOfMessages = (typeof tablesOfMessages)[number];

/** The most characters of rows in a part, and of the messages of a file. */
const partCharacters = 8 * 1024 * 1024;
const fileCharacters = 256 * 1024 * 1024;
const textLength = 2 * limits.messageLength;
/** The flags that have rows of their own. */
const rareBits =
  flagBits.starred |
  flagBits.collapsed |
  flagBits.mentioned |
  flagBits.groupMentioned |
  flagBits.topicMentioned |
  flagBits.alertWord;
/** What stands for a text that is empty. */
const emptyText = '(deleted)';

/** A message of the file that is being read. */
interface Sent {
  row: { id: number; mentions_channel: boolean };
  conversation: number;
  ordinal: number;
}

interface MessageOptions {
  directory: Directory;
  places: Places;
  state: ReadState;
  writer: ArchiveFileWriter;
  /** What messages were sent with, by its id. */
  clients: ReadonlyMap<number, string>;
  /** Whether the export has the file of a path. */
  readonly hasUpload: (path: string) => boolean;
}

/** Returns a text in which the addresses of uploads are those here. What the export lacks stays as it is. */
export function withUploads(text: string, hasUpload: (path: string) => boolean): string {
  if (!text.includes('user_uploads/')) return text;
  return text.replaceAll(
    /(user_uploads\/(?:thumbnail\/)?)([1-9]\d{0,9}(?:\/[\w-]{1,64}){1,3}\/[^\s/)"'<>\]]{1,160})/g,
    (whole, start: string, path: string) => {
      const own = uploadPathOf(path);
      return own !== undefined && hasUpload(path) ? `${start}${own}` : whole;
    },
  );
}

/** Reads the messages of an export in the order of their ids, and writes them with what belongs to each. */
export class MessageReader implements Disposable {
  readonly #options: MessageOptions;
  readonly #pending = new Map<TableOfMessages, Row[]>(tablesOfMessages.map((name) => [name, []]));
  readonly moves = new Moves();
  readonly ids: IdSet = createIdSet();
  #characters = 0;
  #edits = 0;
  #last = 0;
  count = 0;
  /** The time of the latest message. */
  endedAt = 0;

  constructor(options: MessageOptions) {
    this.#options = options;
  }

  [Symbol.dispose](): void {
    this.ids[Symbol.dispose]();
  }

  /** Reads a file of messages and of the flags that people have on them. */
  async read(tables: JsonTables): Promise<void> {
    const sent = new Map<number, Sent>();
    let characters = 0;
    for await (const batch of tables.rows('zerver_message')) {
      for (const [index, row] of batch.rows.entries()) {
        const message = await this.#addMessage(row, batch, index);
        if (message) sent.set(message.row.id, message);
        characters += textOf(row, 'content').length + 500;
        if (characters > fileCharacters) {
          throw refused('file_overfull', batch.where(index));
        }
      }
    }
    for await (const { rows } of tables.rows('zerver_usermessage')) {
      for (const row of rows) this.#addFlags(row, sent);
    }
    for (const { row } of sent.values()) this.#add('messages', row, row.id);
    await this.#endPart(false);
  }

  /** Adds a row that belongs to a message which was read. */
  async addBelonging(table: TableOfMessages, row: object, id: number | null): Promise<void> {
    this.#add(table, row, id);
    await this.#endPart(false);
  }

  async end(): Promise<void> {
    await this.#endPart(true);
  }

  async #addMessage(row: Json, { where }: RowBatch, index: number): Promise<Sent | undefined> {
    const { directory, places } = this.#options;
    const { tally } = directory;
    const [id, from] = [idOf(row, 'id'), idOf(row, 'sender')];
    if (id === undefined) throw refused('no_id', where(index));
    if (from === undefined) throw refused('no_sender', where(index));
    if (id <= this.#last) {
      throw refused('out_of_order', { ...where(index), id, last: this.#last });
    }
    this.#last = id;
    const at = microsOf(row['date_sent']);
    if (at === undefined) throw refused('no_time', where(index));
    tally.keep('messages');
    const sender = directory.need(from);
    const conversation = places.conversationOf(idOf(row, 'recipient'), sender);
    if (!conversation) {
      tally.drop('messages', 'no_place');
      return undefined;
    }
    conversation.ordinal += 1;
    this.count += 1;
    this.endedAt = Math.max(this.endedAt, at);
    this.ids.add(id);
    const { channel, ordinal } = conversation;
    const topic = textOf(row, 'subject');
    const topicId = channel === null ? null : await places.topic(channel, topic);
    const changes = changesOf(
      row['edit_history'],
      channel === null ? undefined : { channel, topic },
      textLength,
    );
    if (changes === undefined) tally.leaveOut('edits', 'edits_unreadable');
    for (const change of changes ?? []) this.#addChange(id, sender, change);
    this.#addMissed(conversation, id);
    const edited = changes?.findLast(({ before }) => before !== undefined)?.at;
    return {
      row: {
        id,
        realm_id: directory.realmId,
        conversation_id: conversation.id,
        ordinal,
        channel_id: channel,
        topic_id: topicId,
        sender_id: sender,
        sent_at: timeText(at),
        ...this.#content(row),
        client: this.#options.clients.get(idOf(row, 'sending_client') ?? 0) ?? 'Zulip',
        queue_id: null,
        local_id: null,
        read_by: [],
        unread_for: null,
        mentions_channel: false,
        edited_at: edited === undefined ? null : timeText(edited),
        previews_due_at: null,
      } as Sent['row'],
      conversation: conversation.id,
      ordinal,
    };
  }

  #content(row: Json): object {
    const { tally } = this.#options.directory;
    const given = textOf(row, 'content');
    const text = shorten(withUploads(given, this.#options.hasUpload) || emptyText, textLength);
    if (given === '') tally.change('messages', 'empty_text');
    else if (text.length < given.length - 100) {
      tally.change('messages', because('cut_off', { characters: textLength }));
    }
    return {
      content: text,
      rendered_content: '',
      rendered_version: 0,
      has_link: isTrue(row, 'has_link'),
      has_image: isTrue(row, 'has_image'),
      has_attachment: isTrue(row, 'has_attachment'),
    };
  }

  #addChange(id: number, sender: number, { at, user, before, moved }: Change): void {
    const { directory } = this.#options;
    const { tally, channels } = directory;
    const who = directory.need(user ?? sender);
    if (before !== undefined) {
      this.#edits += 1;
      tally.keep('edits');
      const row = { id: this.#edits, message_id: id, user_id: who, edited_at: timeText(at) };
      this.#add(
        'message_edits',
        { ...row, prev_content: withUploads(before, this.#options.hasUpload), prev_rendered_content: '' },
        this.#edits,
      );
    }
    if (!moved) return;
    if (channels.has(moved.from.channel) && channels.has(moved.to.channel)) {
      tally.keep('edits');
      this.moves.add(id, at, who, moved);
    } else tally.leaveOut('edits', 'moved_from_unknown');
  }

  /** Notes which of those who had been away long have missed what was sent to a channel from now on. */
  #addMissed({ id, channel, ordinal }: Conversation, message: number): void {
    const { directory, state } = this.#options;
    const idle = directory.idle.get(channel ?? 0) ?? [];
    for (let next = idle[0]; next !== undefined && next.since < message; [next] = idle) {
      state.missFrom(id, next.user, ordinal);
      idle.shift();
    }
  }

  #addFlags(row: Json, sent: ReadonlyMap<number, Sent>): void {
    const { directory, state } = this.#options;
    const [user, message] = [idOf(row, 'user_profile'), sent.get(idOf(row, 'message') ?? 0)];
    const mask = Number(row['flags_mask']);
    if (user === undefined || !message || !Number.isInteger(mask)) return;
    directory.need(user);
    const has = (bits: number) => (mask & bits) !== 0;
    if (has(flagBits.historical)) state.note(user);
    else state.add(message.conversation, message.ordinal, user, has(flagBits.read));
    if (has(flagBits.channelMentioned)) message.row.mentions_channel = true;
    if (!has(rareBits)) return;
    if (has(flagBits.starred)) directory.tally.keep('stars');
    this.#add(
      'message_flags',
      {
        user_id: user,
        message_id: message.row.id,
        starred: has(flagBits.starred),
        collapsed: has(flagBits.collapsed),
        mentioned: has(flagBits.mentioned | flagBits.groupMentioned),
        topic_wildcard_mentioned: has(flagBits.topicMentioned),
        has_alert_word: has(flagBits.alertWord),
      },
      null,
    );
  }

  #add(table: TableOfMessages, row: object, id: number | null): void {
    const text = JSON.stringify(row);
    this.#pending.get(table)?.push({ id, row: text });
    this.#characters += text.length;
  }

  async #endPart(isLast: boolean): Promise<void> {
    if (this.#characters < (isLast ? 1 : partCharacters)) return;
    await this.#options.writer.addPart(async (part) => {
      for (const [table, rows] of this.#pending) if (rows.length > 0) await part.addRows(table, inOne(rows));
    });
    for (const table of tablesOfMessages) this.#pending.set(table, []);
    this.#characters = 0;
  }

  /** Yields the rows of messages that were moved. */
  *moveRows(): Generator<object> {
    for (const [index, { at, user, moved, ids }] of this.moves.sorted.entries()) {
      const ranges = ids.flatMap((low, place) => (place % 2 === 0 ? [`[${low},${ids[place + 1]})`] : []));
      yield {
        id: index + 1,
        realm_id: this.#options.directory.realmId,
        user_id: user,
        moved_at: timeText(at),
        message_ids: `{${ranges.join(',')}}`,
        prev_channel_id: moved.from.channel,
        channel_id: moved.to.channel,
        prev_topic: moved.from.topic,
        topic: moved.to.topic,
        is_resolving: isResolving(moved),
      };
    }
  }
}

async function* inOne(rows: Row[]): AsyncGenerator<Row[]> {
  yield rows;
}
