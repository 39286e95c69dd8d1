import type { LogPage, ReadLimits } from '@parley/log';

import type { EntryParser, ReadyEntry } from '../core/ready-entry.ts';
import type { Realm } from './realms.ts';

/** The entries that have left the ring, read from Postgres for clients that come back after a while. */
export interface OldLog {
  /** Resolves with entries that follow `after`, at least one; with null when the log has been trimmed past it. */
  read(realm: Realm, after: number): Promise<readonly ReadyEntry[] | null>;
}

/** How much a page holds, and how many are kept in memory. The rest of a page with long entries is read by itself. */
export type OldLogLimits = ReadLimits & { pages: number };

interface OldLogDeps {
  /** Reads entries that follow a seq from Postgres. */
  readonly read: (realmId: number, afterSeq: number, limits: ReadLimits) => Promise<LogPage>;
  readEntry: EntryParser;
}

interface Page {
  entries: readonly ReadyEntry[];
  /** The log has entries behind it, so it is the same whenever it is read. */
  isFinal: boolean;
}

const defaults: OldLogLimits = { entries: 200, bytes: 1024 * 1024, pages: 32 };

/** Reads in pages that are shared: clients that were away together need the same ones. */
export function createOldLog({ read, readEntry }: OldLogDeps, limits: OldLogLimits = defaults): OldLog {
  /** Pages in order of use, the oldest first. Those under way are shared as well. */
  const pages = new Map<string, Promise<Page>>();

  async function load(realmId: number, after: number): Promise<Page> {
    const { entries, hasMore } = await read(realmId, after, limits);
    return { entries: entries.map(readEntry.logged), isFinal: hasMore };
  }

  function readPage({ id, epoch }: Realm, number: number): Promise<Page> {
    const key = `${id}:${epoch}:${number}`;
    const page = pages.get(key) ?? load(id, number * limits.entries);
    pages.delete(key);
    pages.set(key, page);
    for (const oldest of pages.keys()) if (pages.size > limits.pages) pages.delete(oldest);
    const forget = () => pages.get(key) === page && pages.delete(key);
    // A page that the log has not filled yet would be wrong later; a failed one is wrong now.
    page.then(({ isFinal }) => isFinal || forget(), forget);
    return page;
  }

  return {
    async read(realm, after) {
      const page = await readPage(realm, Math.floor(after / limits.entries));
      const shared = page.entries.filter(({ seq }) => seq > after);
      if (shared[0]?.seq === after + 1) return shared;
      // The page is cut before this entry, or the log is trimmed past it.
      const { entries } = await load(realm.id, after);
      return entries[0]?.seq === after + 1 ? entries : null;
    },
  };
}
