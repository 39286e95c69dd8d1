import { type Sql, decodeMembers } from '@parley/db';
import { BoundedCache } from '@parley/kit';

import { epochOfTerm } from './position.ts';

/** So many are read at once. */
const readMax = 50;

/** The audiences that entries refer to. A row never changes, so what was read once stays true. */
export interface Audiences {
  /**
   * Reads the audiences that are not in memory yet. Whoever needs the same ones at the same time waits for one read. They are
   * in memory when it resolves if they fit there together, and for a single one always. Where a database is divided, they
   * are those of one realm.
   */
  load(ids: Iterable<number>, realmId?: number): Promise<void>;
  /** Whether the audience is in memory. The methods below throw for one that is not. */
  isLoaded(audienceId: number): boolean;
  has(audienceId: number, userId: number): boolean;
  /** How many members there are at most. */
  size(audienceId: number): number;
  /** Its members, in no order. */
  members(audienceId: number): Iterable<number>;
  /**
   * Forgets all audiences when an entry is of a server that was not known: it may give an id again that another server gave
   * to an audience that is lost.
   */
  hear(term: string): void;
}

interface Row {
  id: number;
  members: Uint8Array | null;
  baseId: number | null;
  joined: number[] | null;
  departed: number[] | null;
}

/** An audience that is told by a base. */
interface Change {
  baseId: number;
  joined: Uint32Array;
  departed: Uint32Array;
}

/** Ids in ascending order, or what differs from those of a base. */
type Members = Uint32Array | Change;

const bytesOf = (members: Members) =>
  (members instanceof Uint32Array
    ? members.byteLength
    : members.joined.byteLength + members.departed.byteLength) + 64;

const ascending = (ids: readonly number[] | null) => Uint32Array.from(ids ?? []).sort();

function membersOf({ members, baseId, joined, departed }: Omit<Row, 'id'>): Members {
  if (members) return decodeMembers(members);
  if (baseId === null) throw new Error('An audience has neither members nor a base.');
  return { baseId, joined: ascending(joined), departed: ascending(departed) };
}

/** Lists the members in no order, each once. */
function* listMembers(whole: Uint32Array, { joined, departed }: Change): Iterable<number> {
  for (const id of whole) if (!contains(departed, id) && !contains(joined, id)) yield id;
  yield* joined;
}

/** Terms begin with as many characters of their epoch; the rest is the server's. */
const serverOf = (term: string): string => term.slice(epochOfTerm(term).length);
const serversMax = 1000;

/** What reads audiences into memory: each once for all who need it at the same time, and so many at once. */
function createReads({ sql, sqlOf }: AudiencesDeps, cache: BoundedCache<number, Members>) {
  /** What is being read, by id. */
  let reading = new Map<number, Promise<void>>();

  async function readRows(ids: number[], realmId: number | undefined): Promise<Row[]> {
    const server = realmId === undefined ? null : await sqlOf?.(realmId);
    const from = server ?? sql;
    const ofAll = from<Row[]>`
      select id, members, base_id as "baseId", joined, departed from audiences where id = any(${ids})`;
    // No other server is asked.
    return await (server ? from<Row[]>`${ofAll} and realm_id = ${realmId ?? null}` : ofAll);
  }

  async function readPortion(
    ids: number[],
    realmId: number | undefined,
    isOwn: () => boolean,
  ): Promise<void> {
    const rows = await readRows(ids, realmId);
    const bases = [...new Set(rows.flatMap(({ baseId }) => baseId ?? []))].filter((id) => !cache.has(id));
    // An audience outlives those that are changes of it.
    const all = bases.length > 0 ? [...(await readRows(bases, realmId)), ...rows] : rows;
    if (isOwn()) for (const { id, ...row } of all) cache.set(id, membersOf(row));
  }

  return {
    async read(ids: readonly number[], realmId?: number): Promise<void> {
      const current = reading;
      const unread = ids.filter((id) => !current.has(id));
      const waits = ids.flatMap((id) => current.get(id) ?? []);
      let portion = Promise.resolve();
      for (let first = 0; first < unread.length; first += readMax) {
        const portionIds = unread.slice(first, first + readMax);
        portion = portion.then(() => readPortion(portionIds, realmId, () => reading === current));
        waits.push(portion);
        for (const id of portionIds) current.set(id, portion);
      }
      await Promise.all(waits).finally(() => {
        for (const id of unread) current.delete(id);
      });
    },
    /** What is under way leaves nothing in memory: another server may give these ids to other audiences. */
    disown(): void {
      reading = new Map();
    },
  };
}

interface AudiencesDeps {
  sql: Sql;
  /** The server that holds a realm, if there are several; else null. */
  readonly sqlOf?: (realmId: number) => Promise<Sql | null>;
}

export function createAudiences({ bytesMax, ...deps }: AudiencesDeps & { bytesMax?: number }): Audiences {
  const cache = new BoundedCache<number, Members>('audiences', {
    bytesOf,
    ...(bytesMax !== undefined && { bytesMax }),
  });
  const reads = createReads(deps, cache);
  const servers = new Set<string>();

  /** All members, or those of the base; undefined unless they are in memory. */
  function wholeOf(members: Members | undefined): Uint32Array | undefined {
    if (!members || members instanceof Uint32Array) return members;
    const whole = cache.get(members.baseId);
    return whole instanceof Uint32Array ? whole : undefined;
  }

  function get(audienceId: number): Members {
    const members = cache.get(audienceId);
    if (!members) throw new Error(`Audience ${audienceId} was used before it was loaded.`);
    return members;
  }

  function getWhole(members: Members): Uint32Array {
    const whole = wholeOf(members);
    if (!whole) throw new Error('An audience was used before its base was loaded.');
    return whole;
  }

  return {
    async load(ids, realmId) {
      const missing = [...new Set(ids)].filter((id) => !wholeOf(cache.get(id)));
      await reads.read(missing, realmId);
    },
    isLoaded: (audienceId) => wholeOf(cache.get(audienceId)) !== undefined,
    has(audienceId, userId) {
      const members = get(audienceId);
      const whole = getWhole(members);
      if (members instanceof Uint32Array) return contains(whole, userId);
      const { joined, departed } = members;
      return contains(joined, userId) || (contains(whole, userId) && !contains(departed, userId));
    },
    size(audienceId) {
      const members = get(audienceId);
      return getWhole(members).length + (members instanceof Uint32Array ? 0 : members.joined.length);
    },
    members(audienceId) {
      const members = get(audienceId);
      return members instanceof Uint32Array ? members : listMembers(getWhole(members), members);
    },
    hear(term) {
      const server = serverOf(term);
      if (servers.has(server)) return;
      cache.clear();
      reads.disown();
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
