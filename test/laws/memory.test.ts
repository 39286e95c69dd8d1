import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { type NodeRole, memoryShareMax, mostMemoryMib } from '@parley/kit';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';

import { filesIn, isTest, root } from './source-files.ts';

const roles: readonly NodeRole[] = ['api', 'queue', 'worker'];
const units: Record<string, number> = { Mi: 1, Gi: 1024, m: 1, g: 1024 };

function mibOf(memory: string): number {
  const [, count, unit = ''] = /^(\d+)(\D+)$/.exec(memory) ?? [];
  return Number(count) * (units[unit] ?? Number.NaN);
}

const read = (path: string) => readFileSync(join(root, path), 'utf8');

interface Workload {
  kind: string;
  metadata: { name: string };
  spec: { template: { spec: { containers: { resources?: { limits: { memory: string } } }[] } } };
}

/** The limits of memory in a manifest, by the name of the Deployment. */
const limitsIn = (path: string) =>
  parseAllDocuments(read(path)).flatMap((document) => {
    // Safe: only Deployments are looked into.
    const { kind, metadata, spec } = document.toJS() as Workload;
    const limit = kind === 'Deployment' && spec.template.spec.containers[0]?.resources?.limits.memory;
    return limit ? [{ path, name: metadata.name, mib: mibOf(limit) }] : [];
  });

type Values = Partial<Record<NodeRole | 'small', { resources?: { limits: { memory: string } } }>>;

const chartLimits = (file: string) => {
  const values = parse(read(`infra/k8s/chart/${file}`)) as Values;
  return roles.flatMap((role) => {
    const limit = values[role]?.resources?.limits.memory;
    return limit === undefined ? [] : [{ path: file, name: role, mib: mibOf(limit) }];
  });
};

const overlays = readdirSync(join(root, 'infra/k8s/overlays'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.yaml') && !path.endsWith('kustomization.yaml'))
  .map((path) => `infra/k8s/overlays/${path}`);

/** What each deployment gives a node; `every` stands for each role. */
const given = [
  ...[
    'infra/k8s/base/api.yaml',
    'infra/k8s/base/queue.yaml',
    'infra/k8s/base/worker.yaml',
    ...overlays,
  ].flatMap(limitsIn),
  ...readdirSync(join(root, 'infra/k8s/chart'))
    .filter((file) => /^values.*yaml$/.test(file))
    .flatMap(chartLimits),
  {
    path: 'infra/compose/compose.yaml',
    name: 'every',
    mib: mibOf(/mem_limit: (\S+)/.exec(read('infra/compose/compose.yaml'))?.[1] ?? ''),
  },
];

test('what a node may hold fits in the memory that deployments give it', () => {
  expect(new Set(given.map(({ name }) => name))).toEqual(new Set(['every', ...roles]));
  const short = given.flatMap(({ path, name, mib }) =>
    roles
      .filter((role) => name === 'every' || name === role)
      .filter((role) => !(mostMemoryMib(role) <= mib * memoryShareMax))
      .map((role) => `${path}: ${role} needs ${mostMemoryMib(role)} of ${mib} MiB`),
  );
  expect(short).toEqual([]);
});

test('what nodes keep by key is bounded in bytes, or said to be small', () => {
  // Of these, all items have about the same small size.
  const small = [
    'services/api/src/auth/find-realm.ts',
    'services/api/src/auth/realm-languages.ts',
    'services/api/src/auth/authenticate.ts',
    'services/api/src/auth/key-guard.ts',
    'services/api/src/presence/presences.ts',
    'services/api/src/register/queue-id.ts',
    'services/queue/src/log/early-ephemerals.ts',
    'shared/db/src/prepare-repeated.ts',
    'shared/log/src/fence.ts',
    'shared/log/src/servers.ts',
  ];
  const files = [...filesIn('services'), ...filesIn('shared')].filter((file) => !isTest(file));
  expect(
    files
      .filter(({ text }) => text.includes('new SmallCache'))
      .map(({ path }) => path)
      .sort(),
  ).toEqual(small.sort());
  expect(
    files.filter(({ text }) => text.includes("from 'lru-cache'")).map(({ path }) => path),
    'which have no other caches',
  ).toEqual(['shared/kit/src/memory.ts']);
});
