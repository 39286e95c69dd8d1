import { expect, test } from 'vitest';

import {
  feedSearch,
  getWorld,
  parleyJson,
  realm,
  startSearchEngine,
  withProcesses,
} from '../support/index.ts';

test('the search engine is filled anew with one organization, or with all', withProcesses, async () => {
  await using server = await startSearchEngine();
  const { realm: home } = await realm();
  const { realm: other } = await realm();
  const { sql } = await getWorld();
  for (const one of [home, other]) await feedSearch(one, server.client());
  const fed = async () =>
    (await sql<{ id: number }[]>`select realm_id as id from search_engine_cursors`).map(({ id }) => id);
  expect(await fed()).toEqual(expect.arrayContaining([home.id, other.id]));
  const run = (...flags: string[]) => parleyJson(['search', 'rebuild', ...flags]);
  expect(await run('--realm', home.name)).toEqual({ realms: 1 });
  expect(await fed()).toEqual([other.id]);
  expect(await run('--all')).toEqual({ realms: 1 });
  expect(await fed()).toEqual([]);
  for (const flags of [[], ['--all', '--realm', home.name]])
    await expect(run(...flags)).rejects.toThrow('Which organizations?');
});
