import type { Sql } from '@parley/db';
import { recurringJobs } from '@parley/worker';
import { expect, test, vi } from 'vitest';

import { type Person, realm } from '../../support/index.ts';
import { type Asked, asked, sweeps } from './asked.ts';
import { type Buffers, describeBuffers, ofJob, ofRequest, sumOf } from './buffers.ts';
import { addNeighbours, fill, runUncounted, turnIndexesOff, turnVacuumOff } from './data-set.ts';

const neighbours = 200;

/** Lets statements run whose buffers count for nobody. Statistics are made anew. */
const prepare = (run: (sql: Sql) => Promise<void>): Promise<void> =>
  runUncounted(async (sql) => {
    await run(sql);
    // What another connection might still see as it was is not known to be visible to all, and read where an index would do.
    await vi.waitFor(async () => {
      await sql`vacuum analyze`;
      const [channels] = await sql`
        select relpages as pages, relallvisible as visible from pg_class where oid = 'public.channels'::regclass`;
      expect(channels?.['visible']).toBe(channels?.['pages']);
    }, 60_000);
  });

interface Cost {
  buffers: Buffers;
  /** How many messages were shown. */
  messages: number;
}

async function measureRequests(person: Person, requests: readonly Asked[]): Promise<Map<string, Cost>> {
  const costs = new Map<string, Cost>();
  for (const { name, method, path, params } of requests) {
    const { body, buffers } = await ofRequest(person, method, path, params);
    costs.set(name, { buffers, messages: body.messages?.length ?? 0 });
  }
  return costs;
}

async function measure(person: Person): Promise<Map<string, Cost>> {
  const costs = await measureRequests(person, asked);
  for (const name of sweeps) costs.set(name, { buffers: await ofJob(name), messages: 0 });
  return costs;
}

const emptyCost: Cost = { buffers: new Map(), messages: 0 };

const triesMax = 5;

/**
 * Measures until no more is too much than is expected, and takes the least of each: what other connections have read is
 * counted up to ten seconds later, and only adds.
 */
async function excessesOf(
  alone: Map<string, Cost>,
  measuring: () => Promise<Map<string, Cost>>,
  expected = 0,
) {
  const least = await measuring();
  for (let tries = 1; tries < triesMax && listExcesses(alone, least).length > expected; tries += 1) {
    for (const [name, cost] of await measuring()) {
      if (sumOf(cost.buffers) < sumOf((least.get(name) ?? cost).buffers)) least.set(name, cost);
    }
  }
  return listExcesses(alone, least);
}

/** What is too much, in words. */
function listExcesses(alone: Map<string, Cost>, among: Map<string, Cost>): string[] {
  const excesses: string[] = [];
  const check = (name: string, most: number) => {
    const [before, after] = [alone.get(name) ?? emptyCost, among.get(name) ?? emptyCost];
    if (sumOf(after.buffers) <= most) return;
    excesses.push(
      `${name}: ${sumOf(before.buffers)} buffers alone, ${sumOf(after.buffers)} among neighbours, of ${most} ` +
        `(${describeBuffers(before.buffers)}; ${describeBuffers(after.buffers)})`,
    );
  };
  for (const { name, perMessage, once, growth } of asked) {
    const before = alone.get(name) ?? emptyCost;
    check(
      name,
      Math.min(Math.ceil(sumOf(before.buffers) * growth) + 25, before.messages * perMessage + once),
    );
  }
  // They look at every organization, and at what is due.
  for (const name of sweeps) check(name, sumOf((alone.get(name) ?? emptyCost).buffers) + neighbours);
  return excesses;
}

test('a quiet organization reads as much among two hundred as alone, and sweeps do not read what is old', async () => {
  const { alice } = await realm();
  const quiet = { realmId: alice.realm.id, readerId: alice.id };
  await prepare(async (sql) => {
    await turnVacuumOff(sql);
    await fill(sql, 0, [quiet], {
      users: 400,
      channels: 450,
      topicsPerChannel: 3,
      directs: 100,
      messages: 3000,
    });
  });
  const alone = await measure(alice);
  await prepare(async (sql) => {
    const [big, ...small] = await addNeighbours(sql, neighbours);
    await fill(sql, 1, small, { users: 10, channels: 12, topicsPerChannel: 2, directs: 5, messages: 80 });
    await fill(sql, 2, big ? [big] : [], {
      users: 400,
      channels: 40,
      topicsPerChannel: 20,
      directs: 40,
      messages: 12_000,
    });
  });
  expect(await excessesOf(alone, () => measure(alice))).toEqual([]);

  await prepare(turnIndexesOff);
  const searches = asked.filter(({ name }) => name.endsWith('with a word that none has'));
  const withoutIndex = await excessesOf(alone, () => measureRequests(alice, searches), 1);
  expect(withoutIndex, 'without indexes').toHaveLength(1);
});

test('every sweep is looked at', () => {
  const daily = ['channel-activity'];
  // Without a search engine outside, they do nothing.
  const outside = ['follow-for-search', 'sweep-search-engine'];
  expect([...sweeps, ...daily, ...outside].sort()).toEqual(recurringJobs.map(({ name }) => name).sort());
});
