import { BoundedCache } from '@parley/kit';
import type { LogPage, ReadLimits } from '@parley/log';

import type { EntryParser, ReadyEntry } from '../core/ready-entry.ts';
import type { Realm } from './realms.ts';
import type { ReadTerm } from './term-at.ts';

/** The entries that have left the ring, read from Postgres for clients that come back after a while. */
export interface OldLog {
  /**
   * Resolves with entries that follow `after` up to the floor of the realm's ring, at least one; with null when the log has been trimmed past it, or is of another
   * history than the realm's ring.
   */
  read(realm: Realm, after: number): Promise<readonly ReadyEntry[] | null>;
}

/** How much a page holds, and what those that are kept take of memory. The rest of a page with long entries is read by itself. */
export type OldLogLimits = ReadLimits & { keptBytesMax?: number };

interface OldLogDeps {
  /** Reads entries that follow a seq from Postgres. */
  readonly read: (realmId: number, afterSeq: number, limits: ReadLimits) => Promise<LogPage>;
  readonly readTerm: ReadTerm;
  readEntry: EntryParser;
}

/** What a page takes beside its entries. */
const pageBytes = 1000;

interface Page {
  entries: readonly ReadyEntry[];
  /** The log has entries behind it, so it is the same whenever it is read. */
  isFinal: boolean;
}

const defaults: OldLogLimits = { entries: 200, bytes: 1024 * 1024 };

/** Reads in pages that are shared: clients that were away together need the same ones. */
export function createOldLog(
  { read, readTerm, readEntry }: OldLogDeps,
  limits: OldLogLimits = defaults,
): OldLog {
  /** Those under way are shared as well. */
  const pages = new BoundedCache<string, Promise<Page>>('oldPages', {
    bytesOf: () => pageBytes,
    ...(limits.keptBytesMax !== undefined && { bytesMax: limits.keptBytesMax }),
  });
  /** Numbers of the histories that rings have entries of. */
  const histories = new WeakMap<object, number>();
  let historiesSeen = 0;

  function numberOf(history: object): number {
    const number = histories.get(history) ?? (historiesSeen += 1);
    histories.set(history, number);
    return number;
  }

  async function load({ id, ring }: Realm, after: number): Promise<Page> {
    const [floor, term] = [ring.floor, ring.termAt(ring.floor)];
    const { entries, hasMore } = await read(id, after, limits);
    // A server that has taken over may have another history below the ring than the one with which the ring goes on.
    if (entries.length > 0 && (await readTerm(id, floor)) !== term) return { entries: [], isFinal: false };
    // What lies behind the floor is the ring's business: Postgres may have another history there.
    const below = entries.filter(({ seq }) => seq <= floor);
    return { entries: below.map(readEntry.logged), isFinal: hasMore && below.length === entries.length };
  }

  function readPage(realm: Realm, number: number): Promise<Page> {
    const key = `${realm.id}:${numberOf(realm.ring.history)}:${number}`;
    const known = pages.get(key);
    if (known) return known;
    const page = load(realm, number * limits.entries);
    pages.set(key, page);
    const forget = () => pages.peek(key) === page && pages.delete(key);
    function keep({ entries, isFinal }: Page): void {
      // A page that the log has not filled yet would be wrong later.
      if (!isFinal) return void forget();
      const count = () =>
        pages.recount(
          key,
          page,
          entries.reduce((sum, { size }) => sum + size, pageBytes),
        );
      for (const entry of entries) entry.onGrowth = count;
      count();
    }
    page.then(keep, forget);
    return page;
  }

  return {
    async read(realm, after) {
      const page = await readPage(realm, Math.floor(after / limits.entries));
      const shared = page.entries.filter(({ seq }) => seq > after);
      if (shared[0]?.seq === after + 1) return shared;
      // The page is cut before this entry, or the log is trimmed past it.
      const { entries } = await load(realm, after);
      return entries[0]?.seq === after + 1 ? entries : null;
    },
  };
}
