import { join } from 'node:path';

import { migrate } from '@parley/db';
import { type Cluster, type Say, startCluster, startPostgres } from '@parley/infra';

import { type ChaosRealm, createChaosRealm } from '../chaos/chaos-realm.ts';
import { type Links, createLinks } from '../chaos/links.ts';
import { nodeEnvironment } from '../chaos/node-environment.ts';
import { fillArchive } from '../upgrade/fill-archive.ts';
import { makeFolders } from './archive-folders.ts';
import type { Kept } from './backup-tool.ts';

export interface DeploymentOptions {
  dir: string;
  /** The major version of Postgres; any by default. */
  major: number | undefined;
  /** Messages that there are before. */
  messages: number;
  /** What is broken on purpose, if it is a guarantee of the nodes. */
  broken: string | undefined;
  /** Whether nodes can be led to another server of Postgres. */
  isMovable?: boolean;
  say: Say;
}

const memberCount = 12;

/** Runs a cluster with a history beside a server of Postgres that is the caller's, and ends both afterwards. */
export async function withDeployment<Result>(
  { dir, major, messages, broken, isMovable = false, say }: DeploymentOptions,
  work: (kept: Kept, cluster: Cluster, realm: ChaosRealm, links: Links | undefined) => Promise<Result>,
): Promise<Result> {
  const sockets = join(dir, 'sockets');
  await makeFolders(sockets, []);
  await using postgres = await startPostgres({
    dir: join(dir, 'server'),
    durable: true,
    major,
    sockets,
    say,
  });
  let realm: ChaosRealm | undefined;
  let links: Links | undefined;
  await using cluster = await startCluster({
    dir,
    databaseUrl: postgres.url,
    api: 1,
    queue: 1,
    worker: 1,
    envOf: (role, number) => links?.envOf(role, number) ?? {},
    env: nodeEnvironment(broken === 'fence' ? 'fence' : undefined),
    say: () => {},
    async prepare(servers) {
      if (isMovable) links = await createLinks(servers);
      await migrate(servers.databaseUrl);
      realm = await createChaosRealm(servers, { members: memberCount });
      const history = await createChaosRealm(servers, { name: 'history', members: 1 });
      await fillArchive(servers.databaseUrl, history, messages, say);
    },
  });
  if (!realm) throw new Error('The realm was not created.');
  const [uploads, archive] = [join(dir, 'uploads'), join(dir, 'archive')];
  try {
    return await work({ postgres, uploads, archive, sockets, say }, cluster, realm, links);
  } finally {
    await links?.[Symbol.asyncDispose]();
  }
}
