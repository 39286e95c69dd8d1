import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { dumpFiles, writeTar } from './dump.ts';
import { largeMattermostLines } from './mattermost-large.ts';
import { smallMattermostExport } from './mattermost-small.ts';
import { writeLargeDump } from './rocket-chat-large.ts';
import { smallRocketChatDatabase, smallRocketChatDownloads } from './rocket-chat-small.ts';
import { largeSlackExport } from './slack-large.ts';
import { smallSlackDownloads, smallSlackExport } from './slack-small.ts';
import { writeLazyTar } from './tar.ts';
import { jsonFiles, writeZip } from './zip.ts';
import { largeZulipExport } from './zulip-large.ts';
import { smallZulipExport, zulipFolders } from './zulip-small-files.ts';

/** An archive of another product that was made here. */
export interface Made {
  file: string;
  /** The folder with files that were downloaded. */
  files?: string | undefined;
  /** The messages that an import keeps. */
  kept: number;
}

interface Product {
  source: string;
  /** Makes an archive with everything that one can have, in a folder. */
  readonly small: (folder: string) => Promise<Made & { downloads: Readonly<Record<string, Buffer>> }>;
  /** Makes an archive with so many messages. */
  readonly large: (folder: string, messages: number) => Promise<Made>;
}

/** The products of which archives are made. */
export const products: readonly Product[] = [
  {
    source: 'slack',
    async small(folder) {
      const file = join(folder, 'small.zip');
      await writeZip(file, jsonFiles(smallSlackExport()));
      return { file, kept: 21, downloads: smallSlackDownloads };
    },
    async large(folder, messages) {
      const file = join(folder, 'large.zip');
      await writeZip(file, largeSlackExport(messages));
      return { file, kept: messages };
    },
  },
  {
    source: 'mattermost',
    async small(folder) {
      const file = join(folder, 'small.zip');
      await writeZip(file, smallMattermostExport());
      return { file, kept: 10, downloads: {} };
    },
    async large(folder, messages) {
      const file = join(folder, 'large.jsonl');
      await pipeline(Readable.from(largeMattermostLines(messages)), createWriteStream(file));
      return { file, kept: messages };
    },
  },
  {
    source: 'rocketchat',
    async small(folder) {
      const file = join(folder, 'small.tar.gz');
      await writeTar(file, dumpFiles(smallRocketChatDatabase));
      return { file, kept: 21, downloads: smallRocketChatDownloads };
    },
    async large(folder, messages) {
      const file = join(folder, 'large');
      await writeLargeDump(file, messages);
      return { file, kept: messages };
    },
  },
  {
    source: 'zulip',
    async small(folder) {
      const file = join(folder, 'small.tar.gz');
      await writeLazyTar(file, smallZulipExport(), zulipFolders);
      return { file, kept: 10, downloads: {} };
    },
    async large(folder, messages) {
      const file = join(folder, 'large.tar.gz');
      await writeLazyTar(file, largeZulipExport(messages));
      return { file, kept: messages };
    },
  },
];
