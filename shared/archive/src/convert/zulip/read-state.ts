/** The bits of a user’s flags on a message. */
export const flagBits = {
  read: 1,
  starred: 2,
  collapsed: 4,
  mentioned: 8,
  channelMentioned: 16,
  topicMentioned: 32,
  groupMentioned: 64,
  alertWord: 512,
  historical: 1024,
  isDirect: 2048,
} as const;

/** Ranges of ordinals, in ascending order: each begins with the first number and ends before the second. */
type Ranges = number[];

/** What somebody received and read of a conversation. */
interface Marks {
  received: Ranges;
  read: Ranges;
}

function addTo(ranges: Ranges, ordinal: number): void {
  const last = ranges.length - 1;
  if (ranges[last] === ordinal) ranges[last] = ordinal + 1;
  else ranges.push(ordinal, ordinal + 1);
}

/** Returns ranges as Postgres writes them. With `from`, all numbers from there on belong to them. */
export function rangesText(ranges: Readonly<Ranges>, from = Infinity): string {
  const texts: string[] = [];
  for (let index = 0; index < ranges.length; index += 2) {
    const [low = 0, high = 0] = [ranges[index], ranges[index + 1]];
    if (high >= from) return `{${[...texts, `[${Math.min(low, from)},)`].join(',')}}`;
    texts.push(`[${low},${high})`);
  }
  return `{${[...texts, ...(from === Infinity ? [] : [`[${from},)`])].join(',')}}`;
}

/** What everybody received and read, by the conversation and the account. Messages come in ascending order. */
export class ReadState {
  readonly #conversations = new Map<number, Map<number, Marks>>();
  /** Accounts of which the archive says what they have read. */
  readonly #known = new Set<number>();
  readonly #missed = new Map<string, number>();

  add(conversation: number, ordinal: number, user: number, isRead: boolean): void {
    this.#known.add(user);
    const marks = this.#marksOf(conversation, user);
    addTo(marks.received, ordinal);
    if (isRead) addTo(marks.read, ordinal);
  }

  /** Notes that somebody who had been away long would have received all messages from one on, on coming back. */
  missFrom(conversation: number, user: number, ordinal: number): void {
    this.#missed.set(`${conversation} ${user}`, ordinal);
  }

  missedFrom(conversation: number, user: number): number | undefined {
    return this.#missed.get(`${conversation} ${user}`);
  }

  /** Notes that the archive says what somebody has read. */
  note(user: number): void {
    this.#known.add(user);
  }

  isKnown(user: number): boolean {
    return this.#known.has(user);
  }

  of(conversation: number): ReadonlyMap<number, Marks> {
    return this.#conversations.get(conversation) ?? new Map();
  }

  #marksOf(conversation: number, user: number): Marks {
    let users = this.#conversations.get(conversation);
    if (!users) {
      users = new Map();
      this.#conversations.set(conversation, users);
    }
    let marks = users.get(user);
    if (!marks) {
      marks = { received: [], read: [] };
      users.set(user, marks);
    }
    return marks;
  }
}
