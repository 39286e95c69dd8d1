import { expect, test } from 'vitest';

import { warmUp, warmUpPart } from '../load/extent.ts';
import { searchLargest } from '../load/largest/search.ts';
import { memoryPerPoll } from '../load/memory.ts';
import { createRecorder, preciseNowMs } from '../load/recorder.ts';
import { stagesOf } from '../load/stages/stages.ts';
import { waysOf } from '../load/stages/ways.ts';
import { createTally } from '../load/tally.ts';

const way = { intendedMs: 1000, askedMs: 1002, appendedMs: 1012, publishedMs: 1015 };

test('the stages of a delivery add up to all of its time', () => {
  const stages = stagesOf([{ ...way, heardMs: [1020, 1050] }]);
  expect(stages.map(({ name, mean }) => [name, mean])).toEqual([
    ['client is late', 2],
    ['send → append', 10],
    ['append → publish', 3],
    ['publish → first heard', 5],
    ['first → each', 15],
    ['all', 35],
  ]);
});

test('what nobody published was heard by way of Postgres', () => {
  const stages = stagesOf([{ ...way, publishedMs: null, heardMs: [1112] }]);
  expect(stages.find(({ name }) => name === 'append → publish')?.mean).toBe(0);
  expect(stages.find(({ name }) => name === 'publish → first heard')?.mean).toBe(100);
});

test('a clock that is read in whole milliseconds makes no stage negative, and none longer than all', () => {
  const [, append, publish, first] = stagesOf([
    { ...way, askedMs: 1012.8, publishedMs: 1011, heardMs: [1012.9] },
  ]);
  expect(append?.mean).toBe(0);
  expect(publish?.mean).toBe(0);
  expect(first?.mean).toBeCloseTo(0.1);
});

test('the slowest hundredth says which stage made it slow', () => {
  const quick = Array.from({ length: 199 }, () => ({ ...way, heardMs: [1020] }));
  const stages = stagesOf([...quick, { ...way, appendedMs: 5000, publishedMs: 5003, heardMs: [5010] }]);
  const append = stages.find(({ name }) => name === 'send → append');
  expect(append?.p99).toBe(10);
  expect(append?.slowest).toBe((3998 + 10) / 2);
});

test('where nothing was heard there are no stages', () => {
  expect(stagesOf([{ ...way, heardMs: [] }])).toEqual([]);
});

test('messages of two organizations with the same id are two', () => {
  const send = { localId: '1.1', messageId: 1, askedMs: 2, slowestAnswerMs: 9 };
  const client = { userId: 1, queueId: 'q' };
  const ways = waysOf(
    {
      sends: [
        { ...send, organization: 0, intendedMs: 1 },
        { ...send, organization: 1, intendedMs: 1001 },
        { ...send, organization: 1, intendedMs: 2001, messageId: null },
      ],
      clients: [
        { ...client, organization: 0, heard: Float64Array.of(8, 1, 20, 16, -1, 30) },
        { ...client, organization: 1, heard: Float64Array.of(8, 1, 1020) },
      ],
    },
    [0, 1].map((organization) => ({
      messageId: 1,
      organization,
      realmId: organization + 5,
      seq: 3,
      appendedMs: 10 + 1000 * organization,
    })),
    { at: (realmId, seq) => realmId * 1000 - 5000 + 12 + seq },
  );
  expect(ways).toEqual([
    { intendedMs: 1, askedMs: 2, appendedMs: 10, publishedMs: 15, heardMs: [20] },
    { intendedMs: 1001, askedMs: 2, appendedMs: 1010, publishedMs: 1015, heardMs: [1020] },
  ]);
});

async function sizesTried(first: number, largest: number, most = 10_000) {
  const sizes: number[] = [];
  await searchLargest({ first, least: 20, most }, async (size) => {
    sizes.push(size);
    return size <= largest;
  });
  return sizes;
}

test('the largest size is found within a quarter', async () => {
  const sizes = await sizesTried(500, 3000);
  expect(sizes).toEqual([500, 1000, 2000, 4000, 2828, 3363]);
});

test('it ends where nothing holds and where there is no room for more', async () => {
  expect(await sizesTried(500, 0)).toEqual([500, 250, 125, 62, 31, 20]);
  expect(await sizesTried(4000, 1e6)).toEqual([4000, 8000, 10_000]);
});

test('what each poll takes is what a part grew by', () => {
  expect(memoryPerPoll({ proxy: 1024 * 1024 }, { proxy: 3 * 1024 * 1024, clients: 0 }, 512)).toEqual([
    { name: 'proxy', mib: 2, kibPerPoll: 4 },
    { name: 'clients', mib: 0, kibPerPoll: 0 },
  ]);
});

test('what a warm-up took is told apart from the rest, but what failed in it counts', async () => {
  const recorder = createRecorder();
  const tally = createTally();
  const warm = warmUp(0.001, 0, tally);
  recorder.record('send', preciseNowMs() - 500_000);
  recorder.fail('send: 503');
  tally.add(recorder.flush(1));
  await warm;
  recorder.record('send', preciseNowMs() - 10);
  tally.add(recorder.flush(1));
  const { timed, failures, series } = tally.totals();
  expect(tally.part(warmUpPart).timed.send?.max).toBeGreaterThanOrEqual(500_000);
  expect([timed.send?.count, series[0]?.requests.count]).toEqual([1, 1]);
  expect(timed.send?.max).toBeLessThan(500_000);
  expect(failures).toEqual({ 'send: 503': 1 });
});
