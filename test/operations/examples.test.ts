import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { goProgramPath } from '@parley/infra';
import { expect, test, vi } from 'vitest';

import { k6 } from '../load/k6/k6.ts';
import {
  type Json,
  type Person,
  createChannel,
  createWebhookBot,
  realm,
  runWebhooks,
  say,
  startOneAddress,
  succeed,
  tell,
  webhookClient,
  withProcesses,
} from '../support/index.ts';

const folder = new URL('../../examples/', import.meta.url);
const fileOf = (name: string) => fileURLToPath(new URL(name, folder));

const answers = (program: string) => spawnSync(program, ['--version']).status === 0;
const hasPython = answers('python3');
const k6Program = [goProgramPath(k6), 'k6'].find((path) =>
  path === 'k6' ? answers(path) : existsSync(path),
);
const missing = { 'channel-bot.py': hasPython, 'load.js': k6Program !== undefined };
for (const [name, isThere] of Object.entries(missing)) {
  if (!isThere) process.stderr.write(`examples/${name} is not run: its program is missing here.\n`);
}

/** How a file is run, as it says at its top. Node runs TypeScript itself, or what was built of it. */
function commandOf(name: string): [string, ...string[]] {
  if (name.endsWith('.py')) return ['python3', fileOf(name)];
  if (name.endsWith('.sh')) return ['sh', fileOf(name)];
  const hasTypes = 'typescript' in process.features && process.features.typescript !== false;
  return [process.execPath, fileOf(hasTypes ? name : `dist/${name.replace(/\.ts$/, '.js')}`)];
}

/** A running example. It ends with the test. */
interface Running extends AsyncDisposable {
  printed(): string;
  ended: Promise<number | null>;
}

function run([program, ...args]: string[], env: Record<string, string>): Running {
  const child: ChildProcess = spawn(program ?? '', args, {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout?.on('data', (data: Buffer) => {
    text += data.toString();
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  return {
    printed: () => text,
    ended,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

const listening = (example: Running) =>
  vi.waitUntil(() => /^Listening .*$/m.exec(example.printed())?.[0], { timeout: 120_000 });

const createBot = async (owner: Person, more: object): Promise<Json> => {
  const made = await succeed(owner.post('/bots', { full_name: 'Helper', short_name: 'helper', ...more }));
  const { user } = await succeed(owner.get(`/users/${made.user_id}`));
  return { ...made, email: user.email };
};

test.each(['channel-bot.ts', 'channel-bot.py'])(
  'the bot of examples/%s answers in its channel',
  withProcesses,
  async (name) => {
    if (name.endsWith('.py') && !hasPython) return;
    const { realm: home, alice, bob } = await realm();
    const lunch = await createChannel(alice, 'lunch', [alice, bob]);
    const { email, api_key } = await createBot(alice, { bot_type: 1 });
    await using site = await startOneAddress(home.host);
    const phone = await bob.listen({ event_types: ['message'] });
    await using bot = run(commandOf(name), {
      SITE: site.url,
      EMAIL: email,
      API_KEY: api_key,
      CHANNEL: 'lunch',
    });
    await listening(bot);
    await say(bob, lunch, 'drinks', 'What shall we drink?');
    await say(bob, lunch, 'drinks', '!choose tea');
    const answer = await vi.waitUntil(
      async () => (await phone.hears()).find(({ message }) => message.sender_email === email),
      { timeout: 120_000, interval: 50 },
    );
    expect(answer.message).toMatchObject({ stream_id: lunch, subject: 'drinks' });
    expect(answer.message.content).toContain('tea');
  },
);

test('the service of examples/outgoing-webhook.ts tells its bot what to say', withProcesses, async () => {
  const { alice, bob } = await realm();
  const bot = await createWebhookBot(alice, 'http://127.0.0.1:9/');
  const { realm_bots } = await alice.post('/register', { fetch_event_types: ['realm_bot'] });
  const [service] = realm_bots.find(({ user_id }: Json) => user_id === bot.id).services;
  await using example = run(commandOf('outgoing-webhook.ts'), { BOT_TOKEN: service.token, PORT: '0' });
  const address = /http\S+/.exec((await listening(example)) ?? '')?.[0];
  await succeed(alice.patch(`/bots/${bot.id}`, { service_payload_url: JSON.stringify(address) }));
  const phone = await bob.listen({ event_types: ['message'] });
  await tell(bob, [bot], 'how many words');
  await using webhooks = webhookClient();
  await runWebhooks({ webhooks });
  const said = (await phone.hears()).map(({ message }) => message.content);
  expect(said.at(-1)).toContain('that was 3 words.');
});

test('examples/incoming-webhook.sh tells a channel whatever it is given', withProcesses, async () => {
  const { realm: home, alice } = await realm();
  await createChannel(alice, 'ops & more', [alice]);
  const { api_key } = await createBot(alice, { bot_type: 2 });
  await using site = await startOneAddress(home.host);
  const phone = await alice.listen({ event_types: ['message'] });
  const env = { SITE: site.url, API_KEY: api_key, CHANNEL: 'ops & more', TOPIC: 'backups / größte' };
  await using example = run([...commandOf('incoming-webhook.sh'), 'The "big" backup \\ is done.'], env);
  expect(await example.ended).toBe(0);
  expect(example.printed()).toContain('"result":"success"');
  const [heard] = await phone.hears();
  expect(heard?.message).toMatchObject({ display_recipient: 'ops & more', subject: 'backups / größte' });
  expect(heard?.message.content).toContain('The "big" backup \\ is done.');
});

test('examples/load.js meets no error and hears events in order', withProcesses, async () => {
  if (k6Program === undefined) return;
  const { realm: home, alice } = await realm();
  await createChannel(alice, 'lunch', [alice]);
  await using site = await startOneAddress(home.host);
  const settings = {
    SITE: site.url,
    EMAIL: alice.email,
    API_KEY: alice.apiKey,
    CHANNEL: 'lunch',
    CLIENTS: '3',
    RATE: '2',
    SECONDS: '6',
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  const command = [k6Program, 'run', '--quiet', '--no-usage-report', ...flags, fileOf('load.js')];
  await using example = run(command, {});
  const code = await example.ended;
  expect(example.printed()).toMatch(/events_heard\.*: [1-9]/);
  expect(code).toBe(0);
});
