import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

import { expect, test, vi } from 'vitest';

import { type Person, realm, startOneAddress, tell, withProcesses } from '../support/index.ts';

const page = readFileSync(new URL('../../docs/bots.md', import.meta.url), 'utf8');

/** The code of an example, by its language and what it shows. */
function exampleOf(language: string, what: string): string {
  const [, code] = new RegExp(`^\`\`\`${language} ${what}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(page) ?? [];
  if (code === undefined) throw new Error(`docs/bots.md has no example in ${language} of: ${what}`);
  return code;
}

const languages: Record<string, { program: string; args: (code: string) => string[] }> = {
  sh: { program: 'sh', args: (code) => ['-c', code] },
  python: { program: 'python3', args: (code) => ['-c', code] },
  js: { program: process.execPath, args: (code) => ['--input-type=module', '-e', code] },
};

const needs: Record<string, string> = { sh: 'curl', python: 'python3', js: process.execPath };
const isMissing = (language: string) => spawnSync(needs[language] ?? '', ['--version']).status !== 0;

/** Runs an example as somebody; what it prints, as far as it has got. */
function run(language: string, what: string, { email, apiKey }: Person, env: Record<string, string>) {
  const { program = '', args } = languages[language] ?? {};
  const child: ChildProcess = spawn(program, args?.(exampleOf(language, what)) ?? [], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], EMAIL: email, API_KEY: apiKey, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const printed = { text: '' };
  child.stdout?.on('data', (data: Buffer) => (printed.text += data.toString()));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  return { child, printed, ended };
}

const all = ['sh', 'python', 'js'];
for (const language of all.filter(isMissing)) {
  process.stderr.write(`There is no ${needs[language]}: its examples in docs/bots.md are not run.\n`);
}

test.each(all)('a message is sent as shown in %s', withProcesses, async (language) => {
  if (isMissing(language)) return;
  const { realm: home, alice, bob } = await realm();
  await using site = await startOneAddress(home.host);
  const phone = await bob.listen({ event_types: ['message'] });
  const { printed, ended } = run(language, 'send', alice, { SITE: site.url, TO: bob.email });
  expect(await ended).toBe(0);
  expect(printed.text).toContain('success');
  expect(await phone.hears()).toMatchObject([{ message: { sender_id: alice.id } }]);
});

test('what happens is heard as shown in sh', { ...withProcesses, skip: isMissing('sh') }, async () => {
  const { realm: home, alice, bob } = await realm();
  await using site = await startOneAddress(home.host);
  const { printed, ended } = run('sh', 'listen', alice, { SITE: site.url });
  await vi.waitUntil(() => printed.text.includes('listening'), { timeout: 120_000 });
  await tell(bob, [alice], 'good morning');
  expect(await ended).toBe(0);
  expect(printed.text).toContain('good morning');
});

test.each(['python', 'js'])('messages are answered as shown in %s', withProcesses, async (language) => {
  if (isMissing(language)) return;
  const { realm: home, alice, bob } = await realm();
  await using site = await startOneAddress(home.host);
  const phone = await bob.listen({ event_types: ['message'] });
  const { child, printed, ended } = run(language, 'listen', alice, { SITE: site.url });
  await vi.waitUntil(() => printed.text.includes('listening'), { timeout: 120_000 });
  await tell(bob, [alice], 'good morning');
  const answer = await vi.waitUntil(
    async () => (await phone.hears()).find(({ message }) => message.sender_id === alice.id),
    { timeout: 120_000, interval: 50 },
  );
  expect(answer.message.content).toContain('You said: good morning');
  child.kill('SIGKILL');
  await ended;
});
