import { isConflict, isDatabaseUnavailable } from '@parley/db';
import { notReady } from '@parley/protocol';
import { currentTracing, secondsBuckets, histogram, tally } from '@parley/telemetry';

import type { Appended } from './append.ts';
import type { Publisher } from './publish.ts';

/** The appends of a realm that may be under way at once, and how many items have to wait for one more. */
const appendsMax = 2;
const batchAheadMin = 32;
/** How often an append is tried that another transaction is in the way of. */
const triesMax = 3;

const dividedAppends = tally(
  'parley_log_divided_appends_total',
  'Appends that failed, after which each of the messages or changes of flags in them was written alone',
);
const appendSeconds = histogram('parley_log_append_seconds', 'How long an append took', secondsBuckets);

/** Items by their number, and what they add up to in a measure of their own. */
interface Bound {
  items: number;
  size: number;
}

/** How items of one kind are gathered. */
export interface Gathering<Item> {
  /** What one append takes, and what may wait for a realm's next ones. */
  batchMax: Bound;
  waitingMax: Bound;
  readonly sizeOf: (item: Item) => number;
  /** Items that differ in it share no append. */
  readonly formOf: (item: Item) => string | boolean;
  /** Items that have it in common share no append: the later one waits. Null has nothing in common with anything. */
  readonly keyOf: (item: Item) => string | number | null;
  /** Appends items in a transaction of their own. Answers them in their order, with what was appended before some of them. */
  readonly append: (realmId: number, items: readonly Item[]) => Promise<Appended[]>;
  /** Returns what an item is told that cannot be written. */
  readonly refusalOf: (error: unknown) => unknown;
}

export interface Gatherer<Item> {
  /**
   * Joins the realm's next append.
   *
   * @throws SERVER_NOT_READY when Postgres is away or too much waits
   */
  join(realmId: number, item: Item): Promise<Appended>;
}

interface WaitingItem<Item> {
  item: Item;
  size: number;
  /** The trace that it is appended in. */
  trace: string | undefined;
  readonly resolve: (appended: Appended) => void;
  readonly reject: (error: unknown) => void;
}

/** The items of a realm that wait, and how many appends of it are under way. */
interface Waiting<Item> {
  items: WaitingItem<Item>[];
  size: number;
  appends: number;
}

/**
 * Appends by group commit: an append of a realm is under way, and items that arrive meanwhile join the next. The realm's
 * head row is locked once per batch, so throughput rises with load, where one append per item would queue for the lock. When
 * enough of them wait, the next append is sent before the one under way is answered, so that Postgres and this process work
 * at once.
 */
export const createGatherer = <Item>(publisher: Publisher, gathering: Gathering<Item>): Gatherer<Item> =>
  new BatchGatherer(publisher, gathering);

class BatchGatherer<Item> implements Gatherer<Item> {
  private readonly publisher: Publisher;
  private readonly gathering: Gathering<Item>;
  private readonly realms = new Map<number, Waiting<Item>>();

  constructor(publisher: Publisher, gathering: Gathering<Item>) {
    this.publisher = publisher;
    this.gathering = gathering;
  }

  join(realmId: number, item: Item): Promise<Appended> {
    return new Promise((resolve, reject) => {
      const waiting = this.realms.get(realmId) ?? { items: [], size: 0, appends: 0 };
      const { waitingMax, sizeOf } = this.gathering;
      const isFull = waiting.items.length >= waitingMax.items || waiting.size >= waitingMax.size;
      if (isFull) return reject(notReady('appends'));
      const size = sizeOf(item);
      waiting.items.push({ item, size, trace: currentTracing()?.current(), resolve, reject });
      waiting.size += size;
      this.realms.set(realmId, waiting);
      this.appendNext(realmId, waiting);
    });
  }

  /** Begins an append if none is under way, or one is and as many items wait as are worth another. */
  private appendNext(realmId: number, waiting: Waiting<Item>): void {
    const { appends, items } = waiting;
    if (items.length === 0) {
      if (appends === 0) this.realms.delete(realmId);
      return;
    }
    if (appends > 0 && (appends >= appendsMax || items.length < batchAheadMin)) return;
    waiting.appends += 1;
    void this.write(realmId, takeBatch(waiting, this.gathering)).then(() => {
      waiting.appends -= 1;
      this.appendNext(realmId, waiting);
    });
  }

  private async write(realmId: number, batch: readonly WaitingItem<Item>[], tries = 1): Promise<void> {
    const measure = appendSeconds.startTimer();
    try {
      const appended = await this.gathering.append(
        realmId,
        batch.map(({ item }) => item),
      );
      measure();
      const answers = appended.filter(({ outcome }) => outcome !== 'opening');
      for (const [index, { trace }] of batch.entries()) {
        const answer = answers[index];
        if (answer?.outcome === 'written') answer.trace = trace;
      }
      this.publisher.publish(realmId, appended);
      for (const [index, { resolve, reject }] of batch.entries()) {
        const answer = answers[index];
        if (answer) resolve(answer);
        else reject(new Error('An append returned fewer rows than it was given.'));
      }
    } catch (error) {
      if (isConflict(error) && tries < triesMax) await this.write(realmId, batch, tries + 1);
      else await this.answerFailure(realmId, batch, error);
    }
  }

  private async answerFailure(
    realmId: number,
    batch: readonly WaitingItem<Item>[],
    error: unknown,
  ): Promise<void> {
    const [only, ...others] = batch;
    if (isDatabaseUnavailable(error)) for (const { reject } of batch) reject(notReady('database'));
    else if (others.length === 0) only?.reject(this.gathering.refusalOf(error));
    else {
      // One item that cannot be written must not fail its batch, so each is written alone.
      dividedAppends.count += 1;
      for (const waiting of batch) await this.write(realmId, [waiting]);
    }
  }
}

/** Takes what the next append of a realm writes from what waits. */
function takeBatch<Item>(
  waiting: Waiting<Item>,
  { batchMax, formOf, keyOf }: Gathering<Item>,
): WaitingItem<Item>[] {
  const [first] = waiting.items;
  const [batch, left]: [WaitingItem<Item>[], WaitingItem<Item>[]] = [[], []];
  const keys = new Set<string | number>();
  let [size, seen] = [0, 0];
  for (const next of waiting.items) {
    const isTooLong = batch.length > 0 && size + next.size > batchMax.size;
    if (batch.length === batchMax.items || isTooLong || (first && formOf(next.item) !== formOf(first.item)))
      break;
    seen += 1;
    const key = keyOf(next.item);
    // It must not be written before the one that it has its key in common with, nor hold up those of others.
    if (key !== null && keys.has(key)) left.push(next);
    else {
      if (key !== null) keys.add(key);
      batch.push(next);
      size += next.size;
    }
  }
  waiting.items.splice(0, seen, ...left);
  waiting.size -= size;
  return batch;
}
