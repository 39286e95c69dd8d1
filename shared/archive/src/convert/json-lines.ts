import type { Readable } from 'node:stream';

import type { ArchivePlace } from '@parley/protocol';

import { readChunks } from '../read/entries.ts';
import { refused } from '../read/refused.ts';

/** The longest line that is read. One of a post with a thousand replies has a tenth of it. */
const lineBytesMax = 16 * 1024 * 1024;
const lineFeed = 10;

/** A line of a file with JSON in each line. */
interface JsonLine {
  value: unknown;
  number: number;
  /** How many bytes of the file have been read. */
  bytes: number;
}

/**
 * Yields what the lines of a file say. Empty lines are left out.
 *
 * @throws ArchiveRefused for a line that is too long, is no text or no JSON, naming the file and the line
 */
export async function* readJsonLines(path: string | undefined, content: Readable): AsyncGenerator<JsonLine> {
  let begun: Buffer[] = [];
  let [number, length, bytes] = [1, 0, 0];
  for await (const chunk of readChunks(content)) {
    bytes += chunk.length;
    let from = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, from)) {
      const value = parse({ path, line: number }, Buffer.concat([...begun, chunk.subarray(from, end)]));
      if (value !== undefined) yield { value, number, bytes };
      [begun, length, number, from] = [[], 0, number + 1, end + 1];
    }
    begun.push(chunk.subarray(from));
    length += chunk.length - from;
    if (length > lineBytesMax) throw tooLong({ path, line: number });
  }
  const value = parse({ path, line: number }, Buffer.concat(begun));
  if (value !== undefined) yield { value, number, bytes };
}

const tooLong = (place: ArchivePlace) => refused('too_long', { ...place, mebibytes: lineBytesMax / 2 ** 20 });

function parse(place: ArchivePlace, line: Buffer): unknown {
  if (line.length > lineBytesMax) throw tooLong(place);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(line);
  } catch {
    throw refused('not_text', place);
  }
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw refused('no_json', place);
  }
}
