import { expect, test } from 'vitest';

import { getWorld, headOf, parleyJson, realm, subscribe, withProcesses } from '../support/index.ts';

interface Logs {
  logs: { seq: number; kept: number; oldest_at: string | null }[];
}

test('the ends of logs are shown, and what is too old is deleted', withProcesses, async () => {
  const { realm: home, alice } = await realm();
  const show = async () => (await parleyJson<Logs>(['log', 'head', '--realm', home.name])).logs;
  await subscribe(alice, 'news');
  const seq = await headOf(home.id);
  const [log] = await show();
  expect(log).toMatchObject({ seq, kept: expect.any(Number) });
  const older = (log?.kept ?? 0) - 1;
  expect(older).toBeGreaterThan(0);

  const { sql } = await getWorld();
  await sql`update event_log set appended_at = now() - interval '2 hours' where realm_id = ${home.id} and seq < ${seq}`;
  expect(await parleyJson(['log', 'trim'])).toMatchObject({
    kept_minutes: 60,
    deleted: { entries: older },
  });
  expect(await show()).toMatchObject([{ seq, kept: 1 }]);
});
