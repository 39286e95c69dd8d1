import {
  type Database,
  type DatabaseOptions,
  type Sql,
  connectDatabase,
  connectSql,
  isDistributed,
} from '@parley/db';
import { LRUCache } from 'lru-cache';

/** The two pools of a server. */
export interface Server {
  db: Database;
  sql: Sql;
}

/** Watches a server, which is called by its address. */
type WatchServer = (database: DatabaseOptions, address: string) => AsyncDisposable;

/** For so long a server is taken to hold an organization. What moved meanwhile is reached through it all the same. */
const knownMs = 10_000;
const realmsMax = 100_000;

/**
 * The servers that hold organizations. On one Postgres it is that one. Where a database is divided over several servers, each
 * of them answers for all, but a transaction on the server of its organization is one of that server alone, and sees one moment
 * of it. Where an organization is says the catalogue of the engine.
 */
export class Servers implements AsyncDisposable {
  private readonly first: Server;
  private readonly options: DatabaseOptions;
  private readonly watch: WatchServer;
  private readonly byAddress = new Map<string, Server & { watching: AsyncDisposable }>();
  private readonly known = new LRUCache<number, Promise<Server>>({ max: realmsMax, ttl: knownMs });
  private divided: Promise<boolean> | undefined;

  /** The first is the one that is connected to: the only one, or the coordinator. Each of the others is watched. */
  constructor(first: Server, options: DatabaseOptions, watch: WatchServer) {
    this.first = first;
    this.options = options;
    this.watch = watch;
  }

  /** Returns whether there are several. */
  get areSeveral(): Promise<boolean> {
    this.divided ??= isDistributed(this.first.sql).catch((error: unknown) => {
      this.divided = undefined;
      throw error;
    });
    return this.divided;
  }

  /** Returns the server that holds an organization. */
  async of(realmId: number): Promise<Server> {
    if (!(await this.areSeveral)) return this.first;
    const known = this.known.get(realmId);
    if (known) return await known;
    const found = this.find(realmId);
    this.known.set(realmId, found);
    found.catch(() => this.known.delete(realmId));
    return await found;
  }

  private async find(realmId: number): Promise<Server> {
    const [row] = await this.first.sql<{ host: string; port: number }[]>`
      select n.nodename as host, n.nodeport as port
      from pg_dist_placement p join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
      where p.shardid = get_shard_id_for_distribution_column('realm_heads', ${realmId}::int)`;
    if (!row) return this.first;
    const address = `${row.host}:${row.port}`;
    const server = this.byAddress.get(address) ?? this.connect(row, address);
    this.byAddress.set(address, server);
    return server;
  }

  private connect({ host, port }: { host: string; port: number }, address: string) {
    const url = Object.assign(new URL(this.options.url), { hostname: host, port: String(port) });
    const options = { ...this.options, url: url.href };
    return {
      db: connectDatabase(options),
      sql: connectSql(options),
      watching: this.watch(options, address),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(
      [...this.byAddress.values()].map(({ db, sql, watching }) =>
        Promise.all([watching[Symbol.asyncDispose](), db[Symbol.asyncDispose](), sql.end({ timeout: 5 })]),
      ),
    );
  }
}
