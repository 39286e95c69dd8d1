import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, test } from 'vitest';
import { parse } from 'yaml';

import { repoRoot } from '../dev/machine/paths.ts';
import { composeProxy } from '../proxy/compose.ts';

const folder = join(repoRoot(), 'infra/compose');

interface Service {
  image: string;
  command?: string[];
  read_only?: boolean;
  environment?: Record<string, string>;
  stop_grace_period?: string;
  ports?: string[];
}

const readCompose = async () =>
  parse(await readFile(join(folder, 'compose.yaml'), 'utf8'), { merge: true }) as {
    services: Record<string, Service>;
  };

test('the composition runs every role, read-only, with settings that there are', async () => {
  const { services } = await readCompose();
  const nodes = Object.entries(services).filter(([, { image }]) => image === 'parley');
  expect(nodes.map(([name]) => name)).toEqual(['migrate', 'api', 'queue', 'worker']);
  const page = await readFile(join(repoRoot(), 'docs/configuration.md'), 'utf8');
  for (const [name, service] of nodes) {
    expect(service).toMatchObject({ command: [name], read_only: true });
    const settings = Object.keys(service.environment ?? {});
    expect(settings.filter((setting) => !page.includes(`| \`${setting}\``))).toEqual([]);
  }
  const { queue } = services;
  const drains = Number(queue?.environment?.['DRAIN_SECONDS']);
  expect(Number.parseInt(queue?.stop_grace_period ?? '', 10)).toBeGreaterThan(drains + 10);
});

test('the composition has a proxy that asks the nodes by their names', async () => {
  const { services } = await readCompose();
  const nodes = [...composeProxy.api, ...composeProxy.queue].map((address) => address.split(':'));
  expect(nodes.map(([name]) => services[name ?? '']?.command)).toEqual([['api'], ['queue']]);
  const dockerfile = await readFile(join(repoRoot(), 'infra/image/Dockerfile'), 'utf8');
  const [, port] = /\bPORT=(\d+)/.exec(dockerfile) ?? [];
  expect(nodes.map(([, named]) => named)).toEqual([port, port]);
  expect(services['proxy']?.ports).toEqual([expect.stringMatching(`:${composeProxy.listen}$`)]);
});
