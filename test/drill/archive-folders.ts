import { chmod, copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { Kept } from './backup-tool.ts';

/** Makes folders in the archive in which the user of the server writes, who may be another one. */
export async function makeFolders(archive: string, names: readonly string[]): Promise<void> {
  for (const folder of [archive, ...names.map((name) => join(archive, name))]) {
    await mkdir(folder, { recursive: true });
    await chmod(folder, 0o777);
  }
}

/** Copies a script to where the user of the server can run it, who may not enter the checkout. Returns its path there. */
export async function provideScript(archive: string, name: string): Promise<string> {
  const path = join(archive, name);
  await copyFile(new URL(`../../drill/${name}`, import.meta.url), path);
  await chmod(path, 0o755);
  return path;
}

export const filesIn = (archive: string) => join(archive, 'files');

/** The command that archives files, with which an archive command begins. */
export async function provideFilesCommand({ uploads, archive }: Kept): Promise<string> {
  await makeFolders(archive, ['files']);
  return `'${await provideScript(archive, 'archive-files.sh')}' '${uploads}' '${filesIn(archive)}'`;
}

/** The longest that something waits for the rest of a segment before it is archived, in seconds. */
const segmentSeconds = 3;

export const archiveBy = (command: string): Record<string, string> => ({
  archive_mode: 'on',
  archive_command: command,
  archive_timeout: `${segmentSeconds}`,
});
