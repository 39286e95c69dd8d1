import { withZulipNames } from '@parley/protocol';

import { badQueueId } from './bad-queue-id.ts';
import { LongRenditions } from './long-renditions.ts';
import type { Queue } from './queue.ts';
import type { ReadyEntry, Rendition } from './ready-entry.ts';
import { type WireText, toWire } from './wire-text.ts';

/** Where every queue has fields of its own, keeping each one's bytes would cost more than making them. */
const linesKeptMax = 16;
/** Kinds of clients whose renditions an entry keeps: there are a few in use, and anybody can invent more. */
const renditionsKeptMax = 8;
/** A ring holds more entries without longer texts than these. */
const keptLengthMax = 64 * 1024;

const longRenditions = new LongRenditions();

/**
 * Returns the JSON of the events that an entry becomes for a queue, up to their ids. It is rendered once for each kind
 * of client; queues that also agree in their own fields share the very same bytes.
 */
export function serialise(entry: ReadyEntry, queue: Queue): readonly WireText[] {
  try {
    return linesFor(entry, queue);
  } catch (error) {
    // A family that fails on its own event must not stop the log for everyone behind it.
    entry.family = null;
    entry.onUnreadable(entry, error);
    return [];
  }
}

function linesFor(entry: ReadyEntry, queue: Queue): readonly WireText[] {
  const key = renditionKey(entry, queue);
  const rendition =
    entry.renditions.get(key) ?? longRenditions.get(entry, key) ?? renderFor(entry, queue, key);
  const fields = ownFields(entry, queue);
  const kept = rendition.lines.get(fields);
  if (kept) return kept;
  const lines = rendition.heads.map((head) => toWire(`${head}${fields},"id":`));
  if (rendition.lines.size >= linesKeptMax) return lines;
  rendition.lines.set(fields, lines);
  if (!isShort(rendition.heads)) longRenditions.keep(entry, key, rendition);
  else if (entry.renditions.has(key)) grow(entry, lines);
  return lines;
}

function renderFor(entry: ReadyEntry, queue: Queue, key: number | string): Rendition {
  const events = entry.family?.forClient(entry.event, queue.client, entry.values) ?? [];
  const heads = events
    .filter(({ type }) => !entry.family?.also || isRequested(queue, type))
    .map((event) => jsonFor(event, queue).slice(0, -1));
  const rendition = { heads, lines: new Map() };
  if (!isShort(heads)) longRenditions.keep(entry, key, rendition);
  else if (entry.renditions.size < renditionsKeptMax) {
    entry.renditions.set(key, rendition);
    grow(entry, heads);
  }
  return rendition;
}

const isShort = (heads: readonly string[]) => heads.every(({ length }) => length <= keptLengthMax);

function jsonFor(event: object, { client }: Queue): string {
  const json = JSON.stringify(event);
  return client.zulip_extra_emoji ? withZulipNames(json) : json;
}

function grow(entry: ReadyEntry, texts: readonly string[]): void {
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  entry.size += length;
  entry.onGrowth?.(length);
}

/**
 * Returns the id of the first of an entry's events for a queue.
 *
 * @throws BAD_EVENT_QUEUE_ID if the entry has fewer ids than events: a node of a version before 0.9 appended it
 */
export function firstIdOf(entry: ReadyEntry, { id, ids }: Queue, count: number): number {
  const { seq, rooms, ephemeralNumber } = entry;
  const first =
    ephemeralNumber === null
      ? ids.firstOfEvents(seq, rooms, count)
      : ids.ephemeral({ after: seq, n: ephemeralNumber });
  if (first === null) throw badQueueId(id);
  return first;
}

const isRequested = ({ eventTypes }: Queue, type: string) => eventTypes === null || eventTypes.includes(type);

function renditionKey({ family }: ReadyEntry, queue: Queue): number | string {
  if (!family?.also || queue.eventTypes === null) return queue.clientKey;
  const requested = [family.type, ...family.also].filter((type) => isRequested(queue, type));
  return `${queue.clientKey} ${requested.join(' ')}`;
}

/** The last object and its text: families return the same object for queues with equal fields. */
let lastFields: object | null = null;
let lastText = '';

/** The text of the fields in which queues with the same client key differ. */
function ownFields({ family, event }: ReadyEntry, queue: Queue): string {
  if (!family?.forQueue) return '';
  const fields = family.forQueue(event, queue);
  if (fields === lastFields) return lastText;
  const json = JSON.stringify(fields);
  const text = json === '{}' ? '' : `,${json.slice(1, -1)}`;
  [lastFields, lastText] = [fields, text];
  return text;
}
