import { readHeads } from '@parley/log';
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

test('a new epoch begins in the log of one organization, or in those of all', withProcesses, async () => {
  const { realm: home, alice } = await realm();
  const { realm: other } = await realm();
  const epochOf = async (id: number) => (await readHeads((await getWorld()).sql, [id]))[0]?.epoch;
  const [mine, others] = [await epochOf(home.id), await epochOf(other.id)];
  const phone = await alice.listen();
  const run = (...flags: string[]) => parleyJson(['log', 'new-epoch', ...flags]);
  expect(await run('--realm', home.name, '--yes')).toEqual({ epochs: 1 });
  expect(await epochOf(home.id)).not.toBe(mine);
  expect(await epochOf(other.id)).toBe(others);
  expect(await phone.poll()).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
  await subscribe(alice, 'after');
  expect(await run('--all', '--yes')).toEqual({ epochs: expect.any(Number) });
  expect(await epochOf(other.id)).not.toBe(others);
  for (const flags of [[], ['--all', '--realm', home.name]])
    await expect(run(...flags, '--yes')).rejects.toThrow('Which organizations?');
});
