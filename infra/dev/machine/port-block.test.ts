import { createServer } from 'node:net';

import { expect, test } from 'vitest';

import { claimPorts } from './port-block.ts';

/** Others use these for nothing; clusters that run meanwhile are left alone. */
const range = { lowest: 6000, highest: 8500 };

test('ports are claimed by one at a time, and given back', async () => {
  const claims = [];
  for (let number = 0; number < 20; number += 1) claims.push(await claimPorts(96, range));
  const ports = claims.flatMap((claim) => claim.ports);
  expect(new Set(ports).size).toBe(20 * 96);
  for (const claim of claims) await claim[Symbol.asyncDispose]();
  for (let number = 0; number < 40; number += 1) await (await claimPorts(96, range))[Symbol.asyncDispose]();
});

test('a port on which somebody listens is not among them', async () => {
  await using first = await claimPorts(49, range);
  const [taken = 0] = first.ports;
  await first[Symbol.asyncDispose]();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(taken, '127.0.0.1', resolve));
  const all = await claimPorts(2000, range);
  expect(all.ports).not.toContain(taken);
  await all[Symbol.asyncDispose]();
  server.close();
});

test('more than there are is refused, and claims nothing', async () => {
  await expect(claimPorts(2500, range)).rejects.toThrow('nobody has claimed');
  await (await claimPorts(2000, range))[Symbol.asyncDispose]();
});
