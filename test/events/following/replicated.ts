import { writeFile } from 'node:fs/promises';

import { connectSql } from '@parley/db';
import { expect, inject, vi } from 'vitest';

import { type Person, type TestRealm, getWorld, scrape, succeed } from '../../support/index.ts';

/** Whether the servers of the run have a replica, from which api nodes read: see `npm run replicas -- --help`. */
export const isReplicated = (): boolean => inject('servers').replicaUrl !== null;

const patient = { timeout: 120_000, interval: 20 };
const page = { anchor: 'newest', num_before: 30, num_after: 0, apply_markdown: true };

let asking: ReturnType<typeof startAsking> | undefined;

/** An api node that asks nobody but the primary, and a client of the replica. */
async function startAsking() {
  const { startApi, replicaUrl } = await getWorld();
  const primary = await startApi({ replicaUrls: [] });
  const replica = connectSql({ url: replicaUrl ?? '', name: 'test-replica', max: 1 });
  return {
    primary,
    replica,
    async [Symbol.asyncDispose]() {
      await replica.end({ timeout: 5 });
      await primary[Symbol.asyncDispose]();
    },
  };
}

/** Resolves when the replica has all that has happened in an organization until now. */
export async function untilReplicated({ realm: { id } }: TestRealm): Promise<void> {
  asking ??= startAsking();
  const { replica } = await asking;
  const { sql } = await getWorld();
  const [head] = await sql`select seq, term from realm_heads where realm_id = ${id}`;
  await vi.waitFor(
    async () =>
      expect(await replica`select seq, term from realm_heads where realm_id = ${id}`).toEqual([head]),
    patient,
  );
}

/** Whoever has just written something reads it, and pages are what they are at the primary. */
export async function readAsAtPrimary(people: readonly Person[]): Promise<void> {
  asking ??= startAsking();
  const { primary } = await asking;
  for (const person of people) {
    const { id } = await succeed(
      person.post('/messages', { type: 'direct', to: [person.id], content: 'mine' }),
    );
    const { message } = await succeed(person.get(`/messages/${id}`));
    expect(message?.content).toContain('mine');
    const newest = await succeed(person.get('/messages', page));
    expect(newest.messages.at(-1)?.id).toBe(id);
    const there = await person.ask('GET', '/messages', page, { port: primary.port });
    expect(newest).toEqual(there.body);
  }
}

/** Ends what was started, and leaves what became of reads that a replica might serve. */
export async function endReplicated(): Promise<void> {
  if (!asking) return;
  await (await asking)[Symbol.asyncDispose]();
  const reads = (await scrape()).by('parley_replica_reads_total', 'outcome');
  const report = process.env['REPLICA_REPORT'];
  if (report !== undefined) await writeFile(report, JSON.stringify(reads));
}
