import { createLogger, systemClock } from '@parley/kit';
import type { Actor, Realm } from '@parley/model';
import { ApiError } from '@parley/protocol';
import { connectRedis } from '@parley/redis';
import { expect, test, vi } from 'vitest';

import { createKeyGuard } from './key-guard.ts';

// Safe: the guard reads nothing else of these.
const realm = { id: 1, name: 'zed' } as unknown as Realm;
const actor = {} as unknown as Actor;

const right = () => Promise.resolve(actor);
const wrong = () => Promise.reject(new ApiError('UNAUTHORIZED', 'This API key is not valid.'));
const away = () => Promise.reject(new Error('The database is away.'));

/** A guard that lets an address present two wrong ones. Its Redis is gone, so that it counts in memory. */
function createGuard() {
  const logger = createLogger({ role: 'test', level: 'silent' });
  const redis = connectRedis({ name: 'test', url: 'redis://127.0.0.1:1', logger });
  redis.disconnect();
  const warn = vi.fn();
  const rules = [{ seconds: 60, count: 2 }];
  const charge = vi.fn(async () => {});
  const guard = createKeyGuard({
    redis,
    clock: systemClock,
    rules,
    byAddress: { charge },
    logger: Object.assign(logger, { warn }),
  });
  /** Presents an account's key and says what came of it. */
  async function present(email: string, verify: () => Promise<Actor>, address = 'office'): Promise<string> {
    try {
      await guard.verify({ realm, address, credentials: { email, apiKey: 'key' } }, verify);
      return 'right';
    } catch (error) {
      return error instanceof ApiError ? error.code : 'away';
    }
  }
  const read = (header: string | undefined) =>
    guard.read('office', header).catch((error: unknown) => (error instanceof ApiError ? error.code : 'away'));
  return { present, read, warn, charge };
}

test('an address may present so many wrong ones; then nothing is looked up', async () => {
  const { present } = createGuard();
  const verify = vi.fn(wrong);
  const codes = [];
  for (const name of ['a', 'b', 'c']) codes.push(await present(name, verify));
  expect(codes).toEqual(['UNAUTHORIZED', 'UNAUTHORIZED', 'RATE_LIMIT_HIT']);
  expect(verify).toHaveBeenCalledTimes(2);
  expect(await present('c', right, 'home')).toBe('right');
});

test('right ones cost nothing, and give nothing back that wrong ones took', async () => {
  const { present } = createGuard();
  for (const name of ['a', 'b', 'c']) expect(await present(name, right)).toBe('right');
  expect(await present('x', wrong)).toBe('UNAUTHORIZED');
  for (let time = 0; time < 3; time += 1) expect(await present('A', right)).toBe('right');
  expect(await present('y', wrong)).toBe('UNAUTHORIZED');
  expect(await present('z', wrong)).toBe('RATE_LIMIT_HIT');
  expect(await present('a', right), 'known ones are always looked up').toBe('right');
});

test('a known one that was refused is as unknown as any', async () => {
  const { present } = createGuard();
  await present('a', right);
  expect(await present('a', wrong)).toBe('UNAUTHORIZED');
  for (const name of ['x', 'y']) expect(await present(name, wrong)).toBe('UNAUTHORIZED');
  expect(await present('a', right)).toBe('RATE_LIMIT_HIT');
});

test('what failed otherwise is no wrong one: it costs nothing and is not logged as refused', async () => {
  const { present, warn } = createGuard();
  await present('a', right);
  for (let time = 0; time < 3; time += 1) expect(await present('x', away)).toBe('away');
  expect(warn).not.toHaveBeenCalled();
  expect(await present('x', wrong)).toBe('UNAUTHORIZED');
  expect(await present('y', wrong)).toBe('UNAUTHORIZED');
  expect(await present('a', away), 'known, and still known').toBe('away');
  expect(await present('z', right), 'nothing is given back for known ones').toBe('RATE_LIMIT_HIT');
  expect(await present('a', right)).toBe('right');
});

test('a refusal is logged with its address, and never with a key', async () => {
  const { present, warn } = createGuard();
  await present('ann@zed.example', wrong);
  await present('a key in the wrong place', wrong);
  const known = { realm: 'zed', address: 'office' };
  expect(warn.mock.calls).toEqual([
    [{ ...known, account: 'ann@zed.example' }, 'credentials refused'],
    [known, 'credentials refused'],
  ]);
});

test('a header that holds no key is a wrong one, and one that holds a key is only read', async () => {
  const { present, read } = createGuard();
  const header = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`;
  const right = { email: 'a@zed.example', apiKey: 'x'.repeat(32) };
  for (let time = 0; time < 3; time += 1) {
    expect(await read(header(`${right.email}:${right.apiKey}`))).toEqual(right);
  }
  expect(await read(header('a@zed.example:wrong'))).toBe('UNAUTHORIZED');
  expect(await read(undefined)).toBe('UNAUTHENTICATED_USER');
  expect(await read('Bearer x')).toBe('RATE_LIMIT_HIT');
  expect(await present('b', wrong)).toBe('RATE_LIMIT_HIT');
});

test('any number of right ones at once is taken for no wrong one', async () => {
  const { present } = createGuard();
  const names = Array.from({ length: 100 }, (_, number) => `n${number}`);
  const codes = await Promise.all(names.map((name) => present(name, right)));
  expect(new Set(codes)).toEqual(new Set(['right']));
  expect(await present('x', wrong)).toBe('UNAUTHORIZED');
});

test('when too many of an address wait, more are told to come back, and known ones do not wait', async () => {
  const { present } = createGuard();
  await present('a', right);
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const names = Array.from({ length: 510 }, (_, number) => `n${number}`);
  const codes = Promise.all(names.map((name) => present(name, () => held.then(right))));
  expect(await present('late', right)).toBe('SERVER_NOT_READY');
  expect(await present('late', right, 'home')).toBe('right');
  expect(await present('a', right)).toBe('right');
  release();
  const answers = await codes;
  expect(answers.filter((code) => code === 'right')).toHaveLength(501);
  expect(answers.filter((code) => code === 'SERVER_NOT_READY')).toHaveLength(9);
});

test('what is refused is charged to its address, and what is right is not', async () => {
  const { present, read, charge } = createGuard();
  await present('a', right);
  await present('b', away);
  expect(charge).not.toHaveBeenCalled();
  await present('c', wrong);
  await read('Basic x');
  expect(charge.mock.calls).toEqual([
    ['office', 2],
    ['office', 2],
  ]);
  expect(await present('d', wrong)).toBe('RATE_LIMIT_HIT');
  expect(charge, 'nothing was looked up').toHaveBeenCalledTimes(2);
});
