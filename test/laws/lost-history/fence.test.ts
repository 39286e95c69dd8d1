import { createLogger } from '@parley/kit';
import { type Sql, createFence, readTerm } from '@parley/log';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { getWorld } from '../../support/index.ts';
import { epochOf, heardSoFar, lose, send, servers, switchTo, until, untilTold } from './lost-history.ts';

type Appended = Parameters<ReturnType<typeof createFence>['remember']>[1][number];

let sql: Sql;

beforeAll(async () => {
  ({ sql } = await getWorld());
});
afterAll(() => switchTo(0));

describe('where the server before goes on for a moment', () => {
  /** Loses the end of a log, of which everybody is told; then an api node has two more entries acknowledged by the server before. */
  async function loseAndGoOn() {
    const heard = await heardSoFar();
    const { alice, bob, id, phone, kept } = heard;
    const epoch = await epochOf(id);
    await send(alice, bob, 'lost');
    await lose(id, kept);
    await until(async () => (await epochOf(id)) !== epoch);
    await untilTold(bob, phone);
    const again = await bob.listen({ event_types: ['message'] });
    const entry = (seq: number) => `{"seq":${seq},"term":"${String(epoch).slice(0, 8)}${servers[0]}"}`;
    return { ...heard, again, renewed: await epochOf(id), entry };
  }
  /** The present epoch began well after all that was acknowledged: how long a comparison is under way is not known. */
  const beganMuchLater = (id: number) =>
    sql`update realm_heads set epoch_began_at = now() + interval '1 hour' where realm_id = ${id}`;
  /** A fence that compares when it is told to, and not once more by itself after a while. */
  const openFence = () =>
    createFence({
      sql,
      logger: createLogger({ role: 'test', level: 'silent' }),
      after: () => ({ [Symbol.dispose]: () => undefined }),
    });

  test('what it acknowledges after everybody was told is told, once', async () => {
    const { bob, id, kept, again, renewed, entry } = await loseAndGoOn();
    await using first = openFence();
    await using second = openFence();
    first.remember(id, [{ seq: kept + 1, entry: entry(kept + 1) } as Appended]);
    second.remember(id, [{ seq: kept + 2, entry: entry(kept + 2) } as Appended]);
    first.claimAll();
    await first.settled();
    const told = await epochOf(id);
    expect(told).not.toBe(renewed);
    await untilTold(bob, again);
    await beganMuchLater(id);
    second.claimAll();
    await second.settled();
    first.claimAll();
    await first.settled();
    expect(await epochOf(id)).toBe(told);
  });

  test.each([
    ['a message that it says was sent before', { outcome: 'repeated', messageId: 1 }],
    ['a flag that it says was set before', { outcome: 'unchanged' }],
  ] as const)('%s is told as well', async (_, answer) => {
    const { bob, id, kept, again, renewed, entry } = await loseAndGoOn();
    await using fence = openFence();
    const known = entry(kept + 1);
    fence.remember(id, [{ ...answer, seq: kept + 1, known }]);
    fence.claimAll();
    await fence.settled();
    expect(await epochOf(id)).not.toBe(renewed);
    await untilTold(bob, again);
  });

  test('what it acknowledged is told also where somebody has read further of that history', async () => {
    const { id, kept, renewed, entry } = await loseAndGoOn();
    await using fence = openFence();
    fence.remember(id, [{ seq: kept + 1, entry: entry(kept + 1) } as Appended]);
    const { term } = JSON.parse(entry(kept + 1)) as { term: string };
    const read = { realmId: id, epoch: term.slice(0, 8), term };
    // While the first is compared, the others wait.
    fence.claim({ ...read, seq: kept });
    fence.claimAll();
    fence.claim({ ...read, seq: kept + 5 });
    await fence.settled();
    expect(await epochOf(id)).not.toBe(renewed);
  });

  test('what it acknowledged before is not told again, nor what is only read of', async () => {
    const { id, kept, entry } = await heardSoFar().then(async (heard) => ({
      ...heard,
      entry: `{"seq":${heard.kept + 1},"term":"${String(await epochOf(heard.id)).slice(0, 8)}${servers[0]}"}`,
    }));
    await using fence = openFence();
    fence.remember(id, [{ seq: kept + 1, entry } as Appended]);
    await sql`select begin_epoch(${id}, '{}')`;
    await beganMuchLater(id);
    const begun = await epochOf(id);
    fence.claimAll();
    await fence.settled();
    const { term } = JSON.parse(entry) as { term: string };
    fence.claim({ realmId: id, epoch: term.slice(0, 8), seq: kept + 1, term });
    await fence.settled();
    expect(await epochOf(id)).toBe(begun);
  });

  test('what is lost is told again where the server that told it is lost as well', async () => {
    const { id, kept } = await heardSoFar();
    const epoch = await epochOf(id);
    await using fence = openFence();
    const entry = `{"seq":${kept + 1},"term":"${String(epoch).slice(0, 8)}${servers[0]}"}`;
    fence.remember(id, [{ seq: kept + 1, entry } as Appended]);
    const after = async (appended: string) => {
      fence.remember(id, [{ seq: kept, entry: appended } as Appended]);
      await fence.settled();
      return await epochOf(id);
    };
    const term = await readTerm(sql, id, kept);
    expect(await after(`{"seq":${kept},"term":"${term}1"}`)).not.toBe(epoch);
    // The next one knows nothing of the new epoch, and has what this process appended last.
    await sql`update realm_heads set epoch = ${epoch ?? ''}, former_epochs = '{}' where realm_id = ${id}`;
    await sql`
      update event_log set entry = jsonb_set(entry::jsonb, '{term}', to_jsonb(${`${term}1`}::text)) where realm_id = ${id} and seq = ${kept}`;
    await sql`update realm_heads set term = ${`${term}1`} where realm_id = ${id}`;
    fence.claimAll();
    await fence.settled();
    expect(await epochOf(id)).not.toBe(epoch);
  });

  test.each([
    ['two servers have acknowledged', [0, 1]],
    ['a server acknowledged before another one was heard of', [1]],
  ])('what %s is compared again until one of them must be gone', async (_, offsets) => {
    const { alice, bob, id, kept } = await heardSoFar();
    const epoch = await epochOf(id);
    await switchTo(1);
    await send(alice, bob, 'of the other');
    const waiting: { ms: number; work: () => void }[] = [];
    const after = (ms: number, work: () => void) => {
      waiting.push({ ms, work });
      return { [Symbol.dispose]: () => undefined };
    };
    await using fence = createFence({ sql, logger: createLogger({ role: 'test', level: 'silent' }), after });
    for (const seq of offsets.map((offset) => kept + offset)) {
      const entry = `{"seq":${seq},"term":"${await readTerm(sql, id, seq)}"}`;
      fence.remember(id, [{ seq, entry } as Appended]);
    }
    if (waiting.length === 0) fence.claimAll();
    await fence.settled();
    expect(await epochOf(id)).toBe(epoch);
    // The first one answers from now on: what the other has acknowledged is lost.
    await lose(id, kept);
    waiting[0]?.work();
    await fence.settled();
    expect(await epochOf(id)).not.toBe(epoch);
    waiting[1]?.work();
    expect(waiting.map(({ ms }) => ms)).toEqual([1000, 2000, 4000]);
  });

  test('what it acknowledged and the log has is told to nobody', async () => {
    const { id, kept } = await heardSoFar();
    const term = await readTerm(sql, id, kept);
    await sql`select begin_epoch(${id}, '{}')`;
    const begun = await epochOf(id);
    await using fence = openFence();
    fence.remember(id, [{ seq: kept, entry: `{"seq":${kept},"term":"${term}"}` } as Appended]);
    fence.claimAll();
    await fence.settled();
    expect(await epochOf(id)).toBe(begun);
  });
});

test('what a trimmed entry was, the next one says; of one whose next is gone, nobody says that it is lost', async () => {
  const { alice, bob, id, kept } = await heardSoFar();
  await switchTo(1);
  for (const content of ['one', 'two']) await send(alice, bob, content);
  const [epoch, term] = [String(await epochOf(id)).slice(0, 8), await readTerm(sql, id, kept + 2)];
  await sql`delete from event_log where realm_id = ${id} and seq <= ${kept + 1}`;
  const isLost = async (seq: number, of: string | null) => {
    const [row] = await sql`select position_is_lost(${id}, ${epoch}, ${seq}, ${of}, null) as lost`;
    return Boolean(row?.['lost']);
  };
  expect([await isLost(kept + 1, term), await isLost(kept + 1, `${epoch}${servers[0]}`)]).toEqual([
    false,
    true,
  ]);
  expect(await isLost(kept, 'whatever it was')).toBe(false);
});

describe('where several servers hold organizations', () => {
  test('what one that does not answer has lost is told once it does, and that of another meanwhile', async () => {
    const [away, there] = [await heardSoFar(), await heardSoFar()];
    let isAway = true;
    await using fence = createFence({
      sql,
      servers: {
        byServer: async (realmIds) =>
          realmIds.map((realmId) => ({
            realmIds: [realmId],
            ask: async (work) => {
              if (isAway && realmId === away.id)
                throw Object.assign(new Error('It is away.'), { code: 'ECONNREFUSED' });
              return await work(sql);
            },
          })),
      },
      logger: createLogger({ role: 'test', level: 'silent' }),
    });
    const before = await Promise.all([away, there].map(({ id }) => epochOf(id)));
    for (const [index, { id, kept }] of [away, there].entries()) {
      const epoch = before[index]?.slice(0, 8) ?? '';
      fence.claim({ realmId: id, epoch, seq: kept + 1, term: `${epoch}${servers[1]}` });
    }
    await until(async () => (await epochOf(there.id)) !== before[1]);
    expect(await epochOf(away.id)).toBe(before[0]);
    isAway = false;
    await fence.settled();
    expect(await epochOf(away.id)).not.toBe(before[0]);
  });
});
