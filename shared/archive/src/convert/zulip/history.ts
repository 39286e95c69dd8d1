import { type Json, isObject } from '../json.ts';
import { cleanText, shorten } from '../texts.ts';
import { idOf, microsOf } from './values.ts';

/** Where a message is or was. */
export interface Where {
  channel: number;
  topic: string;
}

/** What became of a message. */
export interface Change {
  at: number;
  user: number | undefined;
  /** The text before, if that was changed. */
  before?: string;
  /** Where the message was, and where it came, if it was moved. */
  moved?: { from: Where; to: Where };
}

/** Entries of a history that are read. */
const entriesMax = 10_000;

/**
 * Returns what became of a message, the earliest change first. Its history is JSON in a text, the latest change first, and
 * says what was before each; what came after follows from the later ones. Undefined of what is no history.
 */
export function changesOf(history: unknown, now: Where | undefined, textMax: number): Change[] | undefined {
  if (typeof history !== 'string' || history === '') return [];
  let entries: unknown;
  try {
    entries = JSON.parse(history);
  } catch {
    return undefined;
  }
  if (!Array.isArray(entries) || entries.length > entriesMax) return undefined;
  const changes: Change[] = [];
  let to = now;
  for (const entry of entries.filter(isObject)) {
    const at = microsOf(entry['timestamp']);
    if (at === undefined) return undefined;
    const before = typeof entry['prev_content'] === 'string' ? cleanText(entry['prev_content']) : undefined;
    const from = to && placeBefore(entry, to);
    changes.push({
      at,
      user: idOf(entry, 'user_id'),
      ...(before !== undefined && before !== '' && { before: shorten(before, textMax) }),
      ...(from && to && (from.channel !== to.channel || from.topic !== to.topic) && { moved: { from, to } }),
    });
    to = from;
  }
  return changes.reverse();
}

function placeBefore(entry: Json, after: Where): Where {
  const topic = entry['prev_topic'] ?? entry['prev_subject'];
  return {
    channel: idOf(entry, 'prev_stream') ?? after.channel,
    topic: typeof topic === 'string' ? cleanText(topic) : after.topic,
  };
}

const resolvedPrefix = '✔ ';

/** Returns whether a move only marked a topic as resolved, or no longer so. */
export function isResolving({ from, to }: { from: Where; to: Where }): boolean {
  if (from.channel !== to.channel) return false;
  if (to.topic === resolvedPrefix + from.topic) return from.topic !== '';
  const isMarked = from.topic.startsWith(resolvedPrefix) && !to.topic.startsWith(resolvedPrefix);
  return isMarked && to.topic === from.topic.replace(/^[✔ ]+/, '');
}

/** A move of several messages, as it is written. */
interface Move {
  at: number;
  user: number;
  moved: { from: Where; to: Where };
  /** Ranges of ids, each of which begins with the first number and ends before the second. */
  ids: number[];
}

/** Collects the moves of messages: what was moved together is one. */
export class Moves {
  readonly #moves = new Map<string, Move>();

  add(id: number, at: number, user: number, moved: { from: Where; to: Where }): void {
    const key = JSON.stringify([at, user, moved.from, moved.to]);
    const known = this.#moves.get(key);
    if (!known) this.#moves.set(key, { at, user, moved, ids: [id, id + 1] });
    else if (known.ids.at(-1) === id) known.ids[known.ids.length - 1] = id + 1;
    else known.ids.push(id, id + 1);
  }

  get sorted(): readonly Move[] {
    return [...this.#moves.values()].sort((a, b) => a.at - b.at);
  }
}
