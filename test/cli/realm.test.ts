import { expect, test } from 'vitest';

import {
  basic,
  call,
  getWorld,
  parley,
  parleyJson,
  parleyProcess,
  realm,
  withProcesses,
} from '../support/index.ts';

const password = 'a long and lonely founder';
const acme = ['realm', 'create', 'acme', '--name', 'Acme', '--owner-email', 'olivia@acme.example'];

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

test('an organization is founded, its owner logs in and creates accounts', withProcesses, async () => {
  const weak = await parley(acme, { stdin: 'password1\n' });
  expect(weak).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('too easy to guess') });

  const done = await parleyProcess([...acme, '--owner-name', 'Olivia'], { stdin: `${password}\n` });
  expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining('http://acme.localhost:9991') });
  expect(done.stdout + done.stderr).not.toContain(password);

  const { api_key, email } = await post('/fetch_api_key', { username: 'olivia@acme.example', password });
  const owner = basic(email, api_key);
  const newcomer = { email: 'ned@acme.example', full_name: 'Ned', password: 'a long and lonely newcomer' };
  expect(await post('/users', newcomer, owner)).toMatchObject({ result: 'success' });

  const again = await parley(acme, { stdin: `${password}\n` });
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('already') });
});

test('nothing is founded where anything is missing or cannot be', withProcesses, async () => {
  const missing = await parley(['realm', 'create', 'x']);
  expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('--owner-email') });
  const named = (name: string, email: string) => [
    'realm',
    'create',
    name,
    '--name',
    'X',
    '--owner-email',
    email,
  ];
  const stdin = `${password}\n`;
  expect(await parley(named('no.dots', 'a@b.example'), { stdin })).toMatchObject({ code: 1 });
  expect(await parley(named('xylon', 'nobody'), { stdin })).toMatchObject({ code: 1 });
  const silent = await parley(named('xylon', 'a@b.example'));
  expect(silent).toMatchObject({ code: 1, stderr: expect.stringContaining('standard input') });
});

test('organizations are listed, and one that is ended refuses its people', withProcesses, async () => {
  const { realm: home, alice } = await realm();
  const { name } = home;
  const listed = async () => {
    const { realms } = await parleyJson<{ realms: { realm: string }[] }>(['realm', 'list']);
    return realms.find((one) => one.realm === name);
  };
  expect(await listed()).toMatchObject({ is_active: true, url: `http://${name}.localhost:9991` });

  const unasked = await parley(['realm', 'deactivate', name]);
  expect(unasked).toMatchObject({ code: 1, stderr: expect.stringContaining('--yes') });
  expect(await parleyJson(['realm', 'deactivate', name, '--yes'])).toEqual({ realm: name, is_active: false });
  expect(await alice.get('/users/me')).toMatchObject({ msg: expect.stringContaining('deactivated') });
  expect(await listed()).toMatchObject({ is_active: false });
  expect(await parley(['realm', 'deactivate', name, '--yes'])).toMatchObject({ code: 1 });
});

test('the database has to be there, and failures are JSON where that is wanted', withProcesses, async () => {
  const unset = await parleyProcess(['realm', 'list'], { env: { DATABASE_URL: '', PARLEY_DIR: '/nowhere' } });
  expect(unset).toMatchObject({ code: 1, stderr: expect.stringContaining('DATABASE_URL') });
  const away = { env: { DATABASE_URL: 'postgres://127.0.0.1:1/none' } };
  const { code, stdout, stderr } = await parleyProcess(['realm', 'list', '--json'], away);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(JSON.parse(stderr)).toMatchObject({ error: expect.stringContaining('Postgres') });
});
