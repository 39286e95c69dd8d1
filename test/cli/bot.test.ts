import { expect, test } from 'vitest';

import { basic, parley, parleyJson, realm, withProcesses } from '../support/index.ts';

interface Key {
  api_key: string;
}

test('a bot is created, its key is shown and replaced', withProcesses, async () => {
  const { realm: home, alice } = await realm();
  const inRealm = ['--realm', home.name];
  const create = ['bot', 'create', 'chatter', '--owner', alice.email, '--name', 'Chatter'];
  const created = await parleyJson<{ email: string; user_id: number }>([...create, ...inRealm]);
  expect(created).toMatchObject({ full_name: 'Chatter', type: 'generic', owner: alice.email });
  expect((await alice.get('/bots')).bots).toMatchObject([{ username: created.email }]);

  const show = () => parleyJson<Key>(['key', 'show', created.email, ...inRealm]);
  const { api_key } = await show();
  const asBot = (key: string) =>
    alice.ask('GET', '/users/me', {}, { authorization: basic(created.email, key) });
  expect((await asBot(api_key)).body).toMatchObject({ user_id: created.user_id });

  const unasked = await parley(['key', 'regenerate', created.email, ...inRealm]);
  expect(unasked).toMatchObject({ code: 1, stderr: expect.stringContaining('--yes') });
  const replaced = await parley(['key', 'regenerate', created.email, '--yes', ...inRealm]);
  const next = (await show()).api_key;
  expect(next).not.toBe(api_key);
  expect(replaced.stdout + replaced.stderr).not.toContain(next);
  expect((await asBot(api_key)).status).toBe(401);
  expect((await asBot(next)).status).toBe(200);
});

test(
  'a bot is refused where its owner could not create it, and a key needs the secret',
  withProcesses,
  async () => {
    const { realm: home, alice, guest } = await realm();
    const inRealm = ['--realm', home.name];
    const create = (...args: string[]) => parley(['bot', 'create', 'hook', ...args, ...inRealm]);
    expect(await create('--owner', guest.email)).toMatchObject({ code: 1 });
    expect(await create('--owner', alice.email, '--type', 'outgoingWebhook')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--url'),
    });
    const url = ['--type', 'outgoingWebhook', '--url', 'https://hook.example/in'];
    expect(await create('--owner', alice.email, ...url)).toMatchObject({ code: 0 });
    const shown = await parley(['key', 'show', alice.email, ...inRealm], {
      env: { PARLEY_SECRET: undefined },
    });
    expect(shown).toMatchObject({ code: 1, stderr: expect.stringContaining('PARLEY_SECRET') });
  },
);
