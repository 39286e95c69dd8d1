import {
  type EntryAudience,
  type CarriedEphemeral,
  type Entry,
  type EventFamily,
  ID_STEP,
  type LogEvent,
  type NodeSecrets,
  ephemeralId,
  type events,
} from '@parley/protocol';
import type { z } from 'zod';

import type { WireText } from './wire-text.ts';

type LoggedMessage = z.output<typeof events.message.schema>;

/**
 * A log entry, or an ephemeral event behind one, that was checked once, on arrival, and is rendered once for each kind
 * of client.
 */
export interface ReadyEntry {
  readonly seq: number;
  /** Wire id of the first event that it expands to. */
  readonly firstId: number;
  /** No other entry of the realm has it. */
  readonly mark: number;
  readonly audience: EntryAudience;
  readonly revokes: readonly number[];
  readonly event: LogEvent;
  /** Null when this node does not know the type or the shape: nobody hears the entry, cursors pass it. */
  family: EventFamily | null;
  /** Set for messages only, which alone can be narrowed. */
  readonly message: LoggedMessage | null;
  /** Length of the event's JSON: what the ring accounts for. */
  readonly size: number;
  /** By kind of client, and by the types it asked for where an event may become several. */
  readonly renditions: Map<number | string, Rendition>;
  readonly onUnreadable: OnUnreadable;
  readonly secrets: NodeSecrets;
}

type OnUnreadable = (entry: { seq: number; event: LogEvent }, reason: unknown) => void;

/** What clients with one key are sent for an entry, before and with the fields that queues differ in. */
export interface Rendition {
  /** The JSON of each event, without its closing brace. */
  readonly heads: readonly string[];
  /** Finished lines, by the text of the queue's own fields. */
  readonly lines: Map<string, readonly WireText[]>;
}

/** Never throws: what it cannot read becomes an entry that nobody hears, and is reported. */
export interface EntryReader {
  logged(entry: Entry): ReadyEntry;
  ephemeral(event: CarriedEphemeral): ReadyEntry;
}

type Read = Pick<Entry, 'seq' | 'audience' | 'revokes' | 'event'> & Pick<ReadyEntry, 'firstId' | 'mark'>;

export interface EntryReaderNeeds {
  families: ReadonlyMap<string, EventFamily>;
  onUnreadable: OnUnreadable;
  secrets: NodeSecrets;
}

export function createEntryReader({ families, onUnreadable, secrets }: EntryReaderNeeds): EntryReader {
  const read = (entry: Read): ReadyEntry => {
    const family = families.get(entry.event.type) ?? null;
    const parsed = family?.schema.safeParse(entry.event);
    if (!parsed?.success) onUnreadable(entry, parsed?.error ?? 'unknown type');
    const event = parsed?.success ? parsed.data : entry.event;
    return {
      seq: entry.seq,
      firstId: entry.firstId,
      mark: entry.mark,
      audience: entry.audience,
      revokes: entry.revokes ?? [],
      event,
      family: parsed?.success ? family : null,
      message: parsed?.success && family?.type === 'message' ? asMessage(event) : null,
      size: JSON.stringify(event).length,
      renditions: new Map(),
      onUnreadable,
      secrets,
    };
  };
  return {
    logged: (entry) => read({ ...entry, firstId: entry.seq * ID_STEP, mark: entry.seq }),
    ephemeral: ({ after, n, users, event }) =>
      read({ seq: after, audience: { users }, event, firstId: ephemeralId({ after, n }), mark: -n }),
  };
}

// Safe: called with what the family of that name has just parsed.
const asMessage = (event: { type: string }) => event as LoggedMessage;
