import { type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';

/**
 * Returns whether a number can be the id of what an organization has a bounded number of, such as users and channels. These
 * are int in Postgres, which fails a comparison with a larger number.
 */
export const isId = (value: number) => Number.isInteger(value) && value >= 0 && value <= 2_147_483_647;

/**
 * Returns whether a number can be the id of what people make without end, such as messages, uploads and drafts. These are
 * bigint in Postgres, and stay below 2^53, so that JSON carries them exactly.
 */
export const isBigId = (value: number) => Number.isSafeInteger(value) && value >= 0;

/**
 * Returns ids as one parameter of a query, however many they are. Its type is an array, so Postgres knows the ids when
 * it plans: a cast from text would be compared with each row id by id.
 */
export const intArray = (ids: readonly number[]): SQL => sql`${`{${ids.join(',')}}`}::int[]`;

/** Returns the same of ids that are bigint. */
export const bigintArray = (ids: readonly number[]): SQL => sql`${`{${ids.join(',')}}`}::bigint[]`;

/** Realms that a sweep is about: those that one server holds, or all where one has all. */
export type SweptRealms = readonly number[] | null;

/** Returns a condition: the column has one of the realms that a sweep is about. */
export const isSwept = (column: SQL | PgColumn, realmIds: SweptRealms): SQL =>
  realmIds === null ? sql`true` : sql`${column} = any(${intArray(realmIds)})`;

/** Returns a condition: the column has one of the ids. A list of parameters, as of `inArray`, ends at 65 535. */
export const isAmong = (column: PgColumn, ids: readonly number[]): SQL =>
  sql`${column} = any(${`{${ids.join(',')}}`}::${sql.raw(column.getSQLType())}[])`;

/** Returns a condition: a row is a user's. */
export const isOfUser = (
  { realmId, userId }: { realmId: PgColumn; userId: PgColumn },
  user: { id: number; realm: { id: number } },
): SQL => sql`(${realmId} = ${user.realm.id} and ${userId} = ${user.id})`;

/** Returns a condition: a row is the one of a realm that has the id. */
export const hasId = (table: { realmId: PgColumn; id: PgColumn }, realm: { id: number }, id: number): SQL =>
  sql`(${table.realmId} = ${realm.id} and ${table.id} = ${id})`;

/** Returns ids in ascending order. */
export const inOrder = (ids: readonly number[]): number[] => ids.toSorted((a, b) => a - b);
