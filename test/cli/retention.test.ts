import { expect, test } from 'vitest';

import { parley, parleyJson, realm, say, subscribe, succeed, withProcesses } from '../support/index.ts';

test('deleted messages are restored, of one channel or of all', withProcesses, async () => {
  const { realm: home, alice } = await realm();
  const ids: number[] = [];
  for (const name of ['news', 'lunch']) {
    await subscribe(alice, name);
    const id = await say(alice, name);
    ids.push(id);
    await succeed(alice.delete(`/messages/${id}`));
  }
  const seen = async () =>
    (await alice.get('/messages', { anchor: 'newest', num_before: 10 })).messages.map(
      ({ id }: { id: number }) => id,
    );
  const restore = ['retention', 'restore', '--realm', home.name, '--since', '2000-01-01'];
  const asked = await parley(restore);
  expect(asked).toMatchObject({ code: 1, stderr: expect.stringContaining('--yes') });
  expect(await parley([...restore, '--channel', 'nowhere', '--yes'])).toMatchObject({ code: 1 });
  const one = await parleyJson([...restore, '--channel', 'lunch', '--yes']);
  expect(one).toEqual({ realm: home.name, restored: 1, too_old: 0 });
  expect(await seen()).toEqual([ids[1]]);
  expect(await parleyJson([...restore, '--yes'])).toMatchObject({ restored: 1 });
  expect(await seen()).toEqual(ids);
});
