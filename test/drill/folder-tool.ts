import { cp } from 'node:fs/promises';
import { join } from 'node:path';

import { copyForArchive, layOutArchived } from '@parley/infra';

import { archiveBy, filesIn, makeFolders, provideFilesCommand, provideScript } from './archive-folders.ts';
import type { BackupTool, Kept } from './backup-tool.ts';

/** Archives into a folder with what every system has: the functions of Postgres and a shell. */
export async function createFolderTool(kept: Kept): Promise<BackupTool> {
  const { postgres, archive } = kept;
  const [base, wal] = [join(archive, 'base'), join(archive, 'wal')];
  await makeFolders(archive, ['wal']);
  const segment = `'${await provideScript(archive, 'archive-segment.sh')}' '${wal}' '%p' '%f'`;
  const reads = { restore_command: `cp '${wal}/%f' '%p'` };
  return {
    name: 'folder',
    settings: archiveBy(`${await provideFilesCommand(kept)} && ${segment}`),
    backUp: () => copyForArchive(postgres.url, base),
    layOut: (data, { isApart, until }) =>
      layOutArchived(base, data, {
        ...reads,
        ...(until === undefined ? {} : { recovery_target_time: until, recovery_target_action: 'promote' }),
        ...(isApart ? { archive_mode: 'off', recovery_target_timeline: '1' } : {}),
      }),
    layOutFiles: (to) => cp(filesIn(archive), to, { recursive: true, preserveTimestamps: true }),
  };
}
