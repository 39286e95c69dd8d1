import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { queueTimes } from '@parley/protocol';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';

import { repoRoot } from '../../dev/machine/paths.ts';
import { answerSecondsMax, eventsPaths } from '../../proxy/limits.ts';
import { type Manifest, readManifests, readPatch } from './manifests.ts';
import { findMistakes } from './schemas.ts';

const folder = join(repoRoot(), 'infra/k8s');
const roles = ['api', 'queue', 'worker'];
/** A node that has not drained after so much more than DRAIN_SECONDS ends itself. */
const endsItselfSeconds = 10;

interface PodSpec {
  terminationGracePeriodSeconds: number;
  containers: {
    args?: string[];
    env?: { name: string; value: string }[];
    ports: { name: string; containerPort: number }[];
    startupProbe: Probe;
    livenessProbe: Probe;
    readinessProbe: Probe;
    lifecycle: { preStop: { sleep: { seconds: number } } };
  }[];
}
interface Probe {
  httpGet: { path: string; port: string };
}
interface Pods {
  target: { averageValue: string };
}
interface Scaled {
  maxReplicaCount: number;
  triggers: { metadata: { threshold: string } }[];
}
interface Cron {
  suspend: boolean;
  jobTemplate: {
    spec: { template: { spec: { initContainers: { env: { name: string; value?: string }[] }[] } } };
  };
}
interface Kustomization {
  resources: string[];
  nameSuffix: string;
}
interface Rule {
  matches?: { path: { value: string }; method: string; queryParams?: { name: string }[] }[];
  timeouts: { request: string; backendRequest: string };
  backendRefs: { name: string }[];
}

let manifests: Manifest[];
let every: Manifest;
beforeAll(async () => {
  manifests = (await readManifests(folder)).filter(({ file }) => !file.startsWith('metrics/'));
  every = await readPatch(join(folder, 'base/node.yaml'));
});

const find = (kind: string, name: string) => {
  const manifest = manifests.find((one) => one.kind === kind && one.metadata.name === name);
  if (!manifest) throw new Error(`There is no ${kind} ${name}.`);
  return manifest;
};
// Safe: the schemas are asked in the first test.
const podOf = ({ spec }: Manifest) => (spec['template'] as { spec: PodSpec }).spec;
const containerOf = (manifest: Manifest) => podOf(manifest).containers[0] ?? expect.fail('no container');

describe('the manifests', () => {
  test('are valid, as far as schemas tell', async () => {
    expect(manifests.length).toBeGreaterThan(20);
    expect(await findMistakes(manifests)).toEqual([]);
  });

  test('would not be with a mistake', async () => {
    const queue = find('Deployment', 'queue');
    const wrong = [
      { ...queue, spec: { ...queue.spec, replicas: 'three' } },
      { ...queue, spec: { template: queue.spec['template'] } },
      { ...queue, kind: 'Deploymint' },
    ];
    expect(await findMistakes(wrong)).toHaveLength(3);
  });

  test.each(roles)('give every role a node, a budget, a policy and a measure: %s', (role) => {
    expect(containerOf(find('Deployment', role)).args).toEqual([role]);
    for (const kind of ['PodDisruptionBudget', 'NetworkPolicy', 'HorizontalPodAutoscaler']) find(kind, role);
  });

  test.each(roles)('wait for a node that drains as long as it takes: %s', (role) => {
    const { env = [] } = containerOf(find('Deployment', role));
    const drains = Number(env.find(({ name }) => name === 'DRAIN_SECONDS')?.value ?? 0);
    const before = containerOf(every).lifecycle.preStop.sleep.seconds;
    const grace = podOf(find('Deployment', role)).terminationGracePeriodSeconds;
    expect(grace).toBeGreaterThan(before + drains + endsItselfSeconds);
  });

  test('ask whether a node started and lives, and whether it is ready, at different addresses', () => {
    const { startupProbe, livenessProbe, readinessProbe, ports } = containerOf(every);
    const pathsOf = [startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet);
    expect(pathsOf).toEqual([
      { path: '/health', port: 'http' },
      { path: '/health', port: 'metrics' },
      { path: '/ready', port: 'http' },
    ]);
    expect(ports.map(({ name }) => name)).toEqual(['http', 'metrics']);
  });

  test('send event queues to queue nodes, for longer than a poll waits', () => {
    const rules = (name: string) => find('HTTPRoute', name).spec['rules'] as Rule[];
    const [events] = rules('queue');
    const matches = events?.matches?.map(({ path, method, queryParams = [] }) =>
      [method, path.value, ...queryParams.map(({ name }) => name)].join(' '),
    );
    expect(matches).toEqual([
      ...eventsPaths.map((path) => `GET ${path} queue_id`),
      ...eventsPaths.map((path) => `DELETE ${path}`),
    ]);
    expect(events?.backendRefs).toMatchObject([{ name: 'queue' }]);
    const holdSeconds = (queueTimes.heartbeatMinMs + queueTimes.heartbeatSpreadMs) / 1000;
    expect(answerSecondsMax).toBeGreaterThan(Math.max(holdSeconds, queueTimes.longpollTimeoutSeconds));
    for (const time of Object.values(events?.timeouts ?? {})) expect(time).toBe(`${answerSecondsMax}s`);
    expect(rules('api')).toMatchObject([{ backendRefs: [{ name: 'api' }] }]);
  });

  test('take as many polls at most as the documented example has, and as one process holds', async () => {
    const page = await readFile(join(repoRoot(), 'docs/scaling.md'), 'utf8');
    const [, polls, perProcess] = /sockets: ([\d ]+) polls at ([\d ]+) a process/.exec(page) ?? [];
    const numberOf = (text = '') => Number(text.replaceAll(' ', ''));
    const { maxReplicas } = (await readPatch(join(folder, 'overlays/production/queue.yaml'))).spec;
    const { metrics } = find('HorizontalPodAutoscaler', 'queue').spec as { metrics: { pods?: Pods }[] };
    const target = Number(metrics[0]?.pods?.target.averageValue);
    expect(Number(maxReplicas) * target).toBeGreaterThanOrEqual(numberOf(polls));
    // When one of three zones fails, the others hold its polls.
    expect(target * 1.5).toBeLessThan(numberOf(perProcess));
    const scaled = find('ScaledObject', 'queue').spec as unknown as Scaled;
    expect(scaled.triggers[0]?.metadata.threshold).toBe(String(target));
    expect(scaled.maxReplicaCount).toBe(maxReplicas);
  });

  test('join the servers of a divided database that the operator makes, by names that their certificates have', async () => {
    const job = find('CronJob', 'distribute').spec as unknown as Cron;
    const [joining = expect.fail('nothing joins servers')] =
      job.jobTemplate.spec.template.spec.initContainers;
    const named = joining.env.find(({ name }) => name === 'SERVERS')?.value?.split(' ') ?? [];
    const read = async (path: string) => parse(await readFile(path, 'utf8')) as Kustomization;
    const { resources } = await read(join(folder, 'citus/kustomization.yaml'));
    const workers = resources.filter((name) => name.startsWith('worker-'));
    const suffixes = await Promise.all(
      workers.map(async (name) => (await read(join(folder, 'citus', name, 'kustomization.yaml'))).nameSuffix),
    );
    expect(workers.length).toBeGreaterThan(1);
    expect(named).toEqual(['', ...suffixes].map((suffix) => `postgres${suffix}-rw:5432`));
    expect(job.suspend).toBe(true);
  });

  test('name settings and metrics that there are', async () => {
    const texts = await Promise.all(
      ['base/kustomization.yaml', 'overlays/production/kustomization.yaml', 'base/queue.yaml'].map((file) =>
        readFile(join(folder, file), 'utf8'),
      ),
    );
    const settings = texts.flatMap((text) =>
      [...text.matchAll(/^ +- (?:\{ name: )?([A-Z][A-Z0-9_]+)[=,]/gm)].map(([, name]) => name),
    );
    expect(settings.length).toBeGreaterThan(4);
    const page = await readFile(join(repoRoot(), 'docs/configuration.md'), 'utf8');
    expect(settings.filter((name) => !page.includes(`| \`${name}\``))).toEqual([]);

    const sources = ['services/queue/src/metrics.ts', 'shared/redis/src/job-metrics.ts'];
    const declared = (
      await Promise.all(sources.map((path) => readFile(join(repoRoot(), path), 'utf8')))
    ).join('');
    const scaling = manifests.filter(({ kind }) => /Autoscaler|ScaledObject/.test(kind));
    const measures = JSON.stringify(scaling).match(/parley_[a-z_]+/g) ?? [];
    expect(new Set(measures).size).toBe(2);
    expect(measures.filter((name) => !declared.includes(`'${name}'`))).toEqual([]);
  });
});
