import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { startCluster } from '@parley/infra';

import { openSql } from '../upgrade/fill-archive.ts';
import { parley } from './parley.ts';
import { type Verified, verifyFiles } from './verify-files.ts';

const realms = { taken: 'demo', brought: 'brought-back' };

export interface BroughtBack {
  /** Messages of the organization in the copy, and whether the imported one has the same. */
  messages: number;
  isSame: boolean;
  /** Files of the deployment with both, which the command compares with their rows. */
  verified: Verified;
}

interface Copy {
  /** Folder of the deployment that is real. */
  dir: string;
  databaseUrl: string;
  /** The database that was restored beside it. */
  copyUrl: string;
  readonly layOutFiles: (uploads: string) => Promise<void>;
}

/** Takes one organization out of a restored copy, and imports it beside what there is, as docs/backup.md says. */
export async function bringBack({ dir, databaseUrl, copyUrl, layOutFiles }: Copy): Promise<BroughtBack> {
  const copy = join(dir, 'copy');
  await mkdir(copy);
  await copyFile(join(dir, 'secret'), join(copy, 'secret'));
  await layOutFiles(join(copy, 'uploads'));
  const file = join(dir, 'organization.tar.gz');
  {
    // It has a Redis of its own, and no way to send anything.
    await using _ = await startCluster({
      dir: copy,
      databaseUrl: copyUrl,
      api: 1,
      queue: 1,
      worker: 1,
      env: { LOG_LEVEL: 'warn' },
      say: () => {},
    });
    await parley(copy, 'export', file, '--realm', realms.taken);
  }
  await parley(dir, 'import', file, '--name', realms.brought);
  const [taken, brought] = await Promise.all([
    readMessages(copyUrl, realms.taken),
    readMessages(databaseUrl, realms.brought),
  ]);
  return {
    messages: taken.messages,
    isSame: taken.messages === brought.messages && taken.digest === brought.digest,
    verified: await verifyFiles(dir),
  };
}

/** Counts messages, and reads those of the clients. The others mention people, who have other ids where they come. */
async function readMessages(url: string, realm: string): Promise<{ messages: number; digest: string }> {
  const sql = openSql(url);
  const [row] = await sql<{ messages: number; digest: string }[]>`
    select count(*)::int as messages,
      coalesce(md5(string_agg(m.content, ',' order by m.id) filter (where m.content ~ '^number [0-9]+$')), '') as digest
    from messages m join realms r on r.id = m.realm_id where r.name = ${realm}`;
  await sql.end({ timeout: 5 });
  return row ?? { messages: 0, digest: '' };
}
