import { once } from 'node:events';

import { expect, test } from 'vitest';

import { runBounded, WorkStarved } from './bounded.ts';

const endless = { processorMsMax: 5, waitMsMax: 3_600_000 };

/** Work that ends when it is told to. */
const untilAborted = async (signal: AbortSignal) => {
  await once(signal, 'abort');
  throw new Error('aborted');
};

test('work is ended when it has taken its time of the processor', async () => {
  let takenMs = 0;
  const processorMs = () => (takenMs += 2);
  await expect(runBounded({ ...endless, processorMs }, untilAborted)).rejects.toThrow('aborted');
  expect(takenMs).toBe(8);
});

test('work that gets no processor has its time nevertheless', async () => {
  let looks = 0;
  const work = () =>
    new Promise<number>((resolve) => {
      processorMs = () => {
        looks += 1;
        if (looks === 10) resolve(looks);
        // It has begun at the sixth look.
        return looks > 5 ? 1000 : undefined;
      };
    });
  let processorMs: () => number | undefined = () => undefined;
  expect(await runBounded({ ...endless, processorMs: () => processorMs() }, work)).toBe(10);
});

test('work that gets no processor for too long is ended, and not taken for costly', async () => {
  const bounds = { processorMs: () => 0, processorMsMax: 5, waitMsMax: 0 };
  await expect(runBounded(bounds, untilAborted)).rejects.toThrow(WorkStarved);
});
