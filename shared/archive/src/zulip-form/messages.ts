import { createWriteStream, type WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';

import { SortedSpool } from '../convert/sorted-spool.ts';
import { flagBits } from '../convert/zulip/read-state.ts';
import { type Form, type Move, type Row, isIn, secondsOf } from './form.ts';

/** As many messages as Zulip puts into a file, and rows of flags that are in memory with them. */
const fileMax = { messages: 1000, flags: 100_000 };
/** The topic of direct messages there. */
const directTopic = '\u0007';

/** A message with what belongs to it. */
interface Whole {
  message: Row;
  flags: Map<number, Row>;
  edits: Row[];
}

/** Messages of an archive and what belongs to each, sorted by the message. */
export class MessageSpool {
  readonly #sorted: SortedSpool;

  constructor(folder: string) {
    this.#sorted = new SortedSpool(folder);
  }

  /** Adds a row of a table of messages. Those of one message come after it. */
  add(table: string, row: Row): Promise<void> | undefined {
    const id = Number(row[table === 'messages' ? 'id' : 'message_id']);
    return this.#sorted.add(id, JSON.stringify([table, row]));
  }

  async *read(): AsyncGenerator<Whole> {
    let whole: Whole | undefined;
    for await (const batch of this.#sorted.read()) {
      for (const { line } of batch) {
        // Safe: it is what was added.
        const [table, row] = JSON.parse(line) as [string, Row];
        if (table === 'messages') {
          if (whole) yield whole;
          whole = { message: row, flags: new Map(), edits: [] };
        } else if (table === 'message_flags') whole?.flags.set(Number(row['user_id']), row);
        else whole?.edits.push(row);
      }
    }
    if (whole) yield whole;
  }
}

/** Writes messages as files of Zulip. Yields the path of each file, which is `file` and is gone with the next one. */
export class MessageFiles {
  readonly #form: Form;
  /** Moves by the first message of each of their ranges. */
  readonly #waiting: { from: number; to: number; move: Move }[];
  #active: { from: number; to: number; move: Move }[] = [];
  #flagId = 0;
  count = 0;

  constructor(form: Form) {
    this.#form = form;
    this.#waiting = form.moves
      .flatMap((move) =>
        move.ranges.flatMap((from, index) =>
          index % 2 === 0 ? [{ from, to: move.ranges[index + 1] ?? from, move }] : [],
        ),
      )
      .sort((a, b) => b.from - a.from);
  }

  async *write(spool: MessageSpool, file: string): AsyncGenerator<number> {
    let [messages, flags]: [object[], object[]] = [[], []];
    let number = 0;
    for await (const whole of spool.read()) {
      messages.push(await this.#messageRow(whole));
      this.#addFlags(whole, flags);
      this.count += 1;
      if (messages.length < fileMax.messages && flags.length < fileMax.flags) continue;
      number += 1;
      await writeFile(file, messages, flags);
      [messages, flags] = [[], []];
      yield number;
    }
    if (messages.length === 0) return;
    await writeFile(file, messages, flags);
    yield number + 1;
  }

  async #messageRow({ message, edits }: Whole): Promise<object> {
    const form = this.#form;
    const [channel, sender] = [message['channel_id'], Number(message['sender_id'])];
    const people = form.conversations.get(Number(message['conversation_id'])) ?? [];
    const history = this.#historyOf(Number(message['id']), edits);
    return {
      id: message['id'],
      sender,
      recipient:
        channel === null
          ? await form.recipientOfPeople(people, sender)
          : form.channels.get(Number(channel))?.conversation,
      realm: form.realmId,
      type: 1,
      subject: channel === null ? directTopic : form.topics.get(Number(message['topic_id'])),
      content: message['content'],
      rendered_content: null,
      rendered_content_version: null,
      date_sent: secondsOf(message['sent_at']),
      sending_client: await form.client(String(message['client'])),
      last_edit_time: history[0]?.['timestamp'] ?? secondsOf(message['edited_at']),
      edit_history: history.length === 0 ? null : JSON.stringify(history),
      has_attachment: message['has_attachment'],
      has_image: message['has_image'],
      has_link: message['has_link'],
      is_channel_message: channel !== null,
    };
  }

  /** Returns what became of a message, the latest change first. */
  #historyOf(id: number, edits: readonly Row[]): Row[] {
    for (let next = this.#waiting.at(-1); next && next.from <= id; next = this.#waiting.at(-1)) {
      this.#active.push(next);
      this.#waiting.pop();
    }
    this.#active = this.#active.filter(({ to }) => to > id);
    const moved = this.#active.map(({ move: { entry } }) => ({
      user_id: entry['user_id'],
      timestamp: secondsOf(entry['moved_at']),
      ...(entry['prev_topic'] !== entry['topic'] && {
        prev_topic: entry['prev_topic'],
        topic: entry['topic'],
      }),
      ...(entry['prev_channel_id'] !== entry['channel_id'] && {
        prev_stream: entry['prev_channel_id'],
        stream: entry['channel_id'],
      }),
    }));
    const edited = edits.map((edit) => ({
      user_id: edit['user_id'],
      timestamp: secondsOf(edit['edited_at']),
      prev_content: edit['prev_content'],
      prev_rendered_content: '',
      prev_rendered_content_version: 1,
    }));
    return [...moved, ...edited].sort((a, b) => Number(b.timestamp) - Number(a.timestamp));
  }

  #addFlags({ message, flags }: Whole, rows: object[]): void {
    const ordinal = Number(message['ordinal']);
    const [readBy, unreadFor] = [message['read_by'], message['unread_for']].map((list) =>
      Array.isArray(list) ? new Set(list.map(Number)) : null,
    );
    const ofAll =
      (message['mentions_channel'] === true ? flagBits.channelMentioned : 0) |
      (message['channel_id'] === null ? flagBits.isDirect : 0);
    const left = new Map(flags);
    for (const { user, received, read } of this.#form.members.get(Number(message['conversation_id'])) ?? []) {
      if (!isIn(received, ordinal)) continue;
      const isUnread =
        !isIn(read, ordinal) && readBy?.has(user) !== true && (!unreadFor || unreadFor.has(user));
      const own = flags.get(user);
      left.delete(user);
      rows.push(this.#flagRow(message, user, (isUnread ? 0 : flagBits.read) | ofAll | maskOf(own)));
    }
    for (const [user, own] of left) {
      rows.push(this.#flagRow(message, user, flagBits.read | flagBits.historical | maskOf(own)));
    }
  }

  #flagRow(message: Row, user: number, mask: number): object {
    this.#flagId += 1;
    return { id: this.#flagId, user_profile: user, message: message['id'], flags_mask: mask };
  }
}

function maskOf(flags: Row | undefined): number {
  if (!flags) return 0;
  const bit = (column: string, mask: number) => (flags[column] === true ? mask : 0);
  return (
    bit('starred', flagBits.starred) |
    bit('collapsed', flagBits.collapsed) |
    bit('mentioned', flagBits.mentioned) |
    bit('topic_wildcard_mentioned', flagBits.topicMentioned) |
    bit('has_alert_word', flagBits.alertWord)
  );
}

async function writeFile(file: string, messages: readonly object[], flags: readonly object[]): Promise<void> {
  const stream: WriteStream = createWriteStream(file, { mode: 0o600 });
  const rows = (list: readonly object[]) => list.map((row) => JSON.stringify(row)).join(',\n');
  stream.write(`{\n"zerver_message": [\n${rows(messages)}\n],\n`);
  stream.end(`"zerver_usermessage": [\n${rows(flags)}\n]\n}\n`);
  await finished(stream);
}
