import { setMaxListeners } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { Cluster } from '@parley/infra';
import { pause } from '@parley/kit';

import { runImport } from '../import-archives/command.ts';
import { products } from '../import-archives/products.ts';
import { watchMemory } from './attacks/memory.ts';
import type { AttackReport } from './attacks/run-attacks.ts';
import type { Organization } from './organizations.ts';
import type { Tally } from './tally.ts';

interface Importing {
  cluster: Cluster;
  /** The folder of the cluster. */
  dir: string;
  organization: Organization;
  tally: Tally;
  say: (line: string) => void;
}

/**
 * Lets others go on in calm for so many seconds, and then while an archive of Slack with so many messages comes into their
 * organization, however long that takes.
 *
 * @throws Error if the archive is not imported
 */
export async function importArchive(
  { messages, seconds }: { messages: number; seconds: number },
  { cluster, dir, organization, tally, say }: Importing,
): Promise<AttackReport[]> {
  const folder = join(dir, 'archive');
  await mkdir(folder);
  const product = products.find(({ source }) => source === 'slack');
  if (!product) throw new Error('No archives of Slack can be made.');
  const { file } = await product.large(folder, messages);
  const env = {
    DATABASE_URL: cluster.postgres.url,
    REDIS_URL: cluster.redis.url,
    PARLEY_SECRET: cluster.secret,
    UPLOADS_DIR: join(dir, 'uploads'),
  };
  const calm = await during('calm', () => pause(seconds * 1000));
  say(`An archive of Slack with ${messages} messages is imported …`);
  const importing = await during('import', async () => {
    const run = await runImport({ archive: file, into: organization.name, env });
    if (run.code !== 0) throw new Error(`The archive was not imported: ${run.stderr}`);
    say(`Imported in ${run.seconds.toFixed(1)} s.`);
  });
  await rm(folder, { recursive: true });
  return [calm, importing];

  async function during(name: string, work: () => Promise<void>): Promise<AttackReport> {
    const stopping = new AbortController();
    setMaxListeners(0, stopping.signal);
    const watching = watchMemory(cluster.nodes, stopping.signal);
    tally.beginPart(name);
    await work().finally(() => stopping.abort());
    return { attack: name, answered: {}, memory: await watching, ...tally.part(name) };
  }
}
