import { type Sql, decodeMembers } from '@parley/db';
import { LRUCache } from 'lru-cache';

import { epochOfTerm } from './position.ts';

const cachedBytesMax = 256 * 1024 * 1024;

/** The audiences that entries refer to. A row never changes, so what was read once stays true. */
export interface Audiences {
  /** Reads the audiences that are not in memory yet. */
  load(ids: Iterable<number>): Promise<void>;
  /** Whether the audience is in memory. The methods below throw for one that is not. */
  isLoaded(audienceId: number): boolean;
  has(audienceId: number, userId: number): boolean;
  size(audienceId: number): number;
  members(audienceId: number): Iterable<number>;
  /**
   * Forgets all audiences when an entry is of a server that was not known: it may give an id again that another server gave
   * to an audience that is lost.
   */
  hear(term: string): void;
}

/** Terms begin with as many characters of their epoch; the rest is the server's. */
const serverOf = (term: string): string => term.slice(epochOfTerm(term).length);
const serversMax = 1000;

export function createAudiences({ sql }: { sql: Sql }): Audiences {
  const cache = new LRUCache<number, Uint32Array>({
    maxSize: cachedBytesMax,
    sizeCalculation: (members) => members.byteLength + 64,
  });

  const servers = new Set<string>();

  function get(audienceId: number): Uint32Array {
    const members = cache.get(audienceId);
    if (!members) throw new Error(`Audience ${audienceId} was used before it was loaded.`);
    return members;
  }

  return {
    async load(ids) {
      const missing = [...new Set(ids)].filter((id) => !cache.has(id));
      if (missing.length === 0) return;
      const rows = await sql<{ id: number; members: Uint8Array }[]>`
        select id, members from audiences where id = any(${missing})`;
      for (const { id, members } of rows) cache.set(id, decodeMembers(members));
    },
    isLoaded: (audienceId) => cache.has(audienceId),
    has: (audienceId, userId) => contains(get(audienceId), userId),
    size: (audienceId) => get(audienceId).length,
    members: (audienceId) => get(audienceId),
    hear(term) {
      const server = serverOf(term);
      if (servers.has(server)) return;
      cache.clear();
      if (servers.size >= serversMax) servers.clear();
      servers.add(server);
    },
  };
}

function contains(sortedIds: Uint32Array, userId: number): boolean {
  let [low, high] = [0, sortedIds.length - 1];
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const middleId = sortedIds[middle] ?? 0;
    if (middleId === userId) return true;
    if (middleId < userId) low = middle + 1;
    else high = middle - 1;
  }
  return false;
}
