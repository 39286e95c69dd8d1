import { spawnSync } from 'node:child_process';
import { lstat, mkdir, readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';

import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';

import { bundleServices } from '../bundle/bundle-services.ts';
import { freePort } from '../dev/machine/free-port.ts';
import { repoRoot } from '../dev/machine/paths.ts';
import { isRoot } from '../dev/machine/server-user.ts';
import { type TemporaryFolder, temporaryFolder } from '../dev/machine/temporary-folder.test-support.ts';
import { spawnTied } from '../dev/machine/tied-process.ts';
import { startPostgres } from '../dev/postgres/start-postgres.ts';
import { startRedis } from '../dev/redis/start-redis.ts';
import { buildClient } from '../web/build-client.ts';
import { stage } from './stage.ts';

/** Whom the image runs as. Started by somebody else, the test runs as them. */
const user = isRoot() ? { name: 'parley', uid: 10_001, gid: 10_001 } : undefined;
const identity = user ? { uid: user.uid, gid: user.gid } : {};

/** What the replies have that the test asks for. */
interface Reply {
  queue_id: string;
  last_event_id: number;
  user_id: number;
  id: number;
}

let folder: TemporaryFolder;
let image: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  image = join(folder.path, 'image');
  await buildClient({ root: repoRoot(), say: () => {} });
  await bundleServices({ root: repoRoot(), say: () => {} });
  await stage(repoRoot(), image);
});
afterAll(() => folder[Symbol.asyncDispose]());

async function filesOf(path: string) {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries.map((entry) => ({ entry, path: relative(image, join(entry.parentPath, entry.name)) }));
}

describe('what the image holds', () => {
  test('is what runs, and nothing for development', async () => {
    const files = (await filesOf(image)).map(({ path }) => path);
    const ours = files.filter((path) => !path.includes('node_modules/'));
    expect(ours).toEqual(
      expect.arrayContaining([
        'start.js',
        'LICENSE',
        'NOTICE',
        'services/worker/dist/bundled/main.js',
        'shared/db/functions/create_log_head.sql',
        'shared/redis/scripts/count-queue.lua',
        'services/api/assets/loading.svg',
        'services/web/dist/client/index.html',
        'services/web/dist/client/index.html.br',
      ]),
    );
    expect(
      ours.filter((path) => /\.test\.|\.test-support\.|\.ts$|\.map$|^(?:test|infra)\b/.test(path)),
    ).toEqual([]);
    const packages = new Set(files.map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path)?.[1]));
    for (const name of ['postgres', 'sharp', 'bullmq', '@parley/api']) expect(packages).toContain(name);
    for (const name of ['vitest', 'typescript', 'turbo', 'execa', '@parley/infra', '@parley/test']) {
      expect(packages).not.toContain(name);
    }
  });

  test('leads nowhere outside, and can be written by nobody but its owner', async () => {
    const wrong: string[] = [];
    for (const { entry, path } of await filesOf(image)) {
      const { mode } = await lstat(join(image, path));
      if (!entry.isSymbolicLink() && mode & 0o022) wrong.push(path);
    }
    expect(wrong).toEqual([]);
    const { stdout } = await execa('find', ['-L', image, '-type', 'l']);
    expect(stdout, 'links to nothing').toBe('');
  });

  test('says which roles there are', () => {
    const { status, stderr } = spawnSync(process.execPath, ['start.js', 'toString'], { cwd: image });
    expect(status).toBe(2);
    expect(String(stderr)).toContain('api, queue, worker, migrate, parley');
  });
});

test('each role runs from it, as a user who may write nothing of it', async () => {
  const dir = folder.path;
  await using postgres = await startPostgres({ dir, durable: false, say: () => {} });
  await using redis = await startRedis({ dir, say: () => {} });
  const env = {
    PATH: process.env.PATH,
    NODE_ENV: 'production',
    HOME: '/nonexistent',
    HOST: '127.0.0.1',
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
    PARLEY_SECRET: 'a secret that only this test knows, and nobody else',
    ROOT_REALM: 'acme',
    UPLOADS_DIR: join(dir, 'uploads'),
  };
  await mkdir(env.UPLOADS_DIR, { mode: 0o777, recursive: true });
  const start = join(image, 'start.js');
  const run = async (args: string[], input = '') =>
    await execa(process.execPath, [start, ...args], {
      cwd: image,
      env,
      input,
      extendEnv: false,
      ...identity,
    });

  const serve = async (role: string) => {
    const PORT = String(await freePort());
    const child = spawnTied(process.execPath, [start, role], {
      cwd: image,
      env: { ...env, PORT },
      stdio: 'ignore',
      deathSignal: 'KILL',
      user,
    });
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    onTestFinished(() => void child.kill('SIGKILL'));
    const url = `http://127.0.0.1:${PORT}`;
    const statusOf = (path: string) =>
      fetch(url + path).then(
        ({ status }) => status,
        () => 0,
      );
    await vi.waitUntil(async () => (await statusOf('/health')) === 200, { timeout: 60_000, interval: 50 });
    return { role, child, ended, url, statusOf };
  };
  const [api, queue, worker] = await Promise.all([serve('api'), serve('queue'), serve('worker')]);
  const nodes = [api, queue, worker];

  expect(await Promise.all(nodes.map(({ statusOf }) => statusOf('/ready')))).toEqual([503, 503, 503]);
  await run(['migrate']);
  for (const { statusOf } of nodes) {
    await vi.waitUntil(async () => (await statusOf('/ready')) === 200, { timeout: 60_000, interval: 50 });
  }
  const writable = user ? await execa('find', [image, '-writable', '-not', '-type', 'l'], identity) : null;
  expect(writable?.stdout ?? '').toBe('');

  const owner = 'olivia@acme.example';
  await run(
    ['parley', 'realm', 'create', 'acme', '--name', 'Acme', '--owner-email', owner],
    'a long and lonely founder\n',
  );
  const { stdout: key } = await run(['parley', 'key', 'show', owner]);
  const ask = async (method: string, url: string, fields: Record<string, string>) => {
    const parameters = new URLSearchParams(fields);
    const response = await fetch(method === 'GET' ? `${url}?${parameters.toString()}` : url, {
      method,
      headers: { Authorization: `Basic ${Buffer.from(`${owner}:${key}`).toString('base64')}` },
      ...(method === 'POST' && { body: parameters }),
    });
    return (await response.json()) as Reply;
  };
  const { queue_id, last_event_id, user_id } = await ask('POST', `${api.url}/api/v1/register`, {});
  const sent = await ask('POST', `${api.url}/api/v1/messages`, {
    type: 'direct',
    to: `[${user_id}]`,
    content: 'It **runs**.',
  });
  expect(sent).toMatchObject({ result: 'success' });
  const heard = await ask('GET', `${queue.url}/api/v1/events`, {
    queue_id,
    last_event_id: String(last_event_id),
  });
  expect(heard).toMatchObject({ events: [{ type: 'message', message: { id: sent.id } }] });

  for (const { child } of nodes) child.kill('SIGTERM');
  expect(await Promise.all(nodes.map(({ ended }) => ended))).toEqual([0, 0, 0]);
});
