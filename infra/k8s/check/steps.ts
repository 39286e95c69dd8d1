import { join } from 'node:path';

import type { Say } from '../../dev/machine/say.ts';
import type { Cluster } from './cluster.ts';
import {
  deployment,
  fewestServing,
  namespace,
  podsOf,
  roles,
  serving,
  until,
  untilSettled,
} from './deployment.ts';
import type { MetricsServer } from './metrics-server.ts';

export interface Check {
  cluster: Cluster;
  metrics: MetricsServer;
  /** The folder of the overlays. */
  overlays: string;
  say: Say;
}

/** What the overlays take for granted: a namespace that enforces restricted Pods, the secrets, and storage. */
const given = (): object[] => [
  {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'parley', namespace },
    stringData: {
      DATABASE_URL: 'postgres://parley@postgres.example.org/parley?sslmode=verify-full',
      REDIS_URL: 'rediss://redis.example.org',
      PARLEY_SECRET: 'known to nobody, and long enough for it',
    },
  },
  {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: 'uploads' },
    spec: {
      capacity: { storage: '20Gi' },
      accessModes: ['ReadWriteMany'],
      persistentVolumeReclaimPolicy: 'Delete',
      storageClassName: '',
      hostPath: { path: '/uploads' },
      claimRef: { namespace, name: 'uploads' },
    },
  },
];

const listOf = (items: object[]) => JSON.stringify({ apiVersion: 'v1', kind: 'List', items });

async function render({ cluster, overlays }: Check, overlay: string): Promise<string> {
  return await cluster.kubectl(['kustomize', join(overlays, overlay)]);
}

async function apply({ cluster }: Check, manifests: string): Promise<string[]> {
  await cluster.kubectl(['-n', namespace, 'delete', 'job', 'migrate', '--ignore-not-found']);
  const applied = await cluster.kubectl(
    ['apply', '--server-side', '--force-conflicts', '--validate=strict', '-f', '-'],
    manifests,
  );
  return applied.trim().split('\n');
}

/** Applies an overlay to an empty cluster: the server takes every field of it, and every node becomes ready. */
export async function checkOverlay(check: Check, overlay: string): Promise<string> {
  const { cluster, say } = check;
  const manifests = await render(check, overlay);
  await cluster.kubectl(['apply', '-f', join(check.overlays, '../base/namespace.yaml')]);
  await cluster.kubectl(['apply', '-f', '-'], listOf(given()));
  const applied = await apply(check, manifests);
  say(
    `  the server takes all ${applied.length} objects, every field of them, under the restricted Pod security standard`,
  );
  await cluster.kubectl([
    '-n',
    namespace,
    'wait',
    '--for=condition=complete',
    'job/migrate',
    '--timeout=600s',
  ]);
  await untilSettled(cluster);
  const counts = await Promise.all(
    roles.map(async (role) => `${(await serving(cluster, role)).length} ${role}`),
  );
  say(`  the migration is complete; ready: ${counts.join(', ')}`);
  return manifests;
}

export async function removeAll({ cluster }: Check): Promise<void> {
  await cluster.kubectl(['delete', 'namespace', namespace, '--wait=true', '--timeout=600s']);
  await cluster.kubectl(['delete', 'persistentvolume', 'uploads', '--ignore-not-found', '--timeout=600s']);
}

/** Each role follows its own measure, up and down. */
export async function checkScaling({ cluster, metrics, say }: Check): Promise<void> {
  const replicas = async () =>
    await Promise.all(roles.map(async (role) => (await deployment(cluster, role)).spec.replicas));
  const scalesTo = async (load: typeof metrics.load, wanted: number[]) => {
    Object.assign(metrics.load, load);
    await until(
      `${roles.join(', ')} are scaled to ${wanted.join(', ')}`,
      async () => String(await replicas()) === String(wanted),
    );
    await untilSettled(cluster);
    const { parkedPolls, jobsWaiting, milliCpu } = load;
    say(
      `  ${parkedPolls} polls, ${jobsWaiting} jobs, api at ${milliCpu['api']} m: ${roles.map((role, at) => `${wanted[at]} ${role}`).join(', ')}`,
    );
  };
  await scalesTo({ parkedPolls: 40_000, jobsWaiting: 0, milliCpu: { api: 300 } }, [3, 8, 3]);
  await scalesTo({ parkedPolls: 40_000, jobsWaiting: 1600, milliCpu: { api: 2100 } }, [6, 8, 8]);
  // Down they go one a minute, after five minutes: the check does not wait for that.
  const atOnce = {
    spec: {
      behavior: {
        scaleDown: {
          stabilizationWindowSeconds: 0,
          policies: [{ type: 'Percent', value: 100, periodSeconds: 1 }],
        },
      },
    },
  };
  for (const role of roles) {
    await cluster.kubectl([
      '-n',
      namespace,
      'patch',
      'hpa',
      role,
      '--type=merge',
      '-p',
      JSON.stringify(atOnce),
    ]);
  }
  await scalesTo({ parkedPolls: 1000, jobsWaiting: 10, milliCpu: { api: 300 } }, [3, 3, 3]);
}

/** A new version comes while as many nodes serve as before. */
export async function checkRoll(check: Check, manifests: string): Promise<void> {
  const { cluster, say } = check;
  const before = await Promise.all(roles.map(async (role) => (await serving(cluster, role)).length));
  const fewest = await fewestServing(cluster, async () => {
    await apply(check, manifests.replaceAll('image: parley:latest', 'image: parley:next'));
    await untilSettled(cluster);
  });
  const images = new Set<string>();
  for (const role of roles)
    for (const { spec } of await podsOf(cluster, role)) images.add(spec.containers[0]?.image ?? '');
  if (String([...images]) !== 'parley:next')
    throw new Error(`After the roll the nodes run ${[...images].join(', ')}.`);
  for (const [at, role] of roles.entries()) {
    if (fewest[role] < (before[at] ?? 0))
      throw new Error(`Only ${fewest[role]} of ${before[at]} ${role} nodes served.`);
  }
  say(
    `  every node runs the new version; never fewer served than ${roles.map((role) => `${fewest[role]} ${role}`).join(', ')}`,
  );
}

/** However many are asked to go at once, one of a role does; a machine that is emptied takes none too many along. */
export async function checkDisruptions({ cluster, say }: Check): Promise<void> {
  for (const role of roles) {
    const pods = await serving(cluster, role);
    const statuses = await Promise.all(
      pods.map(async ({ metadata: { name } }) => {
        const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } };
        return await cluster.post(`/api/v1/namespaces/${namespace}/pods/${name}/eviction`, eviction);
      }),
    );
    const evicted = statuses.filter((status) => status === 201).length;
    const refused = statuses.filter((status) => status === 429).length;
    if (evicted !== 1 || evicted + refused !== pods.length) {
      throw new Error(
        `Of ${pods.length} evictions of ${role} nodes ${evicted} were done and ${refused} refused.`,
      );
    }
    say(`  ${pods.length} ${role} nodes evicted at once: ${evicted} goes, ${refused} are refused`);
    await untilSettled(cluster);
  }
  const [pod] = await serving(cluster, 'queue');
  const machine = pod?.spec.nodeName ?? '';
  const fewest = await fewestServing(cluster, async () => {
    await cluster.kubectl([
      'drain',
      machine,
      '--ignore-daemonsets',
      '--delete-emptydir-data',
      '--timeout=600s',
    ]);
    await untilSettled(cluster);
  });
  for (const role of roles) {
    const { spec } = await deployment(cluster, role);
    if (fewest[role] < spec.replicas - 1)
      throw new Error(`Only ${fewest[role]} of ${spec.replicas} ${role} nodes served.`);
  }
  say(
    `  a machine is drained: never fewer served than ${roles.map((role) => `${fewest[role]} ${role}`).join(', ')}`,
  );
  await cluster.kubectl(['uncordon', machine]);
}
