import type { Sql } from '@parley/db';
import { isDatabaseUnavailable } from '@parley/db';
import { SmallCache, type Logger, after, backoffMs, pause } from '@parley/kit';
import { type Tally, tally } from '@parley/telemetry';

import type { Appended } from './append.ts';
import { type Position, epochOfTerm, termOfText } from './position.ts';
import { type SqlServers, oneServer } from './sql-servers.ts';

const claimsAtOnce = 500;
/** Realms whose last own entry a process remembers. */
const realmsMax = 50_000;
/** For so long, another server may take over from one that had just taken over, or one may linger that was replaced. */
const contestedMs = 3_600_000;
/** How soon all is compared again after another server has answered, at first. Each time it takes twice as long. */
const againMs = 1000;
/** Claims that wait for Postgres; more are dropped. */
const claimsMax = 100_000;
const backoff = { firstMs: 50, maxMs: 1000 };

const mismatches: Tally = tally(
  'parley_log_mismatches_total',
  'Positions that this process knew of a log and the log does not have: its end was lost',
);
const renewed: Tally = tally(
  'parley_log_epochs_renewed_total',
  'Logs of which this process began a new epoch, because their ends were lost',
);

/** A position that a log had, as its witness knows. */
interface Claim extends Position {
  realmId: number;
  /** How the epoch begins that the log had then. */
  epoch: string;
  /** When this process had it acknowledged, as `performance.now()` tells; none if it has only read of it. */
  acknowledgedMs?: number;
}

/** The last entry of a realm that this process appended. */
interface OwnPosition extends Position {
  acknowledgedMs: number;
}

/**
 * Sees to it that nobody goes on as if nothing had happened after the end of a log was lost: a replica that lacked it took
 * over, or a backup was restored. Whoever knows of a position claims it. If the log does not have it, the realm gets a new
 * epoch, once, and all its clients register again.
 */
export interface Fence extends AsyncDisposable {
  /** Compares a position with the log, soon, and again until Postgres answers. */
  claim(claim: Claim): void;
  /** Resolves when all that has been claimed is compared. */
  settled(): Promise<void>;
  /** Remembers what this process appended or had acknowledged again, and claims what it appended before in another term. */
  remember(realmId: number, appended: readonly Appended[]): void;
  /** Claims all that this process remembers, again and again: the server is another one, or was started again. */
  claimAll(): void;
}

export interface FenceDeps {
  sql: Sql;
  /** The servers that hold realms, where there may be several. */
  servers?: Pick<SqlServers, 'byServer'>;
  logger: Logger;
  after?: typeof after;
}

export const createFence = (deps: FenceDeps): Fence => new ClaimedFence(deps);

class ClaimedFence implements Fence {
  private readonly servers: Pick<SqlServers, 'byServer'>;
  private readonly logger: Logger;
  private readonly after: typeof after;
  /** The last entries that this process appended. */
  private readonly own = new SmallCache<number, OwnPosition>(realmsMax);
  /** What is to be compared: of each realm and term the last position of its own, and of others; it has all before it. */
  private readonly claims = new Map<string, Claim>();
  /**
   * What this process had acknowledged by two servers, or found lost. While both of them answer, a comparison may be answered
   * by the one that goes, and a server may take over that does not know that all were told.
   */
  private readonly contested = new SmallCache<string, Claim>(realmsMax, { ttl: contestedMs });
  private again: { timer: Disposable; afterMs: number } | null = null;
  private readonly stopping = new AbortController();
  private comparing: Promise<void> | null = null;

  constructor({ sql, servers = oneServer(sql), logger, after: afterMs = after }: FenceDeps) {
    this.servers = servers;
    this.logger = logger;
    this.after = afterMs;
  }

  claim(claim: Claim): void {
    const key = keyOf(claim);
    const known = this.claims.get(key);
    if (known ? known.seq < claim.seq : this.claims.size < claimsMax) this.claims.set(key, claim);
    this.comparing ??= this.compareAll();
  }

  async settled(): Promise<void> {
    await this.comparing;
  }

  remember(realmId: number, appended: readonly Appended[]): void {
    const last = appended.flatMap(knownOf).at(-1);
    if (!last) return;
    const position = { seq: last.seq, term: termOfText(last.text), acknowledgedMs: performance.now() };
    const known = this.own.get(realmId);
    if (known && known.term !== position.term) {
      // Which of the two was written first is not said: connections may lead to two servers for a moment.
      for (const one of [known, position]) this.contest(ownClaim(realmId, one));
      this.claimAgain(againMs);
    }
    if (known?.term !== position.term || known.seq < position.seq) this.own.set(realmId, position);
  }

  claimAll(): void {
    this.claimKnown();
    this.claimAgain(againMs);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stopping.abort();
    this.again?.timer[Symbol.dispose]();
    await this.comparing;
  }

  private claimKnown(): void {
    for (const claim of this.contested.values()) this.claim(claim);
    for (const [realmId, position] of this.own.entries()) this.claim(ownClaim(realmId, position));
  }

  private contest(claim: Claim): void {
    const key = keyOf(claim);
    if ((this.contested.get(key)?.seq ?? 0) <= claim.seq) this.contested.set(key, claim);
    this.claim(claim);
  }

  /** Claims all again after a while, and until only one server can be left: connections may still lead to another. */
  private claimAgain(afterMs: number): void {
    if (this.stopping.signal.aborted || afterMs > contestedMs || (this.again?.afterMs ?? Infinity) <= afterMs)
      return;
    this.again?.timer[Symbol.dispose]();
    const timer = this.after(afterMs, () => {
      this.again = null;
      this.claimKnown();
      this.claimAgain(afterMs * 2);
    });
    this.again = { timer, afterMs };
  }

  private async compareAll(): Promise<void> {
    const { signal } = this.stopping;
    for (let failures = 0; this.claims.size > 0 && !signal.aborted;) {
      const batch = [...this.claims.values()].slice(0, claimsAtOnce);
      try {
        await this.compareByServer(batch);
        failures = 0;
      } catch (error) {
        if (failures === 0 && !isDatabaseUnavailable(error))
          this.logger.error({ err: error }, 'positions cannot be compared with the log');
        failures += 1;
        await pause(50 + backoffMs(failures, backoff), signal);
      }
    }
    // In the same moment in which there was no claim: the next one begins a comparison of its own.
    this.comparing = null;
  }

  /** Compares claims on the servers of their realms. Those of a server that does not answer are left, behind all others. */
  private async compareByServer(claims: readonly Claim[]): Promise<void> {
    const shares = await this.servers.byServer([...new Set(claims.map(({ realmId }) => realmId))]);
    const compared = await Promise.allSettled(
      shares.map(async ({ realmIds, ask }) => {
        const held =
          shares.length === 1 ? claims : claims.filter(({ realmId }) => realmIds.includes(realmId));
        const forget = (claim: Claim) =>
          this.claims.get(keyOf(claim)) === claim && this.claims.delete(keyOf(claim));
        try {
          await ask((sql) => this.compare(sql, held));
          held.forEach(forget);
        } catch (error) {
          for (const claim of held) if (forget(claim)) this.claims.set(keyOf(claim), claim);
          throw error;
        }
      }),
    );
    const failed = compared.find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
  }

  private async compare(sql: Sql, claims: readonly Claim[]): Promise<void> {
    const lost = await sql<(Claim & { ageMs: number | null })[]>`
      select c.realm_id as "realmId", c.epoch, c.seq, c.term, c.age_ms as "ageMs"
      from unnest(
        ${claims.map(({ realmId }) => realmId)}::int[], ${claims.map(({ epoch }) => epoch)}::text[],
        ${claims.map(({ seq }) => seq)}::bigint[], ${claims.map(({ term }) => term)}::text[],
        ${claims.map(ageMsOf)}::float8[]
      ) c (realm_id, epoch, seq, term, age_ms)
      where position_is_lost(c.realm_id, c.epoch, c.seq, c.term, c.age_ms * interval '1 ms')`;
    for (const claim of lost) {
      mismatches.count += 1;
      const { realmId, epoch, seq, term, ageMs } = claim;
      const own = claims.find((one) => one.acknowledgedMs !== undefined && isSame(one, claim));
      if (own) this.contested.set(keyOf(own), own);
      const [row] = await sql<{ isRenewed: boolean }[]>`
        select renew_epoch(${realmId}, ${epoch}, ${seq}, ${term}, ${ageMs}::float8 * interval '1 ms') as "isRenewed"`;
      if (!row?.isRenewed) continue;
      renewed.count += 1;
      this.logger.warn(
        { realmId, seq },
        'the end of a log was lost: its clients register again, and what they sent last may be gone',
      );
    }
  }
}

/**
 * What an answer of Postgres says of the log. What was done before may be known to nobody else: the answer to its first try
 * was lost.
 */
function knownOf(answer: Appended): { seq: number; text: string }[] {
  if ('entry' in answer) return [{ seq: answer.seq, text: answer.entry }];
  const { seq, known } = answer.outcome === 'repeated' || answer.outcome === 'unchanged' ? answer : {};
  return seq === undefined || known === undefined ? [] : [{ seq, text: known }];
}

const ownClaim = (realmId: number, position: OwnPosition): Claim => ({
  realmId,
  epoch: epochOfTerm(position.term),
  ...position,
});

/** Of each realm and term there is one claim about what this process appended, and one about what it read of. */
const keyOf = ({ realmId, epoch, term, acknowledgedMs }: Claim) =>
  `${realmId} ${epoch} ${term} ${acknowledgedMs !== undefined}`;

const isSame = (one: Claim, other: Claim) =>
  one.realmId === other.realmId && one.term === other.term && one.seq === other.seq;

/** How long ago a position was acknowledged: a duration means the same by every clock. */
const ageMsOf = ({ acknowledgedMs }: Claim) =>
  acknowledgedMs === undefined ? null : performance.now() - acknowledgedMs;

const realmsAtOnce = 100;

/** Begins a new epoch of one realm's log, or of all, a few at a time. Returns of how many. */
export async function beginEpochs(sql: Sql, realmId?: number): Promise<number> {
  const heads = await sql<{ realmId: number }[]>`
    select realm_id as "realmId" from realm_heads
    where ${realmId ?? null}::int is null or realm_id = ${realmId ?? null} order by realm_id`;
  for (let start = 0; start < heads.length; start += realmsAtOnce) {
    const ids = heads.slice(start, start + realmsAtOnce).map((head) => head.realmId);
    // Each in a statement of its own: whoever holds the head of a log waits for no other.
    await Promise.all(ids.map((id) => sql`select begin_epoch(${id}, '{}')`));
  }
  return heads.length;
}
