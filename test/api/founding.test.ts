import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

import { basic, call, getWorld } from '../support/index.ts';

const program = new URL('../../infra/dist/found/main.js', import.meta.url).pathname;
const password = 'a long and lonely founder';

/** Runs `npm run found` over the file's database, without its build. */
async function found(args: string[], input: { env?: object; stdin?: string } = {}) {
  const { databaseUrl } = await getWorld();
  const env = { PATH: process.env['PATH'], DATABASE_URL: databaseUrl, ...input.env };
  const running = promisify(execFile)(process.execPath, [program, ...args], { env });
  running.child.stdin?.end(input.stdin ?? '');
  return await running.then(
    ({ stdout, stderr }) => ({ code: 0, text: stdout + stderr }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      text: error.stdout + error.stderr,
    }),
  );
}

const acme = ['--realm', 'acme', '--name', 'Acme', '--owner-email', 'olivia@acme.example'];

async function post(path: string, body: object, authorization?: string) {
  const { ports } = await getWorld();
  const headers = {
    Host: 'acme.localhost',
    'Content-Type': 'application/x-www-form-urlencoded',
    ...(authorization && { Authorization: authorization }),
  };
  const encoded = new URLSearchParams(body as Record<string, string>).toString();
  return (await call({ port: ports.api, method: 'POST', path: `/api/v1${path}`, headers, body: encoded }))
    .body;
}

test('an organization is founded, its owner logs in and creates accounts', async () => {
  const weak = await found([...acme, '--owner-name', 'Olivia'], { stdin: 'password1\n' });
  expect(weak).toEqual({ code: 1, text: expect.stringContaining('too weak') });

  const done = await found([...acme, '--owner-name', 'Olivia'], { stdin: `${password}\n` });
  expect(done).toEqual({ code: 0, text: expect.stringContaining('http://acme.localhost:9991') });
  expect(done.text).not.toContain(password);

  const { api_key, email } = await post('/fetch_api_key', { username: 'olivia@acme.example', password });
  const owner = basic(email, api_key);
  const newcomer = { email: 'ned@acme.example', full_name: 'Ned', password: 'a long and lonely newcomer' };
  expect(await post('/users', newcomer, owner)).toMatchObject({ result: 'success' });

  expect(await found(acme, { env: { OWNER_PASSWORD: password } })).toEqual({
    code: 1,
    text: expect.stringContaining('already'),
  });
});

test('nothing is founded where anything is missing or cannot be', async () => {
  expect(await found(['--realm', 'x'])).toMatchObject({
    code: 2,
    text: expect.stringContaining('--owner-email'),
  });
  const env = { OWNER_PASSWORD: password };
  const named = (realm: string, email: string) => ['--realm', realm, '--name', 'X', '--owner-email', email];
  expect(await found(named('no.dots', 'a@b.example'), { env })).toMatchObject({ code: 1 });
  expect(await found(named('xylon', 'nobody'), { env })).toMatchObject({ code: 1 });
});
