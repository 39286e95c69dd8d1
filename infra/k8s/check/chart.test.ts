import { existsSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { goProgramPath } from '../../dev/machine/go-program.ts';
import { findTakenMistakes, helm, renderChart } from './helm.ts';
import type { KubeObject } from './manifests.ts';
import { findOpenings } from './reach.ts';

const program = goProgramPath(helm);

const find = (objects: readonly KubeObject[], kind: string, name: string) =>
  objects.find((one) => one.kind === kind && one.metadata.name === name) ?? expect.fail(`no ${kind} ${name}`);
const migrationOf = (objects: readonly KubeObject[]) =>
  objects.find(({ kind }) => kind === 'Job')?.metadata.name;

// To build Helm takes minutes and a module proxy: `npm run k8s:check` does, and compares the chart with Kustomize.
describe.skipIf(!existsSync(program))('the chart', () => {
  test('refuses wrong values', async () => {
    expect(await findTakenMistakes(program)).toEqual([]);
  });

  test('names the migration by its image, and not by what the nodes are given', async () => {
    const first = migrationOf(await renderChart(program));
    const settings = {
      settings: { LOG_LEVEL: 'warn' },
      api: { env: [{ name: 'REQUESTS_AT_ONCE', value: '9' }] },
    };
    expect(migrationOf(await renderChart(program, { over: settings }))).toBe(first);
    expect(migrationOf(await renderChart(program, { over: { image: { tag: 'next' } } }))).not.toBe(first);
  });

  test('rolls nodes when a setting changes', async () => {
    const before = find(await renderChart(program), 'Deployment', 'api');
    const over = { settings: { LOG_LEVEL: 'warn' } };
    expect(find(await renderChart(program, { over }), 'Deployment', 'api')).not.toEqual(before);
  });

  test('lays values over the objects that they are about', async () => {
    const over = {
      settings: { LOG_POLLS_ONE_IN: 2_000_000 },
      settingsFrom: { DATABASE_URL: { name: 'postgres-node', key: 'uri' } },
      secrets: { owner: 'postgres-owner' },
      queue: { drainSeconds: 60, autoscaling: { enabled: false }, replicas: 7 },
      gateway: {
        existing: { name: 'shared', namespace: 'gateways', sectionName: 'https' },
        hostnames: ['chat.example.com'],
      },
      networkPolicies: { gatewayNamespace: 'gateways', stores: ['10.20.0.0/16'], webhooks: ['10.30.0.0/24'] },
      monitoring: { podMonitor: true, rules: true },
    };
    const objects = await renderChart(program, { over });
    expect(find(objects, 'ConfigMap', 'parley')).toMatchObject({ data: { LOG_POLLS_ONE_IN: '2000000' } });
    const queue = find(objects, 'Deployment', 'queue');
    expect(queue.spec).toMatchObject({
      replicas: 7,
      template: {
        spec: {
          terminationGracePeriodSeconds: 80,
          containers: [
            {
              env: [
                { name: 'DRAIN_SECONDS', value: '60' },
                { name: 'DATABASE_URL', valueFrom: { secretKeyRef: { name: 'postgres-node', key: 'uri' } } },
              ],
            },
          ],
        },
      },
    });
    expect(objects.filter(({ kind }) => kind === 'HorizontalPodAutoscaler')).toHaveLength(2);
    expect(objects.filter(({ kind }) => kind === 'Gateway')).toHaveLength(0);
    const routes = objects.filter(({ kind }) => kind === 'HTTPRoute');
    expect(routes.map(({ metadata }) => metadata.name).sort()).toEqual(['api', 'queue']);
    for (const { spec } of routes)
      expect(spec).toMatchObject({ hostnames: ['chat.example.com'], parentRefs: [over.gateway.existing] });
    const policies = JSON.stringify(objects.filter(({ kind }) => kind === 'NetworkPolicy'));
    for (const said of ['gateways', '10.20.0.0/16', '10.30.0.0/24']) expect(policies).toContain(`"${said}"`);
    expect(findOpenings(objects)).toEqual([]);
    find(objects, 'PodMonitor', 'parley');
    find(objects, 'PrometheusRule', 'parley');
  });
});
