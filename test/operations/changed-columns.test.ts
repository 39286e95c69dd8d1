import { expect, test } from 'vitest';

import { getWorld, realm, tell } from '../support/index.ts';

test('a node whose statements a migration has changed reads on', async () => {
  const { alice, bob } = await realm();
  await tell(bob, [alice]);
  const { sql, startApi } = { ...(await getWorld()) };
  await using node = await startApi({ databaseConnections: 1 });
  const read = () => alice.ask('GET', '/messages', { anchor: 'newest', num_before: 10 }, { port: node.port });
  // A statement is prepared when it repeats.
  for (let time = 0; time < 5; time += 1) expect((await read()).status).toBe(200);

  const statuses = [];
  for (const type of ['varchar(1000)', 'text']) {
    await sql.unsafe(`alter table messages alter column client type ${type}`);
    for (let time = 0; time < 5; time += 1) statuses.push((await read()).status);
  }
  expect(statuses.filter((status) => status !== 200)).toEqual([]);
});
