import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { execa } from 'execa';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

import { repoRoot } from '../dev/machine/paths.ts';
import { temporaryFolder } from '../dev/machine/temporary-folder.test-support.ts';
import { findNginxBinary } from '../dev/proxy/nginx-binary.ts';

const folder = join(repoRoot(), 'infra/compose');

interface Service {
  image: string;
  command?: string[];
  read_only?: boolean;
  environment?: Record<string, string>;
  stop_grace_period?: string;
}

test('the composition runs every role, read-only, with settings that there are', async () => {
  const { services } = parse(await readFile(join(folder, 'compose.yaml'), 'utf8'), { merge: true }) as {
    services: Record<string, Service>;
  };
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

test('the composition has a proxy that nginx understands', async () => {
  const { path, libraries } = await findNginxBinary(() => {});
  await using home = await temporaryFolder();
  const config = await readFile(join(folder, 'nginx.conf'), 'utf8');
  // The names of the nodes, and the folders that nginx was built with, are known where it runs.
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path tmp;`,
  );
  const here = config
    .replace(/\b(?:api|queue):8080/g, '127.0.0.1:9')
    .replace('http {', `http { ${folders.join(' ')}`);
  await writeFile(join(home.path, 'nginx.conf'), here);
  await mkdir(join(home.path, 'logs'));
  const args = [
    '-t',
    '-p',
    home.path,
    '-c',
    join(home.path, 'nginx.conf'),
    '-e',
    'stderr',
    '-g',
    `pid ${home.path}/nginx.pid;`,
  ];
  const { stderr } = await execa(path, args, { env: { LD_LIBRARY_PATH: libraries } });
  expect(stderr).toContain('test is successful');
});
