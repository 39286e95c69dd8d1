import { createLogger } from '@parley/kit';
import { afterAll, expect, test } from 'vitest';

import { createTracing } from './otlp.ts';

const logger = createLogger({ role: 'test', level: 'silent' });
// Nothing listens there: what cannot be sent is given up.
const tracing = createTracing({ endpoint: 'http://127.0.0.1:9', role: 'test', ratio: 1, logger });
afterAll(() => tracing[Symbol.asyncDispose]());

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const currentIn = (parent?: string) => tracing.span('work', () => Promise.resolve(tracing.current()), parent);

test('a trace that a request names goes on', async () => {
  expect(await currentIn(`00-${traceId}-00f067aa0ba902b7-01`)).toMatch(new RegExp(`^00-${traceId}-`));
});

test('one that is not recorded elsewhere is not recorded here', async () => {
  expect(await currentIn(`00-${traceId}-00f067aa0ba902b7-00`)).toBeUndefined();
});

test('what names no trace begins one', async () => {
  for (const parent of [undefined, '', 'x', `00-${traceId}-00f067aa0ba902b7`, `01-${traceId}-z-01`]) {
    const current = await currentIn(parent);
    expect(current).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    expect(current).not.toContain(traceId);
  }
});

test('work inside of work belongs to the same trace', async () => {
  const [outer, inner] = await tracing.span('outer', async () => [tracing.current(), await currentIn()]);
  expect(inner?.slice(0, 35)).toBe(outer?.slice(0, 35));
  expect(inner).not.toBe(outer);
});

test('work that fails fails as it would without a trace', async () => {
  await expect(tracing.span('work', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
});
