import { readFile } from 'node:fs/promises';

import { guardFunction, guardTrigger } from '@parley/db';
import { repoRoot } from '@parley/infra';
import { expect, test } from 'vitest';

const words = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

test('the manifests of a divided database keep Citus from moving open parts as the commands do', async () => {
  const made = words(await readFile(`${repoRoot()}/infra/k8s/citus/each-server.sql`, 'utf8'));
  for (const statement of [guardFunction, guardTrigger]) expect(made).toContain(`${words(statement)};`);
});
