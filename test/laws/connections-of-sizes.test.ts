import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';
import { parse } from 'yaml';

import { listOpened } from '../docs/connections.ts';
import { root } from './source-files.ts';

test('the Postgres of the manifests takes as many connections as the largest size opens', () => {
  const { spec } = parse(readFileSync(join(root, 'infra/k8s/postgres/cluster.yaml'), 'utf8')) as {
    spec: { postgresql: { parameters: Record<string, string> } };
  };
  const most = Math.max(...listOpened().map(({ maxConnections }) => maxConnections));
  expect(most).toBeGreaterThan(1000);
  expect(Number(spec.postgresql.parameters['max_connections'])).toBeGreaterThanOrEqual(most);
});
