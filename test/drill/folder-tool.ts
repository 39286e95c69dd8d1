import { chmod, cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { copyForArchive, layOutArchived } from '@parley/infra';

import type { BackupTool, Kept } from './backup-tool.ts';

const script = new URL('../../drill/archive.sh', import.meta.url);
/** The longest that something waits for the rest of a segment before it is archived, in seconds. */
const segmentSeconds = 3;

/** Archives into a folder with what every system has: the functions of Postgres and a shell. */
export async function createFolderTool({ postgres, uploads, archive }: Kept): Promise<BackupTool> {
  const [base, wal, files] = ['base', 'wal', 'files'].map((name) => join(archive, name));
  if (!base || !wal || !files) throw new Error('There is no archive.');
  // The server's user writes here, who may be another one.
  for (const folder of [archive, wal, files]) {
    await mkdir(folder, { recursive: true });
    await chmod(folder, 0o777);
  }
  // That user may not enter the checkout.
  const program = join(archive, 'archive.sh');
  await writeFile(program, await readFile(script), { mode: 0o755 });
  const readsArchive = { restore_command: `cp '${wal}/%f' '%p'` };
  return {
    name: 'folder',
    settings: {
      archive_mode: 'on',
      archive_command: `${program} '${uploads}' '${archive}' '%p' '%f'`,
      archive_timeout: `${segmentSeconds}`,
    },
    backUp: () => copyForArchive(postgres.url, base),
    layOut: (data, isApart) =>
      layOutArchived(
        base,
        data,
        isApart ? { ...readsArchive, archive_mode: 'off', recovery_target_timeline: '1' } : readsArchive,
      ),
    layOutFiles: (to) => cp(files, to, { recursive: true, preserveTimestamps: true }),
  };
}
