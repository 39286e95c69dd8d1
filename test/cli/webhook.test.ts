import { expect, test } from 'vitest';

import { failWebhook, parley, parleyJson, realm, withProcesses } from '../support/index.ts';

test('messages that bots did not get are listed, replayed and dropped', withProcesses, async () => {
  const { realm: home, admin, bob } = await realm();
  const inRealm = ['--realm', home.name];
  const ids = [await failWebhook(bob), await failWebhook(bob), await failWebhook(bob)];
  const list = async () => {
    const listed = await parleyJson<{ failures: { id: number }[] }>(['webhook', 'failures', ...inRealm]);
    return listed.failures.map(({ id }) => id);
  };
  expect(await list()).toEqual(ids.toReversed());
  expect(await parleyJson(['webhook', 'replay', String(ids[1]), ...inRealm])).toEqual({ replayed: 1 });
  expect(await list()).toEqual([ids[2], ids[0]]);
  expect(await parley(['webhook', 'drop', String(ids[1]), ...inRealm])).toMatchObject({ code: 1 });
  expect(await parleyJson(['webhook', 'drop', '--all', ...inRealm])).toEqual({ dropped: 2 });
  expect((await admin.get('/realm/webhook_failures')).failures).toEqual([]);
});
