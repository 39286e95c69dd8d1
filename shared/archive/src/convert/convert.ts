import { join } from 'node:path';

import { makeWorkFolder, removeLeftFolders } from '@parley/kit';
import type { ImportSource } from '@parley/protocol';

import { inSmallHeap } from '../heap.ts';
import { refused } from '../read/refused.ts';
import { GivenFiles } from './given-files.ts';
import { mattermost } from './mattermost/mattermost.ts';
import { Organization } from './organization.ts';
import { placesOf } from './places.ts';
import { type ConversionReport, Tally } from './report.ts';
import { rocketChat } from './rocket-chat/rocket-chat.ts';
import { slack } from './slack/slack.ts';
import type { Source } from './source.ts';
import { writeOrganization } from './write-organization.ts';
import { convertZulip } from './zulip/zulip.ts';

/** An export of Zulip is no `Source`: its tables are translated one by one. */
const sources: Readonly<Record<Exclude<ImportSource, 'parley' | 'zulip'>, Source>> = {
  slack,
  mattermost,
  rocketchat: rocketChat,
};

/** How far a conversion is. Of reading, `done` counts files of the archive; of writing, messages. */
export interface ConversionProgress {
  phase: 'reading' | 'writing';
  messages: number;
  done: number;
  of: number;
}

export interface ConvertOptions {
  archive: string;
  from: Exclude<ImportSource, 'parley'>;
  /** A folder with files that were downloaded from the product. */
  files?: string | undefined;
  readonly onProgress?: ((progress: ConversionProgress) => void) | undefined;
}

/** An archive of this product that was made of another's. Its file is removed when it is disposed of. */
interface Conversion extends AsyncDisposable {
  file: string;
  report: ConversionReport;
}

/** Reads an archive of another product and says what would become of it. Nothing is written. */
export async function planConversion(options: ConvertOptions): Promise<ConversionReport> {
  await removeLeftFolders();
  return await inSmallHeap(() => plan(options));
}

async function plan({ archive, from, files, onProgress }: ConvertOptions): Promise<ConversionReport> {
  const tally = new Tally(from);
  if (from === 'zulip') {
    await using folder = await makeWorkFolder('convert');
    await convertZulip({
      archive,
      folder: folder.path,
      file: null,
      name: 'plan',
      tally,
      onProgress: reading(onProgress),
    });
    return tally.report();
  }
  const source = sources[from];
  const organization = new Organization({ tally, domain: source.domain, folder: null });
  const given = await GivenFiles.read(files);
  using _ = await source.read({
    archive,
    organization,
    given,
    onProgress: reading(onProgress),
  });
  organization.settle();
  // Conflicts between names are found by giving them.
  placesOf(organization);
  return tally.report();
}

/**
 * Writes an archive of this product that has what an archive of another has. Memory holds people, channels, the names of
 * threads and some messages; the rest lies in a folder for temporary files.
 *
 * @throws ArchiveRefused for what cannot be read
 */
export async function convertArchive(options: ConvertOptions & { name: string }): Promise<Conversion> {
  await removeLeftFolders();
  return await inSmallHeap(() => convert(options));
}

async function convert({
  archive,
  from,
  files,
  name,
  onProgress,
}: ConvertOptions & { name: string }): Promise<Conversion> {
  const tally = new Tally(from);
  const made = await makeWorkFolder('convert');
  const folder = made.path;
  const remove = async () => await made[Symbol.asyncDispose]();
  const file = join(folder, 'archive.tar.gz');
  try {
    if (from === 'zulip') {
      await convertZulip({ archive, folder, file, name, tally, onProgress: reading(onProgress) });
      return { file, report: tally.report(), [Symbol.asyncDispose]: remove };
    }
    const source = sources[from];
    const { domain, client } = source;
    const organization = new Organization({ tally, domain, folder });
    const given = await GivenFiles.read(files);
    using opened = await source.read({
      archive,
      organization,
      given,
      onProgress: reading(onProgress),
    });
    organization.settle();
    const of = organization.messageCount;
    if (of === 0) throw refused('no_messages');
    const onMessages = (done: number) => onProgress?.({ phase: 'writing', messages: done, done, of });
    const { openFile } = opened;
    await writeOrganization(organization, {
      folder,
      file,
      name,
      displayName: name,
      client,
      domain,
      openFile,
      onMessages,
    });
    return { file, report: tally.report(), [Symbol.asyncDispose]: remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

const reading = (onProgress: ConvertOptions['onProgress']) => (progress: Omit<ConversionProgress, 'phase'>) =>
  onProgress?.({ phase: 'reading', ...progress });
