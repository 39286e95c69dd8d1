import { namespace, until } from './deployment.ts';
import { type Check, checkOverlay } from './steps.ts';

interface StatefulSet {
  spec: { replicas: number };
  status: { readyReplicas?: number };
}

const statefulSets = ['redis', 'sentinel'];
const budgets = `/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets`;

/** Postgres and Redis beside the nodes: the server takes what operators read, and the servers of Redis become ready. */
export async function checkStores(check: Check): Promise<void> {
  const { cluster, say } = check;
  await checkOverlay(check, 'stores');
  for (const name of statefulSets) {
    const path = `/apis/apps/v1/namespaces/${namespace}/statefulsets/${name}`;
    await until(`all of ${name} are ready`, async () => {
      const { spec, status } = await cluster.get<StatefulSet>(path);
      return status.readyReplicas === spec.replicas;
    });
    await until(`one of ${name} may go`, async () => {
      const { status } = await cluster.get<{ status: { disruptionsAllowed: number } }>(`${budgets}/${name}`);
      return status.disruptionsAllowed === 1;
    });
  }
  const { spec } = await cluster.get<{ spec: { instances: number; postgresql: { synchronous: object } } }>(
    `/apis/postgresql.cnpg.io/v1/namespaces/${namespace}/clusters/postgres`,
  );
  const synchronous = JSON.stringify(spec.postgresql.synchronous);
  say(`  ready: 3 servers of Redis and 3 sentinels, of which one each may go`);
  say(`  Postgres, for its operator: ${spec.instances} instances, ${synchronous}`);
}

/** Several servers of Postgres: what operators read, and what an operator runs to divide the organizations over them. */
export async function checkDistributed(check: Check): Promise<void> {
  const { cluster, say } = check;
  await checkOverlay(check, 'distributed');
  const { items } = await cluster.get<{ items: { metadata: { name: string } }[] }>(
    `/apis/postgresql.cnpg.io/v1/namespaces/${namespace}/clusters`,
  );
  say(`  Postgres, for its operator: ${items.map(({ metadata }) => metadata.name).join(', ')}`);
  await cluster.kubectl(['-n', namespace, 'create', 'job', '--from=cronjob/distribute', 'distribute']);
  await until('the Job that divides the database is complete', async () => {
    const path = `/apis/batch/v1/namespaces/${namespace}/jobs/distribute`;
    const { status } = await cluster.get<{ status: { succeeded?: number } }>(path);
    return status.succeeded === 1;
  });
  say('  the Job that divides the database runs when it is told to');
}
