import { isDatabaseUnavailable } from '@parley/db';
import { createLogger } from '@parley/kit';
import { connectSql, createDatabaseWatch } from '@parley/log';
import { expect, test, vi } from 'vitest';

import { getWorld, scrape, startPostgresProxy } from '../support/index.ts';

/** Timers that a test runs by hand. */
function manualTimers() {
  let repeated: (() => Promise<void> | void) | undefined;
  const limits = new Set<() => void>();
  const limitsMs: number[] = [];
  return {
    /** How long each limit was, in their order. */
    limitsMs,
    timers: {
      every(_ms: number, _logger: unknown, work: () => Promise<void> | void): Disposable {
        repeated = work;
        return { [Symbol.dispose]: () => (repeated = undefined) };
      },
      after(ms: number, work: () => void): Disposable {
        limitsMs.push(ms);
        limits.add(work);
        return { [Symbol.dispose]: () => limits.delete(work) };
      },
    },
    /** Lets the watch ask once. Resolves when it has been answered, at once if it asks no more. */
    ask: async () => await repeated?.(),
    /** Ends the time that the watch gives Postgres to answer. */
    timeOut() {
      for (const limit of limits) limit();
    },
    isAsking: () => repeated !== undefined,
  };
}

/** A watch over a Postgres that can be made to hang, and what it logs. */
async function watched() {
  const proxy = await startPostgresProxy((await getWorld()).databaseUrl);
  const lines: string[] = [];
  const note = (level: string) => (text: unknown) => void lines.push(`${level}: ${String(text)}`);
  const logger = {
    ...createLogger({ role: 'test', level: 'silent' }),
    warn: note('warn'),
    info: note('info'),
  };
  const sql = connectSql({ url: proxy.url, name: 'test-asks', max: 1 });
  const { timers, ...hands } = manualTimers();
  const watch = createDatabaseWatch(connectSql({ url: proxy.url, name: 'watched', max: 1 }), logger, {
    timers,
  });
  await hands.ask();
  return {
    ...hands,
    proxy,
    sql,
    watch,
    lines,
    async [Symbol.asyncDispose]() {
      proxy.resume();
      await watch[Symbol.asyncDispose]();
      await sql.end();
      await proxy[Symbol.asyncDispose]();
    },
  };
}

/** How many watches of this process see a Postgres that answers. */
const seenUp = async () => (await scrape()).of('parley_database_up');
const hangs = async () => (await scrape()).of('parley_database_hangs_total');

test('while Postgres answers, work is done, and nothing is said of it', async () => {
  await using all = await watched();
  const before = await hangs();
  await all.ask();
  all.timeOut();
  expect(await all.watch.whileAnswering(async () => await all.sql`select 1 as one`)).toEqual([{ one: 1 }]);
  const refusal = new Error('refused');
  await expect(all.watch.whileAnswering(() => Promise.reject(refusal))).rejects.toBe(refusal);
  expect(all.lines).toEqual([]);
  expect(await hangs()).toBe(before);
});

test('work under way fails when Postgres hangs, later work at once, and all goes on when it answers', async () => {
  await using all = await watched();
  const before = await hangs();
  await all.watch.whileAnswering(async () => await all.sql`select 1`);
  const up = await seenUp();
  all.proxy.hang();
  const underway = all.watch
    .whileAnswering(async () => await all.sql`select 2`)
    .catch((error: unknown) => error);
  const asked = all.ask();
  all.timeOut();
  const failed = await underway;
  expect(failed).toMatchObject({ code: 'DATABASE_HANGS' });
  expect(isDatabaseUnavailable(failed)).toBe(true);

  const work = vi.fn(async () => await Promise.resolve());
  await expect(all.watch.whileAnswering(work)).rejects.toMatchObject({ code: 'DATABASE_HANGS' });
  expect(work).not.toHaveBeenCalled();
  expect(all.lines).toEqual(['warn: Postgres does not answer']);
  expect([await hangs(), await seenUp()]).toEqual([before + 1, up - 1]);

  all.proxy.resume();
  await asked;
  await all.watch.whileAnswering(work);
  expect(work).toHaveBeenCalledOnce();
  expect(all.lines).toEqual(['warn: Postgres does not answer', 'info: Postgres answers again']);
  expect(await seenUp()).toBe(up);
  await all.ask();
  expect(all.lines).toHaveLength(2);
});

test('a watch looks for Postgres when it begins', async () => {
  await using proxy = await startPostgresProxy((await getWorld()).databaseUrl);
  proxy.hang();
  const hands = manualTimers();
  const lines: string[] = [];
  const warn = (text: unknown) => void lines.push(String(text));
  const logger = { ...createLogger({ role: 'test', level: 'silent' }), warn };
  await using watch = createDatabaseWatch(connectSql({ url: proxy.url, name: 'begun', max: 1 }), logger, {
    timers: hands.timers,
  });
  hands.timeOut();
  await vi.waitUntil(() => lines.length > 0, { timeout: 60_000 });
  await expect(watch.whileAnswering(() => Promise.resolve())).rejects.toMatchObject({
    code: 'DATABASE_HANGS',
  });
  proxy.resume();
});

test('a connection may open in its own time, and an answer on one that stands takes less', async () => {
  await using proxy = await startPostgresProxy((await getWorld()).databaseUrl);
  const url = new URL(proxy.url);
  url.searchParams.set('connect_timeout', '10');
  const sql = connectSql({ url: url.href, name: 'opened', max: 1 });
  const { timers, limitsMs, ask } = manualTimers();
  await using watch = createDatabaseWatch(sql, createLogger({ role: 'test', level: 'silent' }), { timers });
  expect(limitsMs).toEqual([9000]);
  await ask();
  await ask();
  expect(limitsMs.at(-1)).toBe(3000);
  // Nothing is there to connect to, so the next connection has to open again.
  await proxy[Symbol.asyncDispose]();
  await ask();
  await ask();
  expect(limitsMs.at(-1)).toBe(9000);
  expect(await watch.whileAnswering(() => Promise.resolve('done'))).toBe('done');
});

test('a process that was held up itself does not take Postgres for hanging', async () => {
  await using all = await watched();
  for (let round = 0; round < 3; round += 1) {
    const come = all.proxy.keepAnswers();
    const asked = all.ask();
    await come;
    // The answer is here and has not been read when the time is over.
    all.proxy.releaseAnswers();
    all.timeOut();
    await asked;
  }
  expect(all.lines).toEqual([]);
});

test('a Postgres that refuses does not hang', async () => {
  await getWorld();
  const up = await seenUp();
  const logger = createLogger({ role: 'test', level: 'silent' });
  const warn = vi.spyOn(logger, 'warn');
  const nowhere = connectSql({ url: 'postgres://nobody@127.0.0.1:1/nothing', name: 'test-watch', max: 1 });
  const { timers, limitsMs, ask } = manualTimers();
  await using watch = createDatabaseWatch(nowhere, logger, { timers });
  await ask();
  await ask();
  expect(limitsMs).toEqual([4500, 4500, 4500]);
  expect(await watch.whileAnswering(() => Promise.resolve('done'))).toBe('done');
  expect(warn).not.toHaveBeenCalled();
  expect(await seenUp()).toBe(up);
});

test('the server that a process meets first is another one: it may have appended to one before', async () => {
  await using proxy = await startPostgresProxy((await getWorld()).databaseUrl);
  const onOtherServer = vi.fn(() => undefined);
  const { timers, ask } = manualTimers();
  proxy.hang();
  const sql = connectSql({ url: proxy.url, name: 'met', max: 1 });
  const logger = createLogger({ role: 'test', level: 'silent' });
  await using watch = createDatabaseWatch(sql, logger, { timers, onOtherServer });
  expect(onOtherServer).not.toHaveBeenCalled();
  proxy.resume();
  await ask();
  await ask();
  expect(await watch.whileAnswering(() => Promise.resolve('done'))).toBe('done');
  expect(onOtherServer).toHaveBeenCalledOnce();
});

test('a watch that has ended asks no more', async () => {
  const { databaseUrl } = await getWorld();
  const all = await watched();
  expect(all.isAsking()).toBe(true);
  await all[Symbol.asyncDispose]();
  expect(all.isAsking()).toBe(false);
  const sql = connectSql({ url: databaseUrl, name: 'test-looks', max: 1 });
  const standing = async () =>
    (await sql`select 1 from pg_stat_activity where application_name = 'parley-watched'`).length;
  await vi.waitUntil(async () => (await standing()) === 0, { timeout: 60_000 });
  await sql.end();
});
