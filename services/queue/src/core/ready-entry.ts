import {
  type EntryAudience,
  type PublishedEphemeral,
  type Entry,
  type EventFamily,
  type LogEvent,
  type NodeValues,
  type events,
} from '@parley/protocol';
import type { z } from 'zod';

import type { WireText } from './wire-text.ts';

type LoggedMessage = z.output<typeof events.message.schema>;

/**
 * A log entry, or an ephemeral event behind one. It was parsed once, when it arrived, and is rendered once for each kind
 * of client.
 */
export interface ReadyEntry {
  /** Of an ephemeral event, the seq of the entry before it. */
  readonly seq: number;
  /** The term in which it was written; of an ephemeral event nothing. */
  readonly term: string;
  /** The number of an ephemeral event; null of an entry. */
  readonly ephemeralNumber: number | null;
  /** How many entries before it leave it their ids. */
  readonly rooms: number;
  /** It leaves its ids to an entry behind it. */
  readonly isReserved: boolean;
  /** Differs from the key of every other entry of the realm. */
  readonly dedupeKey: number;
  readonly audience: EntryAudience;
  /** An audience whose members the event lists when it is rendered; null for most events. */
  readonly listed: number | null;
  readonly revokes: readonly number[];
  readonly event: LogEvent;
  /** Null when this node cannot read the event: nobody receives it, and cursors move past it. */
  family: EventFamily | null;
  /** Set for messages only: a narrow filters nothing else. */
  readonly message: LoggedMessage | null;
  /** About what it takes in memory: itself, the event's JSON and its renditions. By it rings are limited. */
  size: number;
  /** Receives what the size grows by while the entry is in a ring. */
  onGrowth: ((length: number) => void) | null;
  /** Renditions by kind of client, and by the types it asked for where an event may become several. */
  readonly renditions: Map<number | string, Rendition>;
  readonly onUnreadable: OnUnreadable;
  readonly values: NodeValues;
}

type OnUnreadable = (entry: { seq: number; event: LogEvent }, reason: unknown) => void;

/** What clients with one key are sent for an entry. */
export interface Rendition {
  /** The JSON of each event without its closing brace, before the queue's own fields. */
  readonly heads: readonly string[];
  /** Lines but for their ids, by the text of the queue's own fields. */
  readonly lines: Map<string, readonly WireText[]>;
}

/** Never throws: an event that it cannot read is reported, and becomes an entry that nobody receives. */
export interface EntryParser {
  readonly logged: (entry: Entry) => ReadyEntry;
  ephemeral(event: PublishedEphemeral): ReadyEntry;
}

type Unparsed = Pick<Entry, 'seq' | 'term' | 'audience' | 'revokes' | 'rooms' | 'event'> &
  Pick<ReadyEntry, 'ephemeralNumber' | 'dedupeKey'>;

const termsMax = 1000;
/** What an entry takes beside its texts. */
const entryBytes = 600;

export interface EntryParserDeps {
  families: ReadonlyMap<string, EventFamily>;
  onUnreadable: OnUnreadable;
  values: NodeValues;
}

export function createEntryParser({ families, onUnreadable, values }: EntryParserDeps): EntryParser {
  /** Nearly all entries have the same: it is kept once. */
  const terms = new Map<string, string>();
  const keptOnce = (term: string) => {
    const known = terms.get(term);
    if (known !== undefined) return known;
    if (terms.size >= termsMax) terms.clear();
    terms.set(term, term);
    return term;
  };

  const read = (entry: Unparsed): ReadyEntry => {
    const family = families.get(entry.event.type) ?? null;
    const parsed = family?.schema.safeParse(entry.event);
    if (!parsed?.success) onUnreadable(entry, parsed?.error ?? 'unknown type');
    const event = parsed?.success ? parsed.data : entry.event;
    const { subscribers_of: listed } = entry.event;
    return {
      seq: entry.seq,
      term: keptOnce(entry.term ?? ''),
      ephemeralNumber: entry.ephemeralNumber,
      rooms: entry.rooms ?? 0,
      isReserved: event.type === 'room' && 'reserved' in event && event.reserved === true,
      dedupeKey: entry.dedupeKey,
      audience: entry.audience,
      listed: typeof listed === 'number' ? listed : null,
      revokes: entry.revokes ?? [],
      event,
      family: parsed?.success ? family : null,
      message: parsed?.success && family?.type === 'message' ? asMessage(event) : null,
      size: entryBytes + JSON.stringify(event).length,
      onGrowth: null,
      renditions: new Map(),
      onUnreadable,
      values,
    };
  };
  return {
    logged: (entry) => read({ ephemeralNumber: null, dedupeKey: entry.seq, ...entry }),
    ephemeral: ({ after, n, users, event }) =>
      read({ seq: after, audience: { users }, event, ephemeralNumber: n, dedupeKey: -n }),
  };
}

// Safe: the schema of the family with that name has just parsed the event.
const asMessage = (event: { type: string }) => event as LoggedMessage;
