import { join } from 'node:path';

import { expect, test } from 'vitest';

import { repoRoot } from '../../dev/machine/paths.ts';
import { type KubeObject, readManifests } from './manifests.ts';
import { findOpenings } from './reach.ts';

const named = { 'app.kubernetes.io/name': 'parley' };

/** Returns the base as Kustomize makes it, as far as policies see it. */
async function readBase(): Promise<KubeObject[]> {
  const manifests = await readManifests(join(repoRoot(), 'infra/k8s/base'));
  for (const { spec } of manifests) {
    const template = spec['template'] as { metadata: { labels: Record<string, string> } } | undefined;
    if (template) Object.assign(template.metadata.labels, named);
  }
  return manifests;
}

test('every workload has policies that limit both ways, and none of them leads to the metadata of a cloud', async () => {
  const base = await readBase();
  const workloads = base.filter(({ kind }) => kind === 'Deployment' || kind === 'Job');
  expect(workloads.map(({ metadata }) => metadata.name).sort()).toEqual([
    'api',
    'migrate',
    'queue',
    'worker',
  ]);
  expect(findOpenings(base)).toEqual([]);
});

test('the servers of Postgres and Redis have such policies, too', async () => {
  const manifests = await readManifests(join(repoRoot(), 'infra/k8s'));
  const ofStores = manifests.filter(({ file }) => /^(postgres|redis)\//.test(file));
  const kinds = ofStores.filter(({ kind }) => kind === 'Cluster' || kind === 'StatefulSet');
  expect(kinds.map(({ metadata }) => metadata.name).sort()).toEqual(['postgres', 'redis', 'sentinel']);
  expect(findOpenings(ofStores)).toEqual([]);
});

const policy = (name: string, spec: object): KubeObject => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name },
  spec: { podSelector: { matchLabels: named }, policyTypes: ['Ingress', 'Egress'], ...spec },
});
const workload: KubeObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'api' },
  spec: { template: { metadata: { labels: named } } },
};
const everywhere = { ipBlock: { cidr: '0.0.0.0/0' } };

test('a workload that no policy selects is found, and one that a policy limits in one way', () => {
  const other = policy('other', { podSelector: { matchLabels: { 'app.kubernetes.io/name': 'other' } } });
  expect(findOpenings([workload, other])).toHaveLength(2);
  expect(findOpenings([workload, policy('in', { policyTypes: ['Ingress'] })])).toEqual([
    'Deployment api: no policy limits its egress',
  ]);
  expect(findOpenings([workload, policy('both', {})])).toEqual([]);
});

test.each([
  ['a rule by port alone', [{ ports: [{ port: 443 }] }], 13],
  ['a rule for all addresses', [{ to: [everywhere] }], 7],
  ['a rule for the link-local ones', [{ to: [{ ipBlock: { cidr: '169.254.0.0/16' } }] }], 4],
  [
    'an exception that is too small',
    [{ to: [{ ipBlock: { cidr: '169.254.0.0/16', except: ['169.254.169.0/24'] } }] }],
    3,
  ],
  ['a second peer', [{ to: [{ namespaceSelector: {} }, { ipBlock: { cidr: '::/0' } }] }], 6],
])('%s leads to the metadata of a cloud', (_, egress, count) => {
  const openings = findOpenings([workload, policy('api', { egress })]);
  expect(openings).toHaveLength(count);
  expect(openings.every((opening) => opening.startsWith('Deployment api: api leads to '))).toBe(true);
});

test('the Pods that a CronJob makes are looked at, and those of an operator by the labels that they inherit', () => {
  const spec = { jobTemplate: { spec: { template: { metadata: { labels: named } } } } };
  const job = { apiVersion: 'batch/v1', kind: 'CronJob', metadata: { name: 'distribute' }, spec };
  const labels = { store: 'postgres' };
  const server = {
    apiVersion: 'postgresql.cnpg.io/v1',
    kind: 'Cluster',
    metadata: { name: 'postgres-1' },
    spec: { inheritedMetadata: { labels } },
  };
  expect(findOpenings([job, server])).toHaveLength(4);
  const policies = [policy('jobs', {}), policy('servers', { podSelector: { matchLabels: labels } })];
  expect(findOpenings([job, server, ...policies])).toEqual([]);
});

test('a rule that lets anybody in is found', () => {
  const open = policy('api', { ingress: [{ ports: [{ port: 'http' }] }] });
  expect(findOpenings([workload, open])).toEqual(['Deployment api: api lets anybody in']);
});
