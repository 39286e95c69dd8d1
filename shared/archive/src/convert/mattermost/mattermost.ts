import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';

import { refused } from '../../read/refused.ts';
import { readJsonLines } from '../json-lines.ts';
import { isObject } from '../json.ts';
import type { OpenArchive, ReadOptions, Source } from '../source.ts';
import { ZipFiles } from '../zip-files.ts';
import { LineReader } from './lines.ts';

/** Returns the file with the lines in a ZIP archive; undefined if this is no bulk export of Mattermost. */
export function mattermostLines(paths: Iterable<string>): string | undefined {
  return [...paths].filter((path) => /^[^/]+\.jsonl$/.test(path)).sort()[0];
}

/** Returns whether a file begins as a bulk export of Mattermost does. */
export async function beginsAsMattermost(archive: string): Promise<boolean> {
  await using file = await open(archive);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(512), 0, 512, 0);
  return /^\s*\{\s*"type"\s*:\s*"version"/.test(buffer.subarray(0, bytesRead).toString('latin1'));
}

async function read(options: ReadOptions): Promise<OpenArchive> {
  if (await beginsAsMattermost(options.archive)) {
    const { size } = await stat(options.archive);
    await readAll(options, { path: undefined, content: createReadStream(options.archive), bytes: size });
    return {
      openFile: (place) => Promise.reject(refused('file_missing', { path: place })),
      [Symbol.dispose]: () => undefined,
    };
  }
  const zip = await ZipFiles.open(options.archive);
  try {
    const path = mattermostLines(zip.paths) ?? '';
    const content = await zip.open(path);
    if (!content) throw refused('no_lines');
    await readAll(options, { path, content, bytes: zip.bytesOf(path) ?? 0 }, zip);
  } catch (error) {
    zip[Symbol.dispose]();
    throw error;
  }
  return {
    async openFile(place) {
      const content = await zip.open(place);
      if (!content) throw refused('file_missing', { path: place });
      return content;
    },
    [Symbol.dispose]: () => zip[Symbol.dispose](),
  };
}

async function readAll(
  { organization, onProgress }: ReadOptions,
  { path, content, bytes: of }: { path: string | undefined; content: Readable; bytes: number },
  zip?: ZipFiles,
): Promise<void> {
  const reader = new LineReader(organization, zip);
  let isFirst = true;
  for await (const { value, number, bytes } of readJsonLines(path, content)) {
    const where = { path, line: number };
    if (!isObject(value)) throw refused('no_object', where);
    if (isFirst && (value['type'] !== 'version' || value['version'] !== 1)) {
      throw refused('no_version', where);
    }
    isFirst = false;
    await reader.read(value, number, where);
    if (number % 500 === 0) onProgress({ messages: organization.messageCount, done: bytes, of });
  }
  if (isFirst) throw refused('no_lines');
  onProgress({ messages: organization.messageCount, done: of, of });
}

/** The bulk exports of Mattermost: a file with lines of JSON, alone or in a ZIP file with the files. */
export const mattermost: Source = {
  name: 'mattermost',
  domain: 'mattermost.invalid',
  client: 'Mattermost',
  read,
};
