import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, test } from 'vitest';
import { parse } from 'yaml';

import { type Deployment, type Figures, capacityOf } from '../capacity/model.ts';
import { root } from './source-files.ts';

const figures = JSON.parse(
  await readFile(new URL('../../docs/figures.json', import.meta.url), 'utf8'),
) as Figures;
const deployment: Deployment = {
  users: 1_000_000,
  realms: 2000,
  largest: 100_000,
  online: 0.3,
  queuesPerUser: 1.3,
  audience: 50,
};
const needOf = (part: string, change: Partial<Deployment> = {}) => {
  const { needs, limits } = capacityOf({ ...deployment, ...change }, figures);
  return [...needs, ...limits].find((need) => need.part === part)?.amount ?? Number.NaN;
};

test('a need grows with what it is for, and with nothing else', () => {
  expect(needOf('api nodes', { users: 2_000_000 })).toBeGreaterThan(1.8 * needOf('api nodes'));
  expect(needOf('memory of polls', { queuesPerUser: 2.6 })).toBeCloseTo(2 * needOf('memory of polls'), 0);
  expect(needOf('the log of the largest realm', { largest: 200_000 })).toBeGreaterThan(
    1.5 * needOf('the log of the largest realm'),
  );
  expect(needOf('queue nodes', { audience: 500_000 })).toBeGreaterThan(needOf('queue nodes'));
});

test('so many queue nodes hold all polls', () => {
  expect(needOf('queue nodes') * 19_000).toBeGreaterThanOrEqual(390_000);
});

test('what a log takes follows its own realm, however the others are divided', () => {
  const small = { realms: 20_000, largest: 50 };
  const large = { realms: 1, largest: 1_000_000 };
  expect(needOf('the log of the largest realm', large)).toBeGreaterThan(
    100 * needOf('the log of the largest realm', small),
  );
  for (const part of ['Postgres, processor', 'Postgres, appends', 'api nodes']) {
    expect(needOf(part, small)).toBeGreaterThan(0);
    expect(needOf(part, large)).toBeGreaterThan(0);
  }
});

test('presence, marks, joins and registrations are counted', () => {
  const { limits } = capacityOf(deployment, figures);
  const dearer: [string, Figures][] = [
    [
      'presence',
      {
        ...figures,
        presence: {
          minutes: figures.presence.minutes.map((one) => ({ ...one, postgres: 9 * one.postgres })),
        },
      },
    ],
    ['marks', { ...figures, marks: { ...figures.marks, postgres_us_each: 1e5 } }],
    ['joins', { ...figures, joins: { costs: [{ there: 100_000, postgresUs: 1e7, walBytes: 0 }] } }],
    [
      'registrations',
      { ...figures, large: { people: 100_000, storm: { apiMsEach: 1, postgresMsEach: 1e4 } } },
    ],
  ];
  const processor = (needs: typeof limits) =>
    needs.find(({ part }) => part === 'Postgres, processor')?.amount ?? 0;
  for (const [name, changed] of dearer) {
    expect(processor(capacityOf(deployment, changed).limits), name).toBeGreaterThan(processor(limits));
  }
});

test('the manifests of production scale as far as the documented example needs', () => {
  const read = (path: string) => readFileSync(join(root, 'infra/k8s', path), 'utf8');
  const most = (role: string) =>
    (parse(read(`overlays/production/${role}.yaml`)) as { spec: { maxReplicas: number } }).spec.maxReplicas;
  const target =
    /name: parley_queue_parked_polls \}\s+target: \{ type: AverageValue, averageValue: '(\d+)' \}/.exec(
      read('base/queue.yaml'),
    );
  expect(most('api')).toBeGreaterThanOrEqual(needOf('api nodes'));
  expect(most('worker')).toBeGreaterThanOrEqual(needOf('workers'));
  // The autoscaler adds nodes until each has no more than its target, below what a node can hold.
  expect(most('queue') * Number(target?.[1])).toBeGreaterThanOrEqual(390_000);
});

test('every part says what it stands on', () => {
  const { needs, limits } = capacityOf(deployment, figures);
  for (const { because, amount } of [...needs, ...limits]) {
    expect(because).not.toContain('NaN');
    expect(amount).toBeGreaterThan(0);
  }
});
