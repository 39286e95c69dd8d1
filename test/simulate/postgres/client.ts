import type { Sql } from '@parley/db';

import { Wire } from '../network.ts';
import type { Place } from '../world.ts';
import type { PostgresServer, Session, SimulatedPostgres } from './server.ts';

/** An error of postgres.js: callers go by its code. */
class ConnectionLost extends Error {
  readonly code: string;

  constructor(code: string) {
    super(`The simulated connection failed: ${code}.`);
    this.code = code;
  }
}

interface Query {
  readonly strings: TemplateStringsArray;
  readonly parameters: readonly unknown[];
  readonly resolve: (rows: unknown) => void;
  readonly reject: (error: unknown) => void;
}

const connectMsMax = 5000;
const options = { connect_timeout: connectMsMax / 1000 };

/** One connection of a pool. It carries one statement at a time. */
class Connection implements Session {
  private readonly pool: Pool;
  private readonly server: PostgresServer;
  private readonly wire: Wire;
  private query: Query;
  private isConnected = false;
  /** The server knows of it. */
  private isHeld = true;
  isIdle = false;

  constructor(pool: Pool, first: Query) {
    const { postgres, place } = pool;
    this.pool = pool;
    this.server = postgres.primary;
    this.wire = new Wire(postgres.network, place, this.server.place);
    this.query = first;
    this.wire.toFar(() => {
      if (!this.server.isUp) return this.wire.toNear(() => this.fail('ECONNREFUSED'));
      this.server.sessions.add(this);
      this.wire.toNear(() => {
        this.isConnected = true;
        this.send(this.query);
      });
    });
    postgres.network.world.after(place, connectMsMax, () => {
      if (!this.isConnected && this.wire.isOpen) this.fail('CONNECT_TIMEOUT');
    });
  }

  send(query: Query): void {
    this.query = query;
    this.isIdle = false;
    this.wire.toFar(() => {
      if (this.isHeld) this.answer(query);
    });
  }

  private answer({ strings, parameters, resolve, reject }: Query): void {
    let settle: () => void;
    try {
      const rows = this.pool.postgres.carryOut(this.server, this.pool.place, strings, parameters);
      settle = () => resolve(Object.assign([...rows], { count: rows.length }));
    } catch (error) {
      settle = () => reject(error);
    }
    this.wire.toNear(() => {
      settle();
      this.isIdle = true;
      this.pool.next(this);
    });
  }

  /** As `Session`. */
  close(): void {
    this.isHeld = false;
    this.wire.toNear(() => this.fail('CONNECTION_CLOSED'));
  }

  /** The near side gives it up. */
  drop(): void {
    if (this.wire.isOpen) this.fail('CONNECTION_CLOSED');
  }

  private fail(code: string): void {
    this.wire.isOpen = false;
    this.server.sessions.delete(this);
    this.pool.connections.delete(this);
    if (!this.isIdle) this.query.reject(new ConnectionLost(code));
    this.pool.next(null);
  }
}

class Pool {
  readonly postgres: SimulatedPostgres;
  readonly place: Place;
  readonly connections = new Set<Connection>();
  private readonly max: number;
  private readonly waiting: Query[] = [];

  constructor(postgres: SimulatedPostgres, place: Place, max: number) {
    this.postgres = postgres;
    this.place = place;
    this.max = max;
  }

  submit(query: Query): void {
    for (const connection of this.connections) if (connection.isIdle) return connection.send(query);
    if (this.connections.size < this.max) this.connections.add(new Connection(this, query));
    else this.waiting.push(query);
  }

  next(idle: Connection | null): void {
    const query = this.waiting.shift();
    if (!query) return;
    if (idle) idle.send(query);
    else this.submit(query);
  }
}

/** The pools that a process has, of which faults may cut connections. */
export interface SimulatedSql {
  sql: Sql;
  /** Closes all connections, with whatever is under way. */
  readonly cut: () => void;
}

/** Returns what stands for a client of postgres.js: the statements of the delivery path, and their errors. */
export function createSimulatedSql(postgres: SimulatedPostgres, place: Place, max: number): SimulatedSql {
  const pool = new Pool(postgres, place, max);
  const run = (strings: TemplateStringsArray, ...parameters: readonly unknown[]) =>
    new Promise((resolve, reject) => pool.submit({ strings, parameters, resolve, reject }));
  const cut = () => {
    for (const connection of pool.connections) connection.drop();
  };
  const end = () => {
    cut();
    return Promise.resolve();
  };
  // Safe: the delivery path gives it nothing but statements, and ends it.
  return { sql: Object.assign(run, { end, options }) as unknown as Sql, cut };
}
