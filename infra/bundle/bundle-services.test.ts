import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { bundleServices, bundledEntry } from './bundle-services.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

beforeAll(() => bundleServices({ root, say: () => {} }));

/** What a service without settings says of them, and where in the sources it found that. */
function failureOf(program: string): string[] {
  const { stderr } = spawnSync(process.execPath, ['--enable-source-maps', program], {
    env: { PATH: process.env.PATH },
    encoding: 'utf8',
  });
  return stderr.split('\n').filter((line) => /Error|is required|\/src\//.test(line));
}

test('what goes wrong in a bundle went wrong at the same lines of the sources', () => {
  const failure = failureOf(bundledEntry(root, 'queue'));
  expect(failure).toContainEqual(expect.stringMatching(/shared\/kit\/src\/config\.ts:\d+/));
  expect(failure).toEqual(failureOf(join(root, 'services/queue/dist/main.js')));
});

describe('in a checkout with services of one line', () => {
  const services = ['api', 'queue', 'worker', 'cli'] as const;
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-bundle-'));
    for (const name of ['shared', 'patches']) await mkdir(join(folder, name));
    for (const service of services) await build(service, `process.stdout.write('${service}');`);
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function build(service: string, code: string) {
    const dist = join(folder, 'services', service, 'dist');
    await mkdir(dist, { recursive: true });
    await writeFile(join(dist, 'main.js'), code);
    await writeFile(
      join(dist, 'main.js.map'),
      '{"version":3,"sources":["../src/main.ts"],"names":[],"mappings":""}',
    );
    await writeFile(join(dist, '.tsbuildinfo'), code);
  }

  async function bundle(): Promise<string[]> {
    const said: string[] = [];
    await bundleServices({ root: folder, say: (line) => said.push(line) });
    return said;
  }

  test('bundles stay as they are until something else is built, and nothing is left of those before', async () => {
    expect(await bundle()).toEqual(['Bundling api, queue, worker, cli …']);
    expect(await bundle()).toEqual([]);

    await build('queue', `process.stdout.write('another queue');`);
    const entry = bundledEntry(folder, 'queue');
    await writeFile(join(dirname(entry), 'old-chunk.js'), '');
    expect(await bundle()).toEqual(['Bundling api, queue, worker, cli …']);
    expect(await readFile(entry, 'utf8')).toContain('another queue');
    expect(await readdir(dirname(entry))).toEqual(['main.js', 'main.js.map']);
  });

  test('a module finds files from where it was, and may not ask for its folder', async () => {
    await build('api', 'process.stdout.write(import.meta.url);');
    await bundle();
    const { stdout } = spawnSync(process.execPath, [bundledEntry(folder, 'api')], { encoding: 'utf8' });
    expect(stdout).toBe(pathToFileURL(join(folder, 'services/api/dist/main.js')).href);

    await build('api', 'process.stdout.write(import.meta.dirname);');
    await expect(bundle()).rejects.toThrow('use import.meta.url');
  });
});
