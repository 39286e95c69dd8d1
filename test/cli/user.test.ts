import { expect, test } from 'vitest';

import { parley, parleyJson, realm } from '../support/index.ts';

const password = 'a long and lonely newcomer';

test('an account is created with a role, and everyone hears of it', async () => {
  const { realm: home, alice, bob } = await realm();
  const queue = await alice.listen({ event_types: ['realm_user'] });
  const created = await parleyJson(
    ['user', 'create', 'ned@elsewhere.example', '--realm', home.name, '--name', 'Ned', '--role', 'moderator'],
    { stdin: `${password}\n` },
  );
  expect(created).toMatchObject({ email: 'ned@elsewhere.example', full_name: 'Ned', role: 'moderator' });
  expect(await queue.hears()).toMatchObject([{ op: 'add', person: { full_name: 'Ned', role: 300 } }]);
  const login = { username: 'ned@elsewhere.example', password };
  expect(await bob.post('/fetch_api_key', login)).toMatchObject({ result: 'success' });
});

test('an account is refused as the API refuses it', async () => {
  const { realm: home, alice } = await realm();
  const create = (...args: string[]) =>
    parley(['user', 'create', ...args, '--realm', home.name], { stdin: `${password}\n` });
  expect(await create(alice.email)).toMatchObject({ code: 1, stderr: expect.stringContaining('already') });
  expect(await create('nobody')).toMatchObject({ code: 1 });
  expect(await create('ned@elsewhere.example', '--role', 'king')).toMatchObject({ code: 2 });
  const lost = await parley(['user', 'create', 'a@b.example', '--realm', 'nowhere'], { stdin: 'x' });
  expect(lost).toMatchObject({ code: 1, stderr: expect.stringContaining('parley realm list') });
});
