import { createHash } from 'node:crypto';

import type { TableFiles } from './table-files.ts';

/** A row of a table of ours, of an archive that was verified. */
export type Row = Readonly<Record<string, unknown>>;

/** Returns a time as a number of seconds. */
export function secondsOf(time: unknown): number | null {
  if (typeof time !== 'string') return null;
  const [, fraction = ''] = /\.(\d{1,6})/.exec(time) ?? [];
  return Math.floor(Date.parse(time) / 1000) + Number(`0.${fraction || '0'}`);
}

/** Somebody in a conversation, with the ranges of ordinals that they received and read. */
export interface Member {
  user: number;
  received: readonly number[];
  read: readonly number[];
}

/** Returns the ranges that Postgres writes, each as its first number and the one after its last. */
export const rangesOf = (text: unknown): number[] =>
  [...String(text).matchAll(/\[(\d+),(\d*)\)/g)].flatMap(([, from, to]) => [
    Number(from),
    to === '' ? Infinity : Number(to),
  ]);

export function isIn(ranges: readonly number[], ordinal: number): boolean {
  let [low, high] = [0, ranges.length / 2];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((ranges[2 * middle + 1] ?? 0) <= ordinal) low = middle + 1;
    else high = middle;
  }
  return 2 * low < ranges.length && (ranges[2 * low] ?? Infinity) <= ordinal;
}

/** A move of messages. */
export interface Move {
  ranges: readonly number[];
  entry: Row;
}

/** What rows of an archive refer to, while it is written in Zulip’s form. */
export class Form {
  realmId = 0;
  readonly tables: TableFiles;
  readonly attachmentTables: TableFiles;
  readonly counts = new Map<string, number>();
  readonly conversations = new Map<number, readonly number[] | null>();
  readonly channels = new Map<number, { conversation: number }>();
  readonly topics = new Map<number, string>();
  readonly topicChannels = new Map<number, number>();
  readonly members = new Map<number, Member[]>();
  readonly systemGroups = new Map<string, number>();
  readonly attachments = new Map<number, Row>();
  readonly attachmentMessages = new Map<number, number[]>();
  readonly scheduledUploads = new Map<number, number[]>();
  readonly emoji = new Map<string, string>();
  readonly avatars = new Map<string, number>();
  readonly pictures = new Map<string, string>();
  readonly moves: Move[] = [];
  #greatestGroup = 0;
  readonly #greatest: { conversation: number; user: number };
  /** Groups of people to whom something is to be sent, and who have no conversation yet. */
  readonly #peopleIds = new Map<string, number>();
  readonly #clients = new Map<string, number>();
  readonly #ids = new Map<string, number>();

  constructor(
    tables: TableFiles,
    attachmentTables: TableFiles,
    greatest: { conversation: number; user: number },
  ) {
    this.tables = tables;
    this.attachmentTables = attachmentTables;
    this.#greatest = greatest;
  }

  /** Counts rows that have no place in Zulip’s form. */
  leaveOut(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }

  /** Returns a number for a row that has none here. */
  nextId(table: string): number {
    const id = (this.#ids.get(table) ?? 0) + 1;
    this.#ids.set(table, id);
    return id;
  }

  noteGroup(id: number): void {
    this.#greatestGroup = Math.max(this.#greatestGroup, id);
  }

  nextGroup(): number {
    this.#greatestGroup += 1;
    return this.#greatestGroup;
  }

  /** Returns the recipient of an account. Those of channels and groups of people have the numbers of conversations. */
  recipientOf(user: number): number {
    return this.#greatest.conversation + user;
  }

  /** Returns the recipient of a message to people: their group, or the one who is not the sender. */
  async recipientOfPeople(people: readonly number[], sender: number): Promise<number> {
    const key = people.join();
    const known = this.#peopleIds.get(key);
    if (known !== undefined) return known;
    if (people.length <= 2) return this.recipientOf(people.find((one) => one !== sender) ?? sender);
    const { conversation, user } = this.#greatest;
    const id = conversation + user + this.#peopleIds.size + 1;
    await this.addPeople(id, people);
    return id;
  }

  /** Adds a group of people who write to each other. */
  async addPeople(id: number, people: readonly number[]): Promise<void> {
    this.#peopleIds.set(people.join(), id);
    const hash = createHash('sha1').update(people.join()).digest('hex');
    await this.tables.add('zerver_huddle', { id, huddle_hash: hash, recipient: id });
    await this.tables.add('zerver_recipient', { id, type: 3, type_id: id });
    for (const one of people) {
      await addSubscription(this, { user_profile: one, recipient: id, active: true, is_user_active: true });
    }
  }

  /** Returns the number of what is to be sent: messages and reminders are in one table there. */
  scheduledId(kind: 'message' | 'reminder', id: number): number {
    return 2 * id + Number(kind === 'reminder');
  }

  async client(name: string): Promise<number> {
    const known = this.#clients.get(name);
    if (known !== undefined) return known;
    const id = this.#clients.size + 1;
    this.#clients.set(name, id);
    await this.tables.add('zerver_client', { id, name });
    return id;
  }
}

/** Adds that somebody receives what is sent to a recipient. */
export async function addSubscription(form: Form, row: Row): Promise<void> {
  await form.tables.add('zerver_subscription', {
    id: form.nextId('zerver_subscription'),
    is_muted: false,
    color: '#c2c2c2',
    pin_to_top: false,
    desktop_notifications: null,
    audible_notifications: null,
    push_notifications: null,
    email_notifications: null,
    wildcard_mentions_notify: null,
    ...row,
  });
}
