import { expect, test } from 'vitest';

import {
  archivedContent,
  makeDeletionOlder,
  realm,
  runRecurring,
  say,
  subscribe,
  succeed,
} from '../support/index.ts';

test('the archive forgets deleted messages after a month', async () => {
  const { alice } = await realm();
  await subscribe(alice, 'news');
  const ids = [await say(alice, 'news', 't', 'old'), await say(alice, 'news', 't', 'new')] as const;
  for (const id of ids) await succeed(alice.delete(`/messages/${id}`));
  await makeDeletionOlder(alice, ids[0], 31);
  await runRecurring('trim-archive');
  expect([await archivedContent(alice, ids[0]), await archivedContent(alice, ids[1])]).toEqual([
    undefined,
    'new',
  ]);
});
