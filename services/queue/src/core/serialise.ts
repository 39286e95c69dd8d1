import type { Queue } from './queue.ts';
import type { ReadyEntry, Rendition } from './ready-entry.ts';
import { type WireText, toWire } from './wire-text.ts';

/** Where every queue has fields of its own, keeping each one's bytes would cost more than making them. */
const linesKeptMax = 16;

/**
 * The JSON of what one queue is sent for an entry, sub id by sub id. Rendered once for each kind of client; queues
 * that also agree in their own fields share the very same bytes.
 */
export function linesFor(entry: ReadyEntry, queue: Queue): readonly WireText[] {
  try {
    return render(entry, queue);
  } catch (error) {
    // A family that fails on its own event must not stop the log for everyone behind it.
    entry.family = null;
    entry.onUnreadable(entry, error);
    return [];
  }
}

function render(entry: ReadyEntry, queue: Queue): readonly WireText[] {
  const rendition = entry.renditions.get(renditionKey(entry, queue)) ?? renderFor(entry, queue);
  const own = ownFields(entry, queue);
  const kept = rendition.lines.get(own);
  if (kept) return kept;
  const lines = rendition.heads.map((head, sub) => toWire(`${head}${own},"id":${entry.firstId + sub}}`));
  if (rendition.lines.size < linesKeptMax) rendition.lines.set(own, lines);
  return lines;
}

function renderFor(entry: ReadyEntry, queue: Queue): Rendition {
  const events = entry.family?.forClient(entry.event, queue.client, entry.secrets) ?? [];
  const heads = events
    .filter(({ type }) => !entry.family?.also || isAskedFor(queue, type))
    .map((event) => JSON.stringify(event).slice(0, -1));
  const rendition = { heads, lines: new Map() };
  entry.renditions.set(renditionKey(entry, queue), rendition);
  return rendition;
}

const isAskedFor = ({ eventTypes }: Queue, type: string) => eventTypes === null || eventTypes.includes(type);

function renditionKey({ family }: ReadyEntry, queue: Queue): number | string {
  if (!family?.also || queue.eventTypes === null) return queue.clientKey;
  const asked = [family.type, ...family.also].filter((type) => isAskedFor(queue, type));
  return `${queue.clientKey} ${asked.join(' ')}`;
}

/** Families give equal queues the same object. */
let lastOwn: object | null = null;
let lastText = '';

function ownFields({ family, event }: ReadyEntry, queue: Queue): string {
  if (!family?.forQueue) return '';
  const own = family.forQueue(event, queue);
  if (own === lastOwn) return lastText;
  const fields = JSON.stringify(own);
  const text = fields === '{}' ? '' : `,${fields.slice(1, -1)}`;
  [lastOwn, lastText] = [own, text];
  return text;
}
