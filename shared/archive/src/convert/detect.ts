import { stat } from 'node:fs/promises';

import type { ImportSource } from '@parley/protocol';

import { refused } from '../read/refused.ts';
import { beginsAsMattermost, mattermostLines } from './mattermost/mattermost.ts';
import { isDump } from './rocket-chat/collections.ts';
import { isDumpArchive } from './rocket-chat/dump-archive.ts';
import { listFolder } from './rocket-chat/dump.ts';
import { slackRoot } from './slack/days.ts';
import { isTar, readTarFiles, readUnpackedHead } from './tar-files.ts';
import { ZipFiles } from './zip-files.ts';
import { isZulipPath } from './zulip/zulip.ts';

/** With what a ZIP file begins. */
const zipBeginning = 'PK\u0003\u0004';

/**
 * Returns of which product an archive is, by what is in it; undefined if that cannot be told.
 *
 * @throws ArchiveRefused for a file that cannot be unpacked
 */
async function detectSource(archive: string): Promise<ImportSource | undefined> {
  if ((await stat(archive)).isDirectory()) {
    return isDump(await listFolder(archive)) ? 'rocketchat' : undefined;
  }
  const head = await readUnpackedHead(archive);
  if (isDumpArchive(head)) return 'rocketchat';
  if (isTar(head)) return await detectInTar(archive);
  if (!head.toString('latin1').startsWith(zipBeginning)) {
    return (await beginsAsMattermost(archive)) ? 'mattermost' : undefined;
  }
  using zip = await ZipFiles.open(archive);
  if (slackRoot(zip.paths) !== undefined) return 'slack';
  if (isDump(zip.paths)) return 'rocketchat';
  return mattermostLines(zip.paths) === undefined ? undefined : 'mattermost';
}

async function detectInTar(archive: string): Promise<ImportSource | undefined> {
  let isFirst = true;
  for await (const { path } of readTarFiles(archive)) {
    if (isFirst && path === 'manifest.json') return 'parley';
    isFirst = false;
    if (isDump([path])) return 'rocketchat';
    if (isZulipPath(path)) return 'zulip';
  }
  return undefined;
}

/**
 * Returns of which product an archive is: what is said of it, if nothing in it contradicts; undefined if nothing is said and
 * it cannot be told.
 *
 * @throws ArchiveRefused if it is of another product
 */
export async function chooseSource(
  archive: string,
  said: ImportSource | undefined,
): Promise<ImportSource | undefined> {
  const found = await detectSource(archive);
  if (said !== undefined && found !== undefined && said !== found) {
    throw refused('other_product', { found, said });
  }
  return said ?? found;
}
