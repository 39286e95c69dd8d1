import { chmod, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { migrate } from '@parley/db';
import {
  type Cluster,
  type DemoUser,
  foundObservatory,
  makeTiedFolder,
  seedDemo,
  startCluster,
} from '@parley/infra';

/** Two nodes of each kind, each a process, over a demo organization. */
export interface DemoCluster extends AsyncDisposable {
  cluster: Cluster;
  /** Somebody of the organization, by their full name. */
  readonly demo: (name: string) => DemoUser;
  /** Where its mails are written. */
  mailDir: string;
}

export interface DemoOptions {
  /** The moment at which its people are those of the observatory that `npm start` founds. */
  observatoryAt?: Date;
  /** Added to the environment of each node. */
  env?: NodeJS.ProcessEnv;
  /** An empty or migrated database; by default one in a Postgres of its own. */
  databaseUrl?: string;
}

export async function startDemoCluster({
  env = {},
  databaseUrl,
  observatoryAt,
}: DemoOptions = {}): Promise<DemoCluster> {
  const dir = await makeTiedFolder('parley-demo-');
  // Postgres does not run as root, and its own user has to get in.
  await chmod(dir, 0o755);
  let users: DemoUser[] = [];
  const cluster = await startCluster({
    dir,
    api: 2,
    queue: 2,
    worker: 1,
    durable: false,
    env,
    databaseUrl,
    say: () => undefined,
    async prepare(servers) {
      await migrate(servers.databaseUrl);
      ({ users } = await seedDemo(servers, observatoryAt !== undefined));
    },
  });
  if (observatoryAt) users = await foundObservatory(cluster, users, { nowMs: observatoryAt.getTime() });
  return {
    cluster,
    mailDir: join(dir, 'mail'),
    demo(name) {
      const user = users.find((one) => one.name === name);
      if (!user) throw new Error(`There is no ${name}.`);
      return user;
    },
    async [Symbol.asyncDispose]() {
      await cluster.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
