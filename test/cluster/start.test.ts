import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { type DemoUser, freePort } from '@parley/infra';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import type { Json } from '../support/http.ts';

const program = fileURLToPath(new URL('../../infra/dist/dev/start.js', import.meta.url));
const cleanUp: (() => Promise<void>)[] = [];

afterAll(async () => {
  for (const step of cleanUp.splice(0).reverse()) await step();
});

interface Started {
  dir: string;
  /** All that it printed so far. */
  readonly printed: () => string;
  baseUrl: string;
  users: DemoUser[];
  /** Ctrl-C; resolves with the exit code. */
  interrupt(): Promise<number | null>;
}

async function temporaryFolder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'parley-start-'));
  // Postgres does not run as root, and its own user has to get in.
  await chmod(dir, 0o755);
  cleanUp.push(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

/** `npm start`, as a newcomer runs it; databases given to the other tests are not for it. */
async function start(dir: string): Promise<Started> {
  const { DATABASE_URL: _database, REDIS_URL: _redis, ...env } = process.env;
  const port = await freePort();
  const child = spawn(process.execPath, [program], {
    env: { ...env, PORT: String(port), PARLEY_DIR: dir },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const interrupt = () => {
    child.kill('SIGINT');
    return ended;
  };
  cleanUp.push(async () => void (child.exitCode === null && (await interrupt())));
  const printed = await untilPrinted(child, 'content=It works.');
  const { base_url, users } = JSON.parse(await readFile(join(dir, 'dev.json'), 'utf8'));
  return { dir, printed, baseUrl: base_url, users, interrupt };
}

async function untilPrinted({ stdout }: ChildProcess, last: string): Promise<() => string> {
  let text = '';
  await new Promise<void>((resolve, reject) => {
    stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes(last)) resolve();
    });
    stdout?.once('end', () => reject(new Error(`It ended early:\n${text}`)));
  });
  return () => text;
}

async function request(
  baseUrl: string,
  path: string,
  options: { user?: DemoUser; form?: object } = {},
): Promise<Json> {
  const { user, form } = options;
  const authorization = user && `Basic ${Buffer.from(`${user.email}:${user.api_key}`).toString('base64')}`;
  const reply = await fetch(`${baseUrl}/api/v1${path}`, {
    headers: { ...(authorization && { authorization }) },
    ...(form && { method: 'POST', body: new URLSearchParams({ ...form }) }),
  });
  return await reply.json();
}

/** Runs what was printed between two headlines, in a shell, as pasted. */
function paste(printed: string, from: string, to?: string): Promise<string> {
  const begin = printed.indexOf(from) + from.length;
  const snippet = printed.slice(begin, to === undefined ? undefined : printed.indexOf(to));
  const shell = spawn('bash', ['-c', snippet], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  shell.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve) => shell.once('close', () => resolve(output)));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const runningPrograms = () => execFileSync('ps', ['-eo', 'args='], { encoding: 'utf8' });

describe('npm start', () => {
  /** What all use that leave it as it was. The last test ends it. */
  let running: Started;
  /** Another one, of which an account changes. */
  let other: Started;
  beforeAll(async () => {
    const folders = [await temporaryFolder(), await temporaryFolder()] as const;
    [running, other] = await Promise.all([start(folders[0]), start(folders[1])]);
  });

  test('prints commands that work when pasted: a poll waits, and a message answers it', async () => {
    const { printed } = running;
    const poll = { reply: '' };
    const heard = paste(printed(), 'wait for a message:', 'In a third').then((reply) => (poll.reply = reply));
    // Sent until it is heard: when the first command waits cannot be seen from outside.
    while (poll.reply === '') {
      const sent: Json = JSON.parse(await paste(printed(), 'send it:'));
      expect(sent.result).toBe('success');
    }
    const reply: Json = JSON.parse(await heard);
    expect(reply.events[0]).toMatchObject({ type: 'message', message: { content: 'It works.' } });
  });

  test('writes logins of every kind, each of which works', async () => {
    const { baseUrl, users } = running;
    const kinds = users.map(({ role }) => role).sort();
    const people = ['owner', 'administrator', 'moderator', 'member', 'member', 'member', 'guest'];
    expect(kinds).toEqual([...people, 'generic_bot', 'outgoing_webhook_bot'].sort());
    for (const user of users) {
      const { email, password, api_key, user_id, name } = user;
      expect(await request(baseUrl, '/users/me', { user })).toMatchObject({
        user_id,
        full_name: name,
        delivery_email: email,
      });
      const login = { result: 'success', api_key, email, user_id };
      const form = { username: email, password: password ?? 'parley-demo' };
      const byPassword = password === undefined ? { code: 'AUTHENTICATION_FAILED' } : login;
      expect(await request(baseUrl, '/fetch_api_key', { form })).toMatchObject(byPassword);
      expect(await request(baseUrl, '/dev_fetch_api_key', { form: { username: email } })).toMatchObject(
        login,
      );
    }
  });

  test('lets the owner create accounts, and bots, which get an address', async () => {
    const { baseUrl, users } = running;
    const [user] = users;
    if (!user) throw new Error('There are no logins.');
    const newcomer = { email: 'ned@demo.example', full_name: 'Ned', password: 'a long and lonely newcomer' };
    expect(await request(baseUrl, '/users', { user, form: newcomer })).toMatchObject({ result: 'success' });
    const bot = { full_name: 'Robot', short_name: 'robot' };
    const made = await request(baseUrl, '/bots', { user, form: bot });
    expect(made).toMatchObject({ result: 'success' });
    expect(await request(baseUrl, '/users/robot-bot@demo.example', { user })).toMatchObject({
      user: { user_id: made.user_id },
    });
  });

  test('writes mail into the folder that it names, and its links lead here', async () => {
    const { dir, printed, baseUrl, users } = other;
    const user = users.find(({ role }) => role === 'member');
    const mailbox = join(dir, 'mail');
    expect(printed()).toContain(mailbox);
    const body = new URLSearchParams({ email: 'alice@new.example' });
    const Authorization = `Basic ${Buffer.from(`${user?.email}:${user?.api_key}`).toString('base64')}`;
    const asked = await fetch(`${baseUrl}/api/v1/settings`, {
      method: 'PATCH',
      headers: { Authorization },
      body,
    });
    expect(asked.status).toBe(200);

    const confirmation = await vi.waitUntil(
      async () => {
        const names = await readdir(mailbox).catch(() => []);
        const mails = await Promise.all(names.map(async (name) => await readFile(join(mailbox, name))));
        const texts = await Promise.all(mails.map(async (mail) => (await PostalMime.parse(mail)).text ?? ''));
        return texts.find((text) => text.includes('confirm_new_email'));
      },
      { timeout: 60_000, interval: 50 },
    );
    const { pathname } = new URL(/\S+confirm_new_email\S+/.exec(confirmation)?.[0] ?? '');
    const confirmed = await fetch(`${baseUrl}${pathname}`, { method: 'POST' });
    expect(await confirmed.text()).toContain('alice@new.example');
  });

  test('runs beside another in a folder and on a port of its own', async () => {
    const both = [running, other] as const;
    const [here, there] = both;
    expect(here.baseUrl).not.toBe(there.baseUrl);
    for (const { baseUrl, users } of both) {
      const [user] = users;
      if (!user) throw new Error('There are no logins.');
      expect(await request(baseUrl, '/users/me', { user })).toMatchObject({ user_id: user.user_id });
    }
  });

  test('ends cleanly with Ctrl-C, leaves nothing running, and goes on with the same data', async () => {
    const first = running;
    const { dir } = first;
    const [user] = first.users;
    const form = { type: 'channel', to: 'general', topic: 'kept', content: 'kept' };
    if (!user) throw new Error('There are no logins.');
    const { id } = await request(first.baseUrl, '/messages', { user, form });
    const { nodes } = JSON.parse(await readFile(join(dir, 'cluster.json'), 'utf8'));
    const pids = nodes.map(({ pid }: { pid: number }) => pid);
    expect(pids.every(isAlive)).toBe(true);
    expect(runningPrograms()).toContain(dir);

    expect(await first.interrupt()).toBe(0);
    expect(pids.some(isAlive)).toBe(false);
    // The stores and the proxy, too, which are started with paths in the folder.
    expect(runningPrograms()).not.toContain(dir);
    expect(['dev.json', 'cluster.json'].filter((name) => existsSync(join(dir, name)))).toEqual([]);

    const second = await start(dir);
    expect(second.users).toEqual(first.users);
    const query = '/messages?anchor=newest&num_before=1&num_after=0';
    expect((await request(second.baseUrl, query, { user })).messages).toMatchObject([
      { id, subject: 'kept' },
    ]);
  });
});
