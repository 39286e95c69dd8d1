import type { Network } from '../network.ts';
import type { Place } from '../world.ts';
import type { DatabaseState } from './state.ts';
import { findStatement } from './statements.ts';

/** The end of a client's connection at a server. */
export interface Session {
  /** The server is gone: the client hears that its connection is closed. */
  close(): void;
}

/** One server: what it has stored outlives its runs. */
export class PostgresServer {
  readonly place: Place;
  state: DatabaseState;
  isUp = true;
  startedUs: number;
  readonly sessions = new Set<Session>();
  /** What was stored after each of the last commits, the newest last: what a replica that is behind has. */
  readonly commits: DatabaseState[] = [];

  constructor(place: Place, state: DatabaseState, startedUs: number) {
    this.place = place;
    this.state = state;
    this.startedUs = startedUs;
  }
}

const commitsKept = 16;
/** So many values of a sequence Postgres logs ahead: a replica that takes over goes on behind them. */
const idsAhead = 32;
const writing = /append_|renew_epoch|simulated_change/;

/**
 * A primary with its replica, which may be behind. A statement is carried out at once, as one transaction: whoever appends
 * holds the lock of the head until the commit, so that nobody sees more of it. What is committed outlives a crash of the
 * server; what was not reached the server before is lost with the connection.
 */
export class SimulatedPostgres {
  readonly network: Network;
  primary: PostgresServer;
  readonly servers: PostgresServer[] = [];
  private starts = 0;

  constructor(network: Network, state: DatabaseState) {
    this.network = network;
    this.primary = this.addServer(state);
  }

  private addServer(state: DatabaseState): PostgresServer {
    this.starts += 1;
    const place = this.network.world.createPlace(`postgres-${this.servers.length + 1}`);
    const server = new PostgresServer(place, state, this.startUs());
    this.servers.push(server);
    return server;
  }

  private startUs(): number {
    this.starts += 1;
    return Math.floor(this.network.world.nowMs) * 1000 + this.starts;
  }

  /** Carries a statement out, as its own transaction. */
  carryOut(
    server: PostgresServer,
    asker: Place,
    strings: TemplateStringsArray,
    parameters: readonly unknown[],
  ) {
    const { world } = this.network;
    const run = {
      state: server.state,
      startedUs: server.startedUs,
      nowMs: world.nowMs,
      randomUuid: () => world.uuid(),
      asker,
    };
    const rows = findStatement(strings)(run, parameters);
    if (strings.some((part) => writing.test(part))) this.keepCommit(server);
    return rows;
  }

  private keepCommit({ commits, state }: PostgresServer): void {
    commits.push(state.copy());
    if (commits.length > commitsKept) commits.shift();
  }

  private closeSessions(server: PostgresServer): void {
    for (const session of server.sessions) session.close();
    server.sessions.clear();
  }

  /** The primary crashes, and is there again after a while. */
  restart(ms: number): void {
    const server = this.primary;
    server.isUp = false;
    this.closeSessions(server);
    this.network.world.after(this.network.world.outside, ms, () => {
      // Once another has taken its place, it does not come back.
      if (server !== this.primary) return;
      server.startedUs = this.startUs();
      server.isUp = true;
    });
  }

  /** What the server had so many commits ago. */
  private stateBefore(commits: number): DatabaseState {
    const kept = this.primary.commits;
    return (kept[kept.length - 1 - commits] ?? kept[0] ?? this.primary.state).copy();
  }

  /**
   * The replica takes over, which lacks the last commits. Whoever connects from now on, reaches it. The former primary ends
   * after a while, and serves those who are still connected until then: all, or those whose connection is not lost before.
   */
  failOver(
    commitsBehind: number,
    lingersMs: number,
    isCut: (connection: number) => boolean = () => false,
  ): void {
    const former = this.primary;
    const state = this.stateBefore(commitsBehind);
    state.lastAudienceId += idsAhead;
    this.primary = this.addServer(state);
    this.keepCommit(this.primary);
    const end = () => {
      former.isUp = false;
      this.closeSessions(former);
    };
    if (lingersMs === 0) return end();
    for (const [index, session] of [...former.sessions].entries()) {
      if (!isCut(index)) continue;
      former.sessions.delete(session);
      session.close();
    }
    this.network.world.after(this.network.world.outside, lingersMs, end);
  }

  /** All but the last entries are trimmed, as if time had passed. */
  trim(kept: number): void {
    const { state } = this.primary;
    for (const [realmId, log] of state.logs) {
      state.trimmed.set(realmId, Math.max(state.trimmed.get(realmId) ?? 0, log.length - kept));
    }
  }

  endFormer(): void {
    for (const server of this.servers) {
      if (server === this.primary || !server.isUp) continue;
      server.isUp = false;
      this.closeSessions(server);
    }
  }
}
