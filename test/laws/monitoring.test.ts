import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { createApp } from '@parley/api';
import { createQueueNode } from '@parley/queue';
import { registry } from '@parley/telemetry';
import { runJobs } from '@parley/worker';
import { Registry, collectDefaultMetrics } from 'prom-client';
import { describe, expect, test } from 'vitest';

import { filesIn, isTest, root } from './source-files.ts';

interface Metric {
  name: string;
  type: string;
  labelNames: readonly string[];
}

/** Metrics are declared when the nodes that have them are loaded. */
const loaded = [createApp, createQueueNode, runJobs];

const folder = join(root, 'infra/monitoring');
const dashboards = readdirSync(join(folder, 'dashboards'));
/** What the files look at: rules, and queries of dashboards. */
const rules = readFileSync(join(folder, 'rules.yml'), 'utf8');
const queries = [
  ...[...rules.matchAll(/expr: (.*)/g)].map(([, expr = '']) => expr),
  ...dashboards.flatMap((file) => {
    const { panels } = JSON.parse(readFileSync(join(folder, 'dashboards', file), 'utf8')) as {
      panels: { targets: { expr: string }[] }[];
    };
    return panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  }),
];

/** Names of metrics in a query, each with the labels that are selected of it. */
function metricsIn(query: string): { name: string; labels: string[] }[] {
  return [...query.matchAll(/(?<![\w:])((?:parley|process|nodejs)_\w+)(?:\{([^}]*)\})?/g)].map(
    ([, name = '', selector = '']) => ({
      name,
      labels: [...selector.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label),
    }),
  );
}

const ofProcess = new Registry();
collectDefaultMetrics({ register: ofProcess });
// Safe: the names of labels are not in the library's type, and always there.
const all = [registry, ofProcess].flatMap((one) => one.getMetricsAsArray()) as unknown as Metric[];
const declared = new Map(all.map((metric) => [metric.name, metric]));

/** The metric that a query names: of a histogram there are three. */
function find(name: string): Metric | undefined {
  const base = declared.get(name.replace(/_(?:bucket|sum|count)$/, ''));
  return declared.get(name) ?? (base?.type === 'histogram' ? base : undefined);
}

describe('rules and dashboards', () => {
  test('name metrics that the code declares', () => {
    const named = queries.flatMap(metricsIn).map(({ name }) => name);
    expect(named.length).toBeGreaterThan(50);
    expect([...new Set(named)].filter((name) => !find(name))).toEqual([]);
  });

  test('select labels that those have', () => {
    const selected = queries.flatMap(metricsIn).flatMap(({ name, labels }) => {
      const metric = find(name);
      const known = [
        ...(metric?.labelNames ?? []),
        'instance',
        ...(metric?.type === 'histogram' ? ['le'] : []),
      ];
      return labels.filter((label) => !known.includes(label)).map((label) => `${name}{${label}}`);
    });
    expect(selected).toEqual([]);
  });

  test('name recorded rules that there are', () => {
    const recorded = new Set([...rules.matchAll(/record: (\S+)/g)].map(([, name]) => name));
    const named = queries.flatMap((query) => query.match(/parley:[\w:]+/g) ?? []);
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((name) => !recorded.has(name))).toEqual([]);
  });

  test('look at every metric of ours', () => {
    const named = new Set(queries.flatMap(metricsIn).map(({ name }) => find(name)?.name));
    const ours = [...declared.keys()].filter((name) => name.startsWith('parley_'));
    expect(ours.length).toBeGreaterThan(25);
    expect(ours.filter((name) => !named.has(name))).toEqual([]);
  });
});

describe('each alert', () => {
  const alerts = [...rules.matchAll(/- alert: (\w+)\n((?: {8}.*\n)+)/g)];

  test('says how bad it is, and what to do', () => {
    expect(alerts.length).toBe(rules.split('- alert:').length - 1);
    const headings = readFileSync(join(root, 'docs/operating.md'), 'utf8').match(/^#+ .*/gm) ?? [];
    for (const [, name = '', body = ''] of alerts) {
      expect(body, name).toMatch(/severity: (page|ticket)/);
      expect(body, name).toContain(`runbook: docs/operating.md#${name.toLowerCase()}`);
      expect(headings, name).toContain(`### ${name}`);
    }
  });

  test('has a runbook of an alert that there is', () => {
    const headings = readFileSync(join(root, 'docs/operating.md'), 'utf8').match(/^### Parley\w+/gm) ?? [];
    expect(headings.map((heading) => heading.slice(4)).sort()).toEqual(
      alerts.map(([, name = '']) => name).sort(),
    );
  });
});

describe('a metric', () => {
  test('is declared in files that a node loads', () => {
    const inSource = filesIn('shared')
      .concat(filesIn('services'))
      .filter((file) => !isTest(file))
      .flatMap(({ text }) => [...text.matchAll(/\b(?:counter|gauge|histogram|tally|tallies)\(\s*'(\w+)'/g)])
      .map(([, name = '']) => name);
    expect(loaded).not.toContain(undefined);
    expect(inSource.length).toBeGreaterThan(25);
    expect(inSource.filter((name) => !declared.has(name))).toEqual([]);
  });

  test('has few values: no label is about a realm, a user or an address', () => {
    const personal = /realm|user|account|address|host|email|queue_id|request/;
    const labels = [...declared.values()].flatMap(({ name, labelNames }) =>
      name.startsWith('parley_') ? labelNames.map((label) => `${name} ${label}`) : [],
    );
    expect(labels.filter((label) => personal.test(label.split(' ')[1] ?? ''))).toEqual([]);
  });

  test('a metric that only grows ends in _total, and no other does', () => {
    const ours = [...declared.values()].filter(({ name }) => name.startsWith('parley_'));
    const wrong = ours.filter(({ name, type }) => name.endsWith('_total') !== (type === 'counter'));
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });
});

test('the law goes red for a metric that nobody declares', () => {
  const [metric] = metricsIn('sum by (x) (rate(parley_log_holes_total{partition="1"}[5m]))');
  expect(metric).toEqual({ name: 'parley_log_holes_total', labels: ['partition'] });
  expect(find('parley_log_holes_total')).toBeUndefined();
  expect(find('parley_queue_parked_polls_count')).toBeUndefined();
});
