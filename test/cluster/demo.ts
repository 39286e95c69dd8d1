import { createDatabase } from '../support/database.ts';
import { type DemoCluster, type DemoOptions, startDemoCluster } from '../support/demo-cluster.ts';

/** A demo cluster over a database in the Postgres of the run: most of a start is that of a Postgres. */
export async function startDemo(options: Omit<DemoOptions, 'databaseUrl'> = {}): Promise<DemoCluster> {
  const database = await createDatabase();
  const demos = await startDemoCluster({ ...options, databaseUrl: database.url });
  return {
    ...demos,
    async [Symbol.asyncDispose]() {
      await demos[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}
