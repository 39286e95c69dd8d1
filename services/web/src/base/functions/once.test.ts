import { expect, test, vi } from 'vitest';

import { once, onceDone } from './once.ts';

test('what is made once is made when it is needed first', () => {
  const make = vi.fn<() => number | undefined>(() => undefined);
  const get = once(make);
  expect(make).not.toHaveBeenCalled();
  expect([get(), get(), make.mock.calls.length]).toEqual([undefined, undefined, 1]);
});

test('what failed is tried again, and what is done is not', async () => {
  const make = vi.fn<() => Promise<string>>(() => Promise.resolve('done'));
  make.mockRejectedValueOnce(new Error('failed'));
  const get = onceDone(make);
  await expect(Promise.all([get(), get()])).rejects.toThrow('failed');
  expect(await Promise.all([get(), get()])).toEqual(['done', 'done']);
  expect(make).toHaveBeenCalledTimes(2);
});
