import { spawn } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';

import { migrate } from '@parley/db';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { freePort } from './machine/free-port.ts';
import { repoRoot } from './machine/paths.ts';
import { type TemporaryFolder, temporaryFolder } from './machine/temporary-folder.test-support.ts';
import { connectTo } from './postgres/connect-to.ts';
import { startPostgres } from './postgres/start-postgres.ts';
import { eventually } from './testing/eventually.ts';

const entry = join(repoRoot(), 'infra/dist/dev/start.js');
const runModule = JSON.stringify(join(repoRoot(), 'infra/dist/dev/run.js'));
/** As `npm start` does, after it has given up the rights of root, if it has them. */
const asOrdinaryUser = `
  const { run } = await import(${runModule});
  if (process.getuid() === 0) {
    process.setgid(65534);
    process.setuid(65534);
  }
  await run({ api: 1, queue: 1, worker: 1 });
`;

interface Ended {
  code: number | undefined;
  said: string;
}

let folder: TemporaryFolder;
let folders = 0;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder[Symbol.asyncDispose]());

async function newFolder(): Promise<string> {
  folders += 1;
  const dir = join(folder.path, `bad-${folders}`);
  await mkdir(dir);
  return dir;
}

/** What `npm start` is given; databases given to the other tests are not for it. */
async function environment(dir: string): Promise<NodeJS.ProcessEnv> {
  const { DATABASE_URL: _database, REDIS_URL: _redis, ...env } = process.env;
  return { ...env, PARLEY_DIR: dir, PORT: String(await freePort()) };
}

/** Runs a command that does not start Parley, until it has ended. */
async function start(
  dir: string,
  settings: NodeJS.ProcessEnv = {},
  [command = '', ...args]: readonly string[] = [process.execPath, entry],
): Promise<Ended> {
  const env = { ...(await environment(dir)), ...settings };
  const { exitCode, all } = await execa(command, args, {
    env,
    extendEnv: false,
    all: true,
    reject: false,
  });
  return { code: exitCode, said: all };
}

/** It says what to do next and no more than a person can read, ends with 1, and has left nothing running. */
async function expectRefusal({ code, said }: Ended, dir: string, ...sentences: string[]): Promise<void> {
  for (const sentence of sentences) expect(said).toContain(sentence);
  expect(said).toContain('Parley did not start.');
  expect(said).not.toMatch(/^\s+at .*:\d+:\d+/m);
  expect(code).toBe(1);
  const { stdout } = await execa('ps', ['-eo', 'args=']);
  expect(stdout).not.toContain(dir);
}

describe('npm start', () => {
  test('refuses a port on which another program listens', async () => {
    const dir = await newFolder();
    const squatter = createServer();
    const port = await freePort();
    await new Promise<void>((resolve) => squatter.listen(port, '127.0.0.1', resolve));
    const ended = await start(dir, { PORT: String(port) });
    squatter.close();
    await expectRefusal(
      ended,
      dir,
      `Another program listens on port ${port}`,
      'choose another port with PORT=',
    );
  });

  test.each([
    ['PORT', 'http', 'Choose a number from 1 to 65535.'],
    ['PARLEY_PROXY', 'apache', 'Choose nginx or node.'],
    ['DATABASE_URL', 'postgres://parley@127.0.0.1:9/parley', 'Start it, or unset DATABASE_URL'],
    ['REDIS_URL', 'redis://127.0.0.1:9', 'Start it, or unset REDIS_URL'],
  ])('refuses a %s that is of no use: %s', async (name, value, sentence) => {
    const dir = await newFolder();
    await expectRefusal(await start(dir, { [name]: value }), dir, sentence);
  });

  test('refuses a folder that is a file, and leaves the file alone', async () => {
    const dir = join(await newFolder(), 'file');
    await writeFile(dir, 'a letter');
    await expectRefusal(await start(dir), dir, `${dir} is a file`, 'choose another folder with PARLEY_DIR=');
    const below = join(dir, 'folder');
    await expectRefusal(await start(below), below, `${below} is below a file`);
  });

  test.each([
    ['is not there and belongs into the folder of another user', []],
    ['has a folder for Postgres of another user', ['postgres']],
    ['has data of another user', ['postgres', 'postgres/data-18']],
  ])('refuses a folder that %s, and names the user', async (_, others) => {
    const dir = await newFolder();
    // Those of tests belong to whoever runs them, so the ordinary user is another one, or has no rights.
    const paths = others.length === 0 ? [dir] : others.map((name) => join(dir, name));
    for (const path of paths) await mkdir(path, { recursive: true, mode: 0o700 });
    const isRoot = process.getuid?.() === 0;
    const [closed = dir] = paths.slice(-1);
    if (isRoot && others.length > 0) {
      await execa('chown', ['65534:65534', dir, ...paths.slice(0, -1)]);
    }
    if (!isRoot) await execa('chmod', ['000', closed]);
    const target = others.length === 0 ? join(dir, 'new') : dir;
    const command = [process.execPath, '--input-type=module', '-e', asOrdinaryUser];
    const ended = await start(target, {}, command);
    await execa('chmod', ['-R', 'u+rwX', dir]);
    await expectRefusal(ended, dir, `may not use ${closed}`, 'belongs to', 'Start Parley as that user');
  });

  test('refuses data of a Postgres that is not here, and leaves it alone', async () => {
    const dir = await newFolder();
    const data = join(dir, 'postgres/data-9');
    await mkdir(data, { recursive: true });
    await writeFile(join(data, 'PG_VERSION'), '9\n');
    await expectRefusal(await start(dir), dir, `${data} was written by PostgreSQL 9`, 'Install PostgreSQL 9');
    expect(await readdir(join(dir, 'postgres'))).toEqual(['data-9']);
  });

  test('refuses a folder of data that is not that of a Postgres', async () => {
    const dir = await newFolder();
    const data = join(dir, 'postgres/data-18');
    await mkdir(data, { recursive: true });
    await writeFile(join(data, 'letter'), 'dear');
    await expectRefusal(await start(dir), dir, `${data} lacks PG_VERSION`, 'move it away to begin anew');
    expect(await readdir(data)).toEqual(['letter']);
  });

  test('shows the log of a Postgres that cannot start, and says where its data is', async () => {
    const dir = await newFolder();
    await using postgres = await startPostgres({ dir, durable: false, say: () => {} });
    const data = /data in (.*)$/.exec(postgres.source)?.[1] ?? '';
    await postgres.stop();
    await writeFile(join(data, 'postgresql.conf'), 'shared_buffers = a lot\n');
    await expectRefusal(
      await start(dir),
      dir,
      'postgres ended with exit code',
      `restore ${data} from a backup`,
      'contains errors',
    );
  });

  test('refuses data of a newer version of Parley, and leaves it alone', async () => {
    const dir = await newFolder();
    const future = { hash: 'future', at: 9_999_999_999_999 };
    {
      await using postgres = await startPostgres({ dir, durable: false, say: () => {} });
      await migrate(postgres.url);
      await connectTo(postgres.url, async (sql) => {
        await sql`insert into drizzle.__drizzle_migrations (hash, created_at) values (${future.hash}, ${future.at})`;
        await sql`create function of_the_future() returns int language sql as 'select 1'`;
      });
    }
    await expectRefusal(await start(dir), dir, 'a newer version of Parley', 'Check that version out again');
    await using postgres = await startPostgres({ dir, durable: false, say: () => {} });
    await connectTo(postgres.url, async (sql) => {
      expect(await sql`select of_the_future() as one`).toEqual([{ one: 1 }]);
      expect(await sql`select to_regclass('drizzle.__drizzle_migrations') is not null as is`).toEqual([
        { is: true },
      ]);
      expect(await sql`select from realms`).toHaveLength(0);
    });
  });

  test('says so when there is no space, and leaves no half of a database', async () => {
    const dir = await newFolder();
    // No file may be longer than half a megabyte, which Postgres meets as it meets a full disk.
    const limited = ['/bin/sh', '-c', 'ulimit -f 1000; exec "$@"', 'sh', process.execPath, entry];
    const ended = await start(dir, {}, limited);
    await expectRefusal(ended, dir, 'There is no space left.', 'Make room on the disk.');
    expect(await readdir(join(dir, 'postgres'))).toEqual([]);
  });

  test('runs once in a folder, also when two start at the same moment and the one before was killed', async () => {
    const dir = await newFolder();
    const begin = async () => {
      const child = spawn(process.execPath, [entry], {
        env: await environment(dir),
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let said = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => (said += String(chunk)));
      const ended = new Promise<Ended>((resolve) =>
        child.once('close', (code) => resolve({ code: code ?? undefined, said })),
      );
      return { child, ended, said: () => said };
    };
    for (let life = 0; life < 2; life += 1) {
      const both = await Promise.all([begin(), begin()]);
      const refused = await Promise.race(both.map(({ ended }) => ended));
      expect(refused.said).toContain(`Parley already runs in ${dir}, at http://127.0.0.1:`);
      expect(refused.said).toContain('Use that one, stop it with Ctrl-C, or start another beside it');
      expect(refused.code).toBe(1);
      const [first] = both.filter(({ child }) => child.exitCode === null);
      await eventually(() => first?.said().includes('Postgres:') ?? false);
      first?.child.kill('SIGKILL');
      expect((await first?.ended)?.said).not.toContain('did not start');
    }
    await eventually(async () => !(await execa('ps', ['-eo', 'args='])).stdout.includes(dir));
  });
});

describe('an unsupported Node', () => {
  const check = join(repoRoot(), 'infra/check-node.cjs');
  const runAs = async (version: string) => {
    const pretend = `Object.defineProperty(process.versions, 'node', { value: '${version}' }); require('${check}');`;
    return await execa(process.execPath, ['-e', pretend], { reject: false });
  };

  test.each(['0.10.48', '18.20.8', '20.18.3', '21.7.3', '22.11.0'])('%s is refused', async (version) => {
    const { exitCode, stderr } = await runAs(version);
    expect(stderr).toContain(`Parley needs Node 20.19, 22.12 or newer, and this is Node ${version}`);
    expect(stderr).toContain('nvm install 24');
    expect(exitCode).toBe(1);
  });

  test.each(['20.19.0', '22.12.0', '24.0.0', '26.10.0'])('%s is not', async (version) => {
    expect(await runAs(version)).toMatchObject({ exitCode: 0, stderr: '' });
  });
});
