import { BoundedCache } from '@parley/kit';

import type { ReadyEntry, Rendition } from './ready-entry.ts';

/**
 * Renditions that are too long for a ring, of all entries of a process: those who hear of an entry do so at about the same
 * time, and making such a text for each of them takes milliseconds.
 */
export class LongRenditions {
  private readonly cache = new BoundedCache<string, Rendition>('longTexts', { bytesOf });
  private readonly numbers = new WeakMap<ReadyEntry, number>();
  private lastNumber = 0;

  get(entry: ReadyEntry, key: number | string): Rendition | undefined {
    const number = this.numbers.get(entry);
    return number === undefined ? undefined : this.cache.get(`${number} ${key}`);
  }

  /** Keeps a rendition, or counts it anew when it has got lines. */
  keep(entry: ReadyEntry, key: number | string, rendition: Rendition): void {
    const number = this.numbers.get(entry) ?? (this.lastNumber += 1);
    this.numbers.set(entry, number);
    const name = `${number} ${key}`;
    if (this.cache.peek(name) === rendition) this.cache.recount(name, rendition, bytesOf(rendition));
    else this.cache.set(name, rendition);
  }
}

/** A character of JSON may take two bytes; one of a line is one. */
function bytesOf({ heads, lines }: Rendition): number {
  const lengthOf = (texts: readonly string[]) => texts.reduce((sum, text) => sum + text.length, 0);
  return [...lines.values()].reduce((sum, texts) => sum + lengthOf(texts), 2 * lengthOf(heads));
}
