import { open } from 'node:fs/promises';

import { ArchiveRefused } from '../read/damaged.ts';
import { readFiles } from '../read/entries.ts';
import { beginsAsMattermost, mattermostLines } from './mattermost/mattermost.ts';
import { slackRoot } from './slack/slack.ts';
import { ZipFiles } from './zip-files.ts';

/** The products of which archives are read, this one among them. */
export const sourceNames = ['parley', 'slack', 'mattermost'] as const;
export type SourceName = (typeof sourceNames)[number];

/** With what files begin. */
const beginnings = { zip: 'PK\u0003\u0004', gzip: '\u001F\u008B' } as const;

/**
 * Returns of which product an archive is, by what is in it; undefined if that cannot be told.
 *
 * @throws ArchiveRefused for a file that cannot be unpacked
 */
async function detectSource(archive: string): Promise<SourceName | undefined> {
  const head = await readHead(archive);
  if (head.startsWith(beginnings.gzip)) {
    for await (const { path } of readFiles(archive)) return path === 'manifest.json' ? 'parley' : undefined;
    return undefined;
  }
  if (!head.startsWith(beginnings.zip)) return (await beginsAsMattermost(archive)) ? 'mattermost' : undefined;
  using zip = await ZipFiles.open(archive);
  if (slackRoot(zip.paths) !== undefined) return 'slack';
  return mattermostLines(zip.paths) === undefined ? undefined : 'mattermost';
}

async function readHead(archive: string): Promise<string> {
  await using file = await open(archive);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(256), 0, 256, 0);
  return buffer.subarray(0, bytesRead).toString('latin1');
}

/**
 * Returns of which product an archive is: what is said of it, if nothing in it contradicts.
 *
 * @throws ArchiveRefused if it is of another product, or if that cannot be told
 */
export async function chooseSource(archive: string, said: SourceName | undefined): Promise<SourceName> {
  const found = await detectSource(archive);
  if (said !== undefined && found !== undefined && said !== found) {
    throw new ArchiveRefused(`This is an archive of ${found}, not of ${said}.`);
  }
  const source = said ?? found;
  if (source === undefined) {
    throw new ArchiveRefused(
      'It cannot be told from this file which product it comes from. Say so with --from.',
    );
  }
  return source;
}
