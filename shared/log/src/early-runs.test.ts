import { expect, test } from 'vitest';

import type { CarriedRun } from './carried-run.ts';
import { type EarlyMemory, EarlyRuns } from './early-runs.ts';

const mib = 1024 * 1024;
const runOf = (lastSeq: number, length: number): CarriedRun => ({
  realmId: 1,
  lastSeq,
  signed: 'x'.repeat(length),
  traces: undefined,
});
const seqsOf = (early: EarlyRuns) => early.take().map(({ lastSeq }) => lastSeq);

test('early runs are kept up to four MiB, and none behind one that had no room', () => {
  const memory: EarlyMemory = { bytes: 0, bytesMax: 32 * mib };
  const early = new EarlyRuns(memory);
  for (const [index, length] of [mib, 2 * mib, 2 * mib, 10].entries()) early.keep(runOf(index + 1, length));
  expect(memory.bytes).toBeGreaterThan(3 * mib);
  expect(seqsOf(early)).toEqual([1, 2]);
  expect([memory.bytes, seqsOf(early)]).toEqual([0, []]);
});

test('early runs of all realms together take no more than they may', () => {
  const memory: EarlyMemory = { bytes: 0, bytesMax: 3 * mib };
  const [first, second] = [new EarlyRuns(memory), new EarlyRuns(memory)];
  for (const early of [first, second]) early.keep(runOf(1, 2 * mib));
  expect([seqsOf(second), seqsOf(first), memory.bytes]).toEqual([[], [1], 0]);
});
