import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

import type { Say } from '../../dev/machine/say.ts';
import type { Cluster } from './cluster.ts';
import {
  assertImage,
  deployment,
  fewestServing,
  namespace,
  roles,
  serving,
  until,
  untilMigrated,
  untilSettled,
} from './deployment.ts';
import { type KubeObject, readObjects } from './manifests.ts';
import type { MetricsServer } from './metrics-server.ts';
import { findOpenings } from './reach.ts';

/** What can be broken on purpose. */
export const guarantees = {
  chart: 'the chart makes other objects than Kustomize',
  job: 'Jobs of all versions have one name',
  metadata: 'a network policy leads to the metadata of a cloud',
} as const;
export type Guarantee = keyof typeof guarantees;

export interface Check {
  cluster: Cluster;
  metrics: MetricsServer;
  /** The folder of the overlays. */
  overlays: string;
  /** The program. */
  helm: string;
  /** What is broken on purpose, to see the check fail. */
  broken?: Guarantee | undefined;
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

/** Returns what Kustomize makes of an overlay, or of the base. @throws Error where network policies leave something open */
async function render(check: Check, overlay: string): Promise<string> {
  const manifests = await kustomize(check, overlay);
  assertClosed(readObjects(manifests, overlay));
  return manifests;
}

/** Returns what Kustomize makes of a folder: what is no whole deployment has some of its policies elsewhere. */
export async function kustomize({ cluster, overlays, broken }: Check, folder: string): Promise<string> {
  let manifests = await cluster.kubectl(['kustomize', join(overlays, folder)]);
  if (broken === 'job') manifests = manifests.replaceAll(/name: migrate-[a-z0-9]+/g, 'name: migrate');
  if (broken === 'metadata') manifests = manifests.replaceAll('169.254.0.0/16', '169.254.0.0/17');
  return manifests;
}

export function assertClosed(objects: readonly KubeObject[]): void {
  const openings = findOpenings(objects);
  if (openings.length > 0) throw new Error(openings.join('\n'));
}

async function apply({ cluster }: Check, manifests: string): Promise<string[]> {
  const applied = await cluster.kubectl(
    ['apply', '--server-side', '--force-conflicts', '--validate=strict', '-f', '-'],
    manifests,
  );
  return applied.trim().split('\n');
}

/** Applies an overlay to an empty cluster: the server takes every field of it, and every node becomes ready. */
export async function checkOverlay(check: Check, overlay: string): Promise<void> {
  const { cluster, say } = check;
  const manifests = await render(check, overlay);
  await giveWhatIsNeeded(check);
  const applied = await apply(check, manifests);
  say(
    `  the server takes all ${applied.length} objects, every field of them, under the restricted Pod security standard`,
  );
  await untilMigrated(cluster, 'parley:latest');
  await untilSettled(cluster);
  say(`  the migration is complete; ready: ${await countServing(cluster)}`);
}

/** Makes what a deployment takes for granted. */
export async function giveWhatIsNeeded({ cluster, overlays }: Check): Promise<void> {
  await cluster.kubectl(['apply', '-f', join(overlays, '../base/namespace.yaml')]);
  await cluster.kubectl(['apply', '-f', '-'], listOf(given()));
}

export async function countServing(cluster: Cluster): Promise<string> {
  const counts = roles.map(async (role) => `${(await serving(cluster, role)).length} ${role}`);
  return (await Promise.all(counts)).join(', ');
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
  await scalesTo({ parkedPolls: 79_000, jobsWaiting: 0, milliCpu: { api: 300 } }, [3, 8, 3]);
  await scalesTo({ parkedPolls: 79_000, jobsWaiting: 1600, milliCpu: { api: 2100 } }, [6, 8, 8]);
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

/** Returns what Kustomize makes of an overlay of the overlay, which names another image. */
async function renderNext(check: Check, overlay: string): Promise<string> {
  const own = await mkdtemp(join(tmpdir(), 'parley-k8s-overlay-'));
  try {
    const kustomization = {
      resources: [relative(own, join(check.overlays, overlay))],
      images: [{ name: 'parley', newTag: 'next' }],
    };
    await writeFile(join(own, 'kustomization.yaml'), JSON.stringify(kustomization));
    return await render(check, relative(check.overlays, own));
  } finally {
    await rm(own, { recursive: true });
  }
}

/** A new version comes while as many nodes serve as before; nothing is deleted by hand. */
export async function checkRoll(check: Check, overlay: string): Promise<void> {
  const { cluster, say } = check;
  const before = await Promise.all(roles.map(async (role) => (await serving(cluster, role)).length));
  const fewest = await fewestServing(cluster, async () => {
    await apply(check, await renderNext(check, overlay));
    await untilMigrated(cluster, 'parley:next');
    await untilSettled(cluster);
  });
  await assertImage(cluster, 'parley:next');
  for (const [at, role] of roles.entries()) {
    if (fewest[role] < (before[at] ?? 0))
      throw new Error(`Only ${fewest[role]} of ${before[at]} ${role} nodes served.`);
  }
  say(
    `  the Jobs of both versions are complete; every node runs the new one; never fewer served than ${roles.map((role) => `${fewest[role]} ${role}`).join(', ')}`,
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
