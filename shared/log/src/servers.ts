import { type DatabaseOptions, type Sql, isDistributed, partSchema } from '@parley/db';
import { SmallCache } from '@parley/kit';

import type { DatabaseWatch } from './database-watch.ts';
import type { Share, SqlServers } from './sql-servers.ts';

/** A server as a process uses it, which is called by its address. */
interface OpenedServer<Server> extends AsyncDisposable {
  server: Server;
  /** Makes a client of the same connections for organizations in one part of the tables, by the name of its schema. */
  readonly part: (schema: string) => Server;
  /** Watches it, so that work fails soon where it hangs. */
  watch: DatabaseWatch;
}

/** Realms, and the server that holds them. */
interface Holder<Server> {
  realmIds: readonly number[];
  /** Asks that server. It fails soon where the server hangs. */
  readonly ask: <Result>(work: (server: Server) => Promise<Result>) => Promise<Result>;
}

/** Where an organization is. */
interface Place {
  address: string;
  /** The schema of its part of the tables there: see @parley/db. */
  part: string;
}

interface ServersDeps<Server> {
  /** The one that is connected to: the only one, or the coordinator. */
  first: Server;
  database: DatabaseOptions;
  /** Connects to another server. */
  readonly open: (database: DatabaseOptions, address: string) => OpenedServer<Server>;
}

/** For so long a server is taken to hold an organization. What moved meanwhile is reached through it all the same. */
const knownMs = 10_000;
/**
 * So often it is looked, while somebody asks, whether anything has moved: whoever reaches an organization through the server
 * where it was has the engine plan each statement, and waits with it for whatever else moves.
 */
const movesMs = 500;
const realmsMax = 100_000;
/** Of so many parts of the tables the clients are kept: at an api node some 80 KiB each. */
const partsMax = 200;
/** How often it is looked for servers that are not in the catalogue any more. */
const lookMs = 60_000;

/**
 * The servers that hold organizations. On one Postgres it is that one. Where a database is divided over several servers, each
 * of them answers for all, but a transaction on the server of its organization is one of that server alone, sees one moment
 * of it, and waits for no other. Where an organization is says the catalogue of the engine.
 */
export class Servers<Server extends { sql: Sql }> implements SqlServers, AsyncDisposable {
  private readonly deps: ServersDeps<Server>;
  private readonly byAddress = new Map<string, OpenedServer<Server>>();
  private readonly known = new SmallCache<number, Promise<Place | null>>(realmsMax, { ttl: knownMs });
  private readonly parts = new SmallCache<string, Server>(partsMax);
  private asking: { realmIds: Set<number>; places: Promise<Map<number, Place>> } | undefined;
  private divided: Promise<boolean> | undefined;
  private lookedMs = performance.now();
  private nextLookMs = performance.now() + movesMs;
  /** The number that the engine gave last to a part of the tables where it is. Whatever moves has a greater one then. */
  private newestPlacement = '';
  /** Servers that were not in the catalogue when it was looked. */
  private gone = new Set<string>();

  constructor(deps: ServersDeps<Server>) {
    this.deps = deps;
  }

  /** Returns whether there are several. */
  get areSeveral(): Promise<boolean> {
    this.divided ??= isDistributed(this.deps.first.sql).catch((error: unknown) => {
      this.divided = undefined;
      throw error;
    });
    return this.divided;
  }

  /** Returns the server that holds an organization. */
  async of(realmId: number): Promise<Server> {
    if (!(await this.areSeveral)) return this.deps.first;
    const place = await this.find(realmId);
    return place ? this.partAt(place) : this.deps.first;
  }

  /**
   * Returns the server that holds an organization for what also changes tables that every server has, which takes longer: the
   * engine is asked where each row goes.
   */
  async wholeOf(realmId: number): Promise<Server> {
    if (!(await this.areSeveral)) return this.deps.first;
    const place = await this.find(realmId);
    return place ? this.at(place.address).server : this.deps.first;
  }

  async sqlOf(realmId: number): Promise<Sql> {
    return (await this.of(realmId)).sql;
  }

  async byServer(realmIds: readonly number[]): Promise<Share[]> {
    const holders = await this.holdersOf(realmIds);
    return holders.map((holder) => ({
      realmIds: holder.realmIds,
      ask: (work) => holder.ask(({ sql }) => work(sql)),
    }));
  }

  /** Does the same with whole servers. */
  async holdersOf(realmIds: readonly number[]): Promise<Holder<Server>[]> {
    const { first } = this.deps;
    if (!(await this.areSeveral)) return [{ realmIds, ask: (work) => work(first) }];
    const places = await Promise.all(realmIds.map((realmId) => this.find(realmId)));
    const byAddress = new Map<string | null, number[]>();
    for (const [index, realmId] of realmIds.entries()) {
      const address = places[index]?.address ?? null;
      const held = byAddress.get(address);
      if (held) held.push(realmId);
      else byAddress.set(address, [realmId]);
    }
    return [...byAddress].map(([address, held]) => {
      if (address === null) return { realmIds: held, ask: (work) => work(first) };
      const opened = this.at(address);
      return {
        realmIds: held,
        ask: (work) => opened.watch.whileAnswering(() => work(opened.server)),
      };
    });
  }

  async whileAnswering<Result>(realmId: number, work: () => Promise<Result>): Promise<Result> {
    if (!(await this.areSeveral)) return await work();
    const place = await this.find(realmId);
    return place ? await this.at(place.address).watch.whileAnswering(work) : await work();
  }

  private partAt({ address, part }: Place): Server {
    const key = `${address} ${part}`;
    const known = this.parts.get(key);
    if (known) return known;
    const made = this.at(address).part(part);
    this.parts.set(key, made);
    return made;
  }

  private at(address: string): OpenedServer<Server> {
    const opened = this.byAddress.get(address) ?? this.connect(address);
    this.byAddress.set(address, opened);
    return opened;
  }

  private find(realmId: number): Promise<Place | null> {
    if (performance.now() >= this.nextLookMs) void this.forgetMoved();
    const known = this.known.get(realmId);
    if (known) return known;
    this.asking ??= this.ask();
    this.asking.realmIds.add(realmId);
    const found = this.asking.places.then((places) => places.get(realmId) ?? null);
    this.known.set(realmId, found);
    found.catch(() => this.known.delete(realmId));
    return found;
  }

  /** Asks the catalogue once for all organizations that are looked for in the same moment. */
  private ask(): { realmIds: Set<number>; places: Promise<Map<number, Place>> } {
    const realmIds = new Set<number>();
    const read = async () => {
      await Promise.resolve();
      this.asking = undefined;
      void this.closeReplaced();
      const rows = await this.deps.first.sql<(Place & { realmId: number })[]>`
        select realm.id as "realmId", n.nodename || ':' || n.nodeport as address, ${partSchema} || p.shardid as part
        from unnest(${[...realmIds]}::int[]) realm (id)
        join pg_dist_placement p on p.shardid = get_shard_id_for_distribution_column('realm_heads', realm.id)
        join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'`;
      return new Map(rows.map(({ realmId, address, part }) => [realmId, { address, part }]));
    };
    return { realmIds, places: read() };
  }

  /** Forgets where organizations are, if any of them has moved. */
  private async forgetMoved(): Promise<void> {
    // One look at a time, however long it takes.
    this.nextLookMs = Infinity;
    const [row] = await this.deps.first.sql<{ newest: string }[]>`
      select coalesce(max(placementid), 0)::text as newest from pg_dist_placement`.catch(() => []);
    this.nextLookMs = performance.now() + movesMs;
    if (!row || row.newest === this.newestPlacement) return;
    this.newestPlacement = row.newest;
    this.known.clear();
  }

  /** Ends the connections to servers that have left the catalogue: once nobody can take them for one that holds something. */
  private async closeReplaced(): Promise<void> {
    if (performance.now() - this.lookedMs < lookMs) return;
    this.lookedMs = performance.now();
    const rows = await this.deps.first.sql<{ address: string }[]>`
      select nodename || ':' || nodeport as address from pg_dist_node where noderole = 'primary'`.catch(
      () => null,
    );
    if (!rows) return;
    const listed = new Set(rows.map(({ address }) => address));
    const before = this.gone;
    this.gone = new Set([...this.byAddress.keys()].filter((address) => !listed.has(address)));
    for (const address of this.gone) {
      if (!before.has(address)) continue;
      const opened = this.byAddress.get(address);
      this.byAddress.delete(address);
      // What was connected to it is ended.
      this.parts.clear();
      this.gone.delete(address);
      try {
        await opened?.[Symbol.asyncDispose]();
      } catch {
        // Connections to a server that is away end by themselves.
      }
    }
  }

  private connect(address: string): OpenedServer<Server> {
    const { database, open } = this.deps;
    const url = new URL(database.url);
    url.host = address;
    return open({ ...database, url: url.href }, address);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.byAddress.values()].map((opened) => opened[Symbol.asyncDispose]()));
  }
}
