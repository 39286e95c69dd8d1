import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

import { findProgram } from '../../dev/machine/find-program.ts';
import { goProgramPath } from '../../dev/machine/go-program.ts';
import { compareChart, sameThings } from './compare-chart.ts';
import { chartFolder, findTakenMistakes, helm, renderChart } from './helm.ts';
import type { KubeObject } from './manifests.ts';
import { findOpenings } from './reach.ts';

const program = goProgramPath(helm);

const find = (objects: readonly KubeObject[], kind: string, name: string) =>
  objects.find((one) => one.kind === kind && one.metadata.name === name) ?? expect.fail(`no ${kind} ${name}`);
const migrationOf = (objects: readonly KubeObject[]) =>
  objects.find(({ kind }) => kind === 'Job')?.metadata.name;

interface Schema {
  $ref?: string;
  properties?: Record<string, Schema>;
}

/** Returns the names of all values that a schema knows, and of those below them where values say more. */
function namesIn(schema: Schema, values: unknown, path = ''): { known: string[]; said: string[] } {
  const known = Object.keys(schema.properties ?? {}).filter((name) => `${path}${name}` !== 'global');
  const said = Object.keys(values as object);
  if (known.length === 0 || said.length === 0) return { known: [], said: [] };
  const below = known.map((name) => {
    const value = (values as Record<string, unknown>)[name];
    const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
    const { [name]: part = {} } = schema.properties ?? {};
    return isMap ? namesIn(part, value, `${path}${name}.`) : { known: [], said: [] };
  });
  const within = (names: string[]) => names.map((name) => path + name);
  return {
    known: [...within(known), ...below.flatMap((one) => one.known)],
    said: [...within(said), ...below.flatMap((one) => one.said)],
  };
}

test('the chart says of every value that its schema knows what it is by itself', async () => {
  const schema = JSON.parse(await readFile(join(chartFolder, 'values.schema.json'), 'utf8')) as Schema;
  const values: unknown = parse(await readFile(join(chartFolder, 'values.yaml'), 'utf8'));
  const { known, said } = namesIn(schema, values);
  expect(said.length).toBeGreaterThan(60);
  expect(said.sort()).toEqual(known.sort());
});

// To build Helm takes minutes and a module proxy: `npm run k8s:check` does.
describe.skipIf(!existsSync(program))('the chart', () => {
  const kubectl = findProgram('kubectl');
  test.skipIf(!kubectl).each(sameThings)('makes the objects of Kustomize: $overlay', async (same) => {
    const kustomize = async (folder: string) =>
      (await execa(kubectl ?? '', ['kustomize', join(chartFolder, '../overlays', folder)])).stdout;
    expect((await compareChart(program, kustomize, same)).differences).toEqual([]);
  });

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
