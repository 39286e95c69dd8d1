import { type Sql, readLog } from '@parley/log';

import type { EntryReader, ReadyEntry } from '../core/ready-entry.ts';
import type { Realm } from './follow-realms.ts';

/** The part of the log that has left the ring, read from Postgres for clients that come back after a while. */
export interface OldLog {
  /** Some entries that follow `after`, at least one; null when the log has been trimmed past it. */
  read(realm: Realm, after: number): Promise<readonly ReadyEntry[] | null>;
}

const pageEntries = 500;
const pagesKept = 32;

/** Reads in pages that everyone shares: clients that were away together ask for the same ones. */
export function createOldLog({ sql, readEntry }: { sql: Sql; readEntry: EntryReader }): OldLog {
  /** In order of use, the oldest first. Pages under way are shared too. */
  const pages = new Map<string, Promise<ReadyEntry[]>>();

  function readPage({ id, epoch }: Realm, page: number): Promise<ReadyEntry[]> {
    const key = `${id}:${epoch}:${page}`;
    const known = pages.get(key);
    pages.delete(key);
    const read =
      known ?? readLog(sql, id, page * pageEntries, pageEntries).then((found) => found.map(readEntry.logged));
    pages.set(key, read);
    for (const oldest of pages.keys()) if (pages.size > pagesKept) pages.delete(oldest);
    const end = (page + 1) * pageEntries;
    const forget = () => pages.get(key) === read && pages.delete(key);
    // A page that the log has not filled yet would be wrong later; a failed one is wrong now.
    read.then((entries) => entries.at(-1)?.seq === end || forget(), forget);
    return read;
  }

  return {
    async read(realm, after) {
      const page = Math.floor(after / pageEntries);
      // A trimmed page is shorter than its grid cell, and the next entry may stand in the next one.
      const entries = (await readPage(realm, page)).filter(({ seq }) => seq > after);
      return entries[0]?.seq === after + 1 ? entries : null;
    },
  };
}
