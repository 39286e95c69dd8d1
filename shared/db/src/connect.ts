import type { PgDatabase } from 'drizzle-orm/pg-core';
import { type PostgresJsQueryResultHKT, drizzle } from 'drizzle-orm/postgres-js';
import postgres from 'postgres';

import { socketOpener } from './open-socket.ts';
import { type Repeats, createRepeats, prepareRepeated } from './prepare-repeated.ts';
import { beginSnapshot } from './snapshots.ts';
import * as tables from './tables/index.ts';
import { readTls } from './tls.ts';

export interface DatabaseOptions {
  url: string;
  /** The name of the connections in pg_stat_activity. */
  name: string;
  /** The most connections of each of the two pools. */
  max: number;
}

const numbers = { to: 20, from: [20], parse: Number, serialize: String };
/**
 * Without the patch, postgres.js 3.4 gives answers to the wrong statements after a connection was lost, and has no connections
 * that several schemas share.
 */
const unmended =
  'The package postgres is not patched. Run `npm ci`, or `npx patch-package` if npm scripts are turned off.';
const timeoutsMs = { statement: 15_000, lock: 10_000 };
const connectSecondsMax = { usual: 5, most: 600 };

/**
 * Creates a postgres.js client for hand-written SQL. Every wait has a limit: 5 s to connect, 10 s for a lock, 15 s for
 * a statement, unless the URL says otherwise. bigint is read as a number, because ids and ordinals stay below 2^53.
 */
export function connectSql(options: DatabaseOptions) {
  return connect(options);
}

function connect({ url, name, max }: DatabaseOptions) {
  const undeclared = { socket: socketOpener() };
  const { url: address, ssl } = readTls(url);
  if (!('endsWhatIsLost' in postgres && 'searchesFirst' in postgres)) throw new Error(unmended);
  return postgres(address, {
    ...(ssl && { ssl }),
    ...undeclared,
    max,
    connect_timeout: connectSeconds(address),
    idle_timeout: 0,
    max_lifetime: null,
    // The first requests after Postgres is back find it.
    backoff: (failures: number) => Math.min(0.05 * 2 ** failures, 0.5),
    // Notices such as "relation exists, skipping" are not worth logging.
    onnotice: () => undefined,
    connection: {
      application_name: `parley-${name}`,
      statement_timeout: timeoutsMs.statement,
      lock_timeout: timeoutsMs.lock,
      idle_in_transaction_session_timeout: 30_000,
    },
    types: { bigint: numbers },
  });
}

/** What the URL says, as libpq reads it, within limits. */
function connectSeconds(url: string): number {
  const { usual, most } = connectSecondsMax;
  const seconds = Number(new URL(url).searchParams.get('connect_timeout'));
  return seconds > 0 ? Math.min(seconds, most) : usual;
}

export type Sql = ReturnType<typeof connectSql>;

/**
 * Creates a Drizzle client with a connection pool of its own, because Drizzle changes how its postgres.js client reads
 * times and JSON.
 */
export function connectDatabase(options: DatabaseOptions) {
  const client = connect(options);
  const repeats = createRepeats();
  return Object.assign(drizzleOf(client, repeats), {
    /** Returns a client with the same connections, for which tables without a schema are those of this one first. */
    searching: (schema: string): Database => drizzleOf(client.searching(schema), repeats),
    async [Symbol.asyncDispose]() {
      await client.end({ timeout: 5 });
    },
  });
}

function drizzleOf(connected: ReturnType<typeof connect>, repeats: Repeats) {
  const { client, snapshots } = prepareRepeated(connected, repeats);
  const reading = drizzle(snapshots, { schema: tables });
  return Object.assign(drizzle(client, { schema: tables }), {
    /** Reads from one snapshot. It resolves with what was read, which need not wait for the end of the transaction. */
    snapshot: <Result>(read: (tx: Tx) => Promise<Result>) =>
      new Promise<Result>((resolve, reject) => {
        reading
          .transaction(async (tx) => {
            beginSnapshot(tx);
            resolve(await read(tx));
          })
          .catch(reject);
      }),
  });
}

export type Database = ReturnType<typeof drizzleOf>;
/** A Drizzle client with its connections. */
export type ConnectedDatabase = ReturnType<typeof connectDatabase>;
/** A transaction, or the database itself where each statement may stand alone. */
export type Tx = PgDatabase<PostgresJsQueryResultHKT, typeof tables>;

const unavailableCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'ETIMEDOUT',
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'DATABASE_HANGS',
  // One of several servers cannot be reached from the one that was asked.
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
  // Postgres is read-only, or its disk or memory is full.
  '25006',
  '53100',
  '53200',
  // Postgres has too many connections, is shutting down, crashed or is starting up; a statement or a lock timed out.
  '53300',
  '57P01',
  '57P02',
  '57P03',
  '57014',
  '55P03',
]);

/**
 * Where Postgres refuses a prepared statement, because a migration has changed what it returns. Outside of transactions it is
 * prepared anew at once; one within a transaction is prepared anew by the next.
 */
const staleStatement = 'RevalidateCachedQuery';

/** Two transactions waited for each other, or one cannot go on beside what another has done. */
const conflictCodes = new Set(['40P01', '40001']);

/**
 * Where Citus refuses a statement that was planned for a part of a table which has been divided since; one that is planned
 * for all values, which was to be asked of a part that has been closed since; and one that found some of its tables in the
 * part and, because it was closed meanwhile, the others in Citus: see migrations/parts.ts.
 */
const partsThatAreGone = [
  'LookupShardRelationFromCatalog',
  'CreateDistributedPlannedStmt',
  'DeferErrorIfModifyView',
];
/**
 * The name that the schema of a part has once it is closed. A statement that found a table there while it had the name by which
 * it is looked for, and no longer the functions that take rows of the table, is refused for its wording.
 */
const closedPart = /\bclosed_\d+_\d+\./;
const wordingCode = /^42/;
/**
 * Names of keys in its parts of tables, of rows that are numbered by the head of a log. Where such a number is there already,
 * the head was read in the part that was divided. On one Postgres these names do not end in a number, and it is a fault.
 */
const countedByHead = /^(?:messages|event_log)_\w+_\d+$/;

/**
 * Returns whether an error means that Postgres is unavailable or overloaded, so that the same request may succeed
 * later.
 */
export const isDatabaseUnavailable = (error: unknown): boolean =>
  hasCode(error, (code) => unavailableCodes.has(code)) || isStaleStatement(error) || isConflict(error);

/** Returns whether an error comes from Postgres or from the way to it, and not from the program. */
export const isDatabaseError = (error: unknown): boolean =>
  isDatabaseUnavailable(error) || causesOf(error).some((cause) => cause instanceof postgres.PostgresError);

/** Returns whether a prepared statement returns something else since a migration; another try prepares it anew. */
export const isStaleStatement = (error: unknown): boolean => isFrom(error, staleStatement);

/** Returns whether a transaction was aborted because of what another one does or has done. It may be run again at once. */
export const isConflict = (error: unknown): boolean =>
  hasCode(error, (code) => conflictCodes.has(code)) ||
  partsThatAreGone.some((routine) => isFrom(error, routine)) ||
  (hasCode(error, (code) => wordingCode.test(code)) &&
    causesOf(error).some(({ message }) => closedPart.test(message))) ||
  isCountedTwice(error);

/** Returns whether Postgres ended a statement because it took too long. */
export const isStatementTooLong = (error: unknown): boolean => hasCode(error, (code) => code === '57014');

/** Returns whether a realm has no ids left for messages: see functions/last_message_id.sql. */
export const isOutOfMessageIds = (error: unknown): boolean => hasCode(error, (code) => code === 'PL053');

/** Returns whether the rules of a realm changed while flags were: see functions/append_flags.sql. */
export const isOutdated = (error: unknown): boolean => hasCode(error, (code) => code === 'PL054');

const isCountedTwice = (error: unknown): boolean =>
  causesOf(error).some(
    (cause) =>
      cause instanceof postgres.PostgresError &&
      cause.code === '23505' &&
      countedByHead.test(cause.constraint_name ?? ''),
  );

const isFrom = (error: unknown, routine: string): boolean =>
  causesOf(error).some((cause) => 'routine' in cause && cause.routine === routine);

const hasCode = (error: unknown, isMeant: (code: string) => boolean): boolean =>
  causesOf(error).some((cause) => 'code' in cause && typeof cause.code === 'string' && isMeant(cause.code));

/** Returns an error, what caused it, and so on. */
const causesOf = (error: unknown): Error[] =>
  error instanceof Error ? [error, ...causesOf(error.cause)] : [];
