import { expect, test } from 'vitest';

import type { KubeObject } from './manifests.ts';
import { findDifferences } from './same-objects.ts';

const job = (name: string, image: string): KubeObject => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name },
  spec: { template: { spec: { containers: [{ image }] } } },
});
const node = (checksum?: string): KubeObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'api' },
  spec: { template: { metadata: checksum ? { annotations: { 'checksum/settings': checksum } } : {} } },
});

test('objects are the same whatever hash ends their names, and whatever checksums a chart notes', () => {
  const chart = [node('1'), job('migrate-0123456789', 'parley:1')];
  const kustomize = [job('migrate-6hm9bt54f5', 'parley:1'), node()];
  expect(findDifferences(chart, kustomize)).toEqual([]);
});

test('what differs is named, and so is what only one side has', () => {
  const differences = findDifferences([node(), job('migrate', 'parley:1')], [job('migrate', 'parley:2')]);
  expect(differences).toEqual([
    'Deployment api: only the chart has it',
    'Job migrate.spec.template.spec.containers.0.image: "parley:1" instead of "parley:2"',
  ]);
  expect(findDifferences([], [node()])).toEqual(['Deployment api: the chart lacks it']);
});
