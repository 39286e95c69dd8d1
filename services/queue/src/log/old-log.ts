import { type Sql, readLog } from '@parley/log';

import type { EntryReader, ReadyEntry } from '../core/ready-entry.ts';
import type { Realm } from './realms.ts';

/** The entries that have left the ring, read from Postgres for clients that come back after a while. */
export interface OldLog {
  /** Resolves with entries that follow `after`, at least one; with null when the log has been trimmed past it. */
  read(realm: Realm, after: number): Promise<readonly ReadyEntry[] | null>;
}

const pageEntries = 500;
const pagesKept = 32;

/** Reads in pages that are shared: clients that were away together need the same ones. */
export function createOldLog({ sql, readEntry }: { sql: Sql; readEntry: EntryReader }): OldLog {
  /** Pages in order of use, the oldest first. Those under way are shared as well. */
  const pages = new Map<string, Promise<ReadyEntry[]>>();

  async function loadPage(realmId: number, page: number): Promise<ReadyEntry[]> {
    const entries = await readLog(sql, realmId, page * pageEntries, pageEntries);
    return entries.map(readEntry.logged);
  }

  function readPage({ id, epoch }: Realm, page: number): Promise<ReadyEntry[]> {
    const key = `${id}:${epoch}:${page}`;
    const entries = pages.get(key) ?? loadPage(id, page);
    pages.delete(key);
    pages.set(key, entries);
    for (const oldest of pages.keys()) if (pages.size > pagesKept) pages.delete(oldest);
    const lastSeq = (page + 1) * pageEntries;
    const forget = () => pages.get(key) === entries && pages.delete(key);
    // A page that the log has not filled yet would be wrong later; a failed one is wrong now.
    entries.then((read) => read.at(-1)?.seq === lastSeq || forget(), forget);
    return entries;
  }

  return {
    async read(realm, after) {
      const page = Math.floor(after / pageEntries);
      // A trimmed page is shorter than others, and the next entry may be in the page behind it.
      const entries = (await readPage(realm, page)).filter(({ seq }) => seq > after);
      return entries[0]?.seq === after + 1 ? entries : null;
    },
  };
}
