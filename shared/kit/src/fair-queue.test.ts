import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { type Caller, Demand } from './demand.ts';
import { type Charge, FairQueue } from './fair-queue.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const caller = (key: string, organization?: number): Caller =>
  organization === undefined ? { key } : { key, organization };

interface Asked {
  /** How long the work takes. */
  ms?: number;
  organization?: number | undefined;
  charge?: Charge<string>;
}

/** A queue, and work in it that takes time, whose name begins with its caller's. */
function createQueue({
  all = 1,
  ofCaller = 1,
  waiting = 100,
  besideOthers = Infinity,
  placeRest = 0,
  burstMs = 0,
} = {}) {
  const demand = new Demand();
  const queue = new FairQueue({
    atOnce: { all, ofCaller },
    waitingMax: { all: waiting, ofCaller: waiting },
    besideOthers: { all: Math.min(all, besideOthers), placeRest },
    burstMs,
    demand,
  });
  const started: string[] = [];
  const startedAt: Record<string, number> = {};
  const beginMs = performance.now();
  const run = (name: string, { ms = 10, organization, charge = {} }: Asked = {}) => {
    const work = async () => {
      started.push(name);
      startedAt[name] = performance.now() - beginMs;
      await new Promise((resolve) => setTimeout(resolve, ms));
      return name;
    };
    return queue.run(caller(name.charAt(0), organization), work, charge);
  };
  /** Somebody asks the process for something else, every 100 ms for as long as it is told. */
  const keepAsking = async (who: Caller, ms: number) => {
    for (let asked = 0; asked < ms; asked += 100) {
      demand.begin(who)();
      await vi.advanceTimersByTimeAsync(100);
    }
  };
  return { queue, demand, run, started, startedAt, keepAsking };
}

const names = (key: string, count: number) => Array.from({ length: count }, (_, index) => `${key}${index}`);

describe('whoever is alone', () => {
  test('whoever is alone waits for nothing but the places', async () => {
    const { run, startedAt, demand } = createQueue();
    for (const name of names('a', 5)) {
      demand.begin(caller('a'))();
      void run(name, { ms: 40, charge: { factor: 9, msOf: () => 5000 } });
    }
    await vi.advanceTimersByTimeAsync(200);
    expect(startedAt).toEqual({ a0: 0, a1: 40, a2: 80, a3: 120, a4: 160 });
  });

  test('whoever is alone has all the places of a caller', async () => {
    const { run, started } = createQueue({ all: 4, ofCaller: 2 });
    for (const name of names('a', 3)) void run(name);
    expect(started).toEqual(['a0', 'a1']);
    await vi.advanceTimersByTimeAsync(10);
    expect(started).toEqual(['a0', 'a1', 'a2']);
  });

  test('whoever was not alone rests no more when the others have gone', async () => {
    const { run, startedAt, demand } = createQueue();
    demand.begin(caller('b'))();
    void run('a0', { ms: 500 });
    void run('a1', { ms: 500 });
    await vi.advanceTimersByTimeAsync(2000);
    expect(startedAt).toEqual({ a0: 0, a1: 1001 });
  });
});

describe('while others ask the process for something', () => {
  test('a caller rests for three times as long as its work took', async () => {
    const { run, startedAt, keepAsking } = createQueue();
    for (const name of names('a', 3)) void run(name, { ms: 50 });
    await keepAsking(caller('b'), 1000);
    expect(startedAt).toEqual({ a0: 0, a1: 201, a2: 402 });
  });

  test('a caller rests for what its work is charged for, if that is more', async () => {
    const { run, startedAt, keepAsking } = createQueue();
    void run('a0', { ms: 50, charge: { factor: 9 } });
    void run('a1', { ms: 50, charge: { msOf: () => 600 } });
    void run('a2', { ms: 50, charge: { msOf: () => 1 } });
    await keepAsking(caller('b'), 2000);
    expect(startedAt).toEqual({ a0: 0, a1: 501, a2: 1152 });
  });

  test('what may come at once comes before the first rest, and then no faster than without', async () => {
    const { run, startedAt, keepAsking } = createQueue({ burstMs: 500 });
    for (const name of names('a', 6)) void run(name, { ms: 50, charge: { msOf: () => 300 } });
    await keepAsking(caller('b'), 2000);
    expect(startedAt).toEqual({ a0: 0, a1: 50, a2: 151, a3: 451, a4: 751, a5: 1051 });
  });

  test('a caller rests after work that fails as after any other', async () => {
    const { queue, run, startedAt, keepAsking } = createQueue();
    const fail = async () => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      throw new Error('broken');
    };
    const failing = expect(queue.run(caller('a'), fail)).rejects.toThrow('broken');
    void run('a1');
    await keepAsking(caller('b'), 300);
    await failing;
    expect(startedAt).toEqual({ a1: 201 });
  });

  test('others want it for as long as they are not answered, unless that takes long', async () => {
    const { run, startedAt, demand } = createQueue();
    const end = demand.begin(caller('b'));
    for (const name of names('a', 4)) void run(name, { ms: 500 });
    await vi.advanceTimersByTimeAsync(7000);
    // Whoever takes longer than five seconds waits for something else.
    expect(startedAt).toEqual({ a0: 0, a1: 2001, a2: 4002, a3: 5503 });
    end();
  });

  test('whoever is served meanwhile, and has used less, is another', async () => {
    const { run, started, keepAsking } = createQueue({ all: 2 });
    for (const name of names('a', 3)) void run(name, { ms: 50 });
    void run('b0', { ms: 300, charge: { factor: 0 } });
    await keepAsking(caller('b'), 300);
    expect(started).toEqual(['a0', 'b0', 'a1']);
  });

  test('the result comes before the rest', async () => {
    const { run, demand } = createQueue();
    demand.begin(caller('b'))();
    let result = '';
    void run('a0', { ms: 50 }).then((name) => (result = name));
    await vi.advanceTimersByTimeAsync(50);
    expect(result).toBe('a0');
  });

  test('those who are served by the same queue are no others: the places are never empty', async () => {
    const { run, started, demand } = createQueue({ all: 2 });
    for (const key of ['a', 'b']) {
      demand.begin(caller(key))();
      for (const name of names(key, 3)) void run(name, { ms: 50 });
    }
    await vi.advanceTimersByTimeAsync(100);
    expect(started.toSorted()).toEqual(['a0', 'a1', 'a2', 'b0', 'b1', 'b2']);
  });

  test('an organization rests when others ask, whichever of its callers was served', async () => {
    const { run, started, keepAsking } = createQueue({ all: 10 });
    for (const key of ['a', 'b', 'c', 'd']) {
      for (const name of names(key, 8)) void run(name, { ms: 50, organization: 1 });
    }
    await keepAsking(caller('z', 1), 1000);
    const alone = started.length;
    expect(alone).toBe(4 * 5);
    const beside = createQueue({ all: 10 });
    for (const key of ['a', 'b', 'c', 'd']) {
      for (const name of names(key, 8)) void beside.run(name, { ms: 50, organization: 1 });
    }
    await beside.keepAsking(caller('z', 2), 1000);
    expect(beside.started.length).toBeLessThan(alone);
  });
});

describe('when several wait', () => {
  test('when several wait, whoever has used least is next', async () => {
    const { run, started } = createQueue();
    for (const name of names('a', 3)) void run(name, { ms: 30 });
    for (const name of names('b', 6)) void run(name, { ms: 10 });
    await vi.advanceTimersByTimeAsync(95);
    expect(started).toEqual(['a0', 'b0', 'b1', 'b2', 'a1', 'b3']);
  });

  test('when several wait, organizations have the same share, however many callers they have', async () => {
    const { run, started } = createQueue();
    for (const key of ['a', 'b', 'c', 'd']) {
      for (const name of names(key, 5)) void run(name, { organization: 1 });
    }
    for (const name of names('z', 5)) void run(name, { organization: 2 });
    await vi.advanceTimersByTimeAsync(95);
    expect(started.map((name) => name.charAt(0)).join('')).toBe('azbzczdzaz');
  });

  test('nobody has saved up what they did not use', async () => {
    const { run, started } = createQueue();
    void run('a0', { ms: 500 });
    for (const name of names('b', 3)) void run(name, { ms: 100 });
    await vi.advanceTimersByTimeAsync(600);
    for (const name of names('c', 9)) void run(name, { ms: 100 });
    await vi.advanceTimersByTimeAsync(350);
    expect(started).toEqual(['a0', 'b0', 'b1', 'c0', 'b2', 'c1']);
  });

  test.each([undefined, 1])(
    'nobody has saved up what they did not use meanwhile, of organization %s',
    async (organization) => {
      const { run, started } = createQueue();
      void run('a0', { ms: 10, organization });
      for (const name of names('b', 9)) void run(name, { ms: 100, organization });
      await vi.advanceTimersByTimeAsync(550);
      for (const name of ['a1', 'a2', 'a3']) void run(name, { ms: 100, organization });
      await vi.advanceTimersByTimeAsync(500);
      expect(started.slice(6, 12)).toEqual(['b5', 'a1', 'b6', 'a2', 'b7', 'a3']);
    },
  );

  test('a bounded amount may wait, for one caller and for all together', async () => {
    const queue = new FairQueue({
      atOnce: { all: 1, ofCaller: 1 },
      waitingMax: { all: 2, ofCaller: 1 },
      demand: new Demand(),
    });
    const work = () => new Promise<void>((resolve) => setTimeout(resolve, 10));
    const running = [queue.run(caller('a'), work), queue.run(caller('a'), work)];
    expect([queue.isFull(caller('a')), queue.isFull(caller('b'))]).toEqual([true, false]);
    running.push(queue.run(caller('b'), work));
    expect(queue.isFull(caller('c'))).toBe(true);
    expect(queue.counts()).toEqual({ running: 1, waiting: 2 });
    await vi.advanceTimersByTimeAsync(30);
    await Promise.all(running);
    expect(queue.isFull(caller('c'))).toBe(false);
    expect(queue.counts()).toEqual({ running: 0, waiting: 0 });
  });
});

test('few are remembered of thousands of callers who come and go', async () => {
  const { queue, run } = createQueue({ waiting: 5000 });
  const members = () => (queue as unknown as { members: ReadonlyMap<unknown, unknown> }).members.size;
  const standing = Promise.all(names('s', 5000).map((name) => run(name, { ms: 1 })));
  for (let key = 0; key < 4000; key += 1) {
    void queue.run({ key }, async () => undefined);
    if (key % 4 === 0) await vi.advanceTimersByTimeAsync(1);
  }
  expect(members()).toBeLessThan(1500);
  await vi.advanceTimersByTimeAsync(10_000);
  await standing;
  expect(members()).toBe(0);
});

describe('places that rest', () => {
  test('a place for which more waits rests while somebody else wants the process', async () => {
    const { run, startedAt, keepAsking } = createQueue({ all: 2, placeRest: 3 });
    for (const name of ['a0', 'b0', 'c0', 'd0', 'e0']) void run(name, { ms: 100 });
    await keepAsking(caller('z'), 1000);
    expect(startedAt).toEqual({ a0: 0, b0: 0, c0: 401, d0: 401, e0: 802 });
  });

  test('a place is free at once for whom nothing waits, and where nobody else wants the process', async () => {
    const { run, startedAt, keepAsking, demand } = createQueue({ placeRest: 3 });
    void run('a0', { ms: 100 });
    await keepAsking(caller('z'), 200);
    void run('b0', { ms: 100 });
    void run('c0', { ms: 100 });
    expect(startedAt).toEqual({ a0: 0, b0: 200 });
    await vi.advanceTimersByTimeAsync(1200);
    expect(startedAt['c0']).toBe(601);
    demand.begin(caller('d'))();
    for (const name of ['d0', 'e0', 'f0']) void run(name, { ms: 100 });
    await vi.advanceTimersByTimeAsync(300);
    expect(startedAt).toMatchObject({ d0: 1400, e0: 1500, f0: 1600 });
  });

  test('fewer places are taken while somebody else wants the process, and all of them once nobody does', async () => {
    const { run, startedAt, keepAsking } = createQueue({ all: 3, besideOthers: 1 });
    void run('a0', { ms: 100 });
    await keepAsking(caller('z'), 100);
    for (const name of ['b0', 'c0', 'd0', 'e0', 'f0', 'g0', 'h0']) void run(name, { ms: 250 });
    await keepAsking(caller('z'), 300);
    await vi.advanceTimersByTimeAsync(2000);
    // They want it for a second after they have asked for the last time.
    expect(startedAt).toEqual({ a0: 0, b0: 100, c0: 350, d0: 600, e0: 850, f0: 1100, g0: 1301, h0: 1301 });
  });

  test('what was done while nobody else wanted the process lets no place rest longer later', async () => {
    const { run, startedAt, keepAsking } = createQueue({ placeRest: 3 });
    void run('a0', { ms: 1000 });
    for (const name of ['b0', 'c0', 'd0']) void run(name, { ms: 100 });
    await vi.advanceTimersByTimeAsync(1050);
    await keepAsking(caller('z'), 1000);
    expect(startedAt).toEqual({ a0: 0, b0: 1000, c0: 1401, d0: 1802 });
  });
});
