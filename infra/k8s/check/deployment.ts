import { pause, systemClock } from '@parley/kit';

import type { Cluster } from './cluster.ts';

export const namespace = 'parley';
export const roles = ['api', 'queue', 'worker'] as const;
type Role = (typeof roles)[number];

interface Pod {
  metadata: { name: string; deletionTimestamp?: string };
  spec: { nodeName?: string; containers: { image: string }[] };
  status: { conditions?: { type: string; status: string }[] };
}

interface Deployment {
  metadata: { generation: number };
  spec: { replicas: number };
  status: {
    observedGeneration?: number;
    replicas?: number;
    updatedReplicas?: number;
    availableReplicas?: number;
  };
}

async function podsOf(cluster: Cluster, role: Role): Promise<Pod[]> {
  const query = new URLSearchParams({ labelSelector: `app.kubernetes.io/component=${role}` });
  const path = `/api/v1/namespaces/${namespace}/pods?${query.toString()}`;
  return (await cluster.get<{ items: Pod[] }>(path)).items;
}

/** The nodes of a role that serve. */
export async function serving(cluster: Cluster, role: Role): Promise<Pod[]> {
  const isReady = ({ status }: Pod) =>
    status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True');
  return (await podsOf(cluster, role)).filter((pod) => isReady(pod) && !pod.metadata.deletionTimestamp);
}

export async function deployment(cluster: Cluster, role: Role): Promise<Deployment> {
  return await cluster.get(`/apis/apps/v1/namespaces/${namespace}/deployments/${role}`);
}

/** Whether a Deployment is as it is meant to be: as many nodes as it should have, all of its version, all ready. */
async function isSettled(cluster: Cluster, role: Role): Promise<boolean> {
  const { metadata, spec, status } = await deployment(cluster, role);
  const { observedGeneration, replicas, updatedReplicas, availableReplicas } = status;
  const counts = [replicas, updatedReplicas, availableReplicas, (await podsOf(cluster, role)).length];
  return observedGeneration === metadata.generation && counts.every((count) => count === spec.replicas);
}

export async function untilSettled(cluster: Cluster): Promise<void> {
  for (const role of roles) await until(`all ${role} nodes are ready`, () => isSettled(cluster, role));
}

/** Throws unless every node runs the image. */
export async function assertImage(cluster: Cluster, image: string): Promise<void> {
  const images = new Set<string>();
  for (const role of roles)
    for (const { spec } of await podsOf(cluster, role)) images.add(spec.containers[0]?.image ?? '');
  if (String([...images]) !== image) throw new Error(`The nodes run ${[...images].join(', ')}.`);
}

interface Job {
  spec: { template: { spec: { containers: { image: string }[] } } };
  status: { conditions?: { type: string; status: string }[] };
}

/** Waits until the Job that migrates with an image is complete. */
export async function untilMigrated(cluster: Cluster, image: string): Promise<void> {
  const path = `/apis/batch/v1/namespaces/${namespace}/jobs`;
  await until(`a Job has migrated with ${image}`, async () => {
    const { items } = await cluster.get<{ items: Job[] }>(path);
    return items.some(
      ({ spec, status }) =>
        spec.template.spec.containers[0]?.image === image &&
        status.conditions?.some(({ type, status }) => type === 'Complete' && status === 'True'),
    );
  });
}

/** This says that something hangs, and nothing about speed. */
const limitMs = 600_000;

/** Waits until the condition holds. @throws Error that says what did not come about */
export async function until(what: string, condition: () => Promise<boolean>): Promise<void> {
  const startedMs = systemClock.nowMs();
  while (!(await condition())) {
    if (systemClock.nowMs() - startedMs > limitMs)
      throw new Error(`After ${limitMs / 1000} s it is not so that ${what}.`);
    await pause(100);
  }
}

/** Does something, and resolves with the fewest nodes of each role that served meanwhile. */
export async function fewestServing(
  cluster: Cluster,
  work: () => Promise<void>,
): Promise<Record<Role, number>> {
  const fewest = { api: Infinity, queue: Infinity, worker: Infinity };
  const done = new AbortController();
  const watch = async (role: Role) => {
    while (!done.signal.aborted) {
      fewest[role] = Math.min(fewest[role], (await serving(cluster, role)).length);
      await pause(20);
    }
  };
  const watches = Promise.all(roles.map(watch));
  await work().finally(() => done.abort());
  await watches;
  return fewest;
}
