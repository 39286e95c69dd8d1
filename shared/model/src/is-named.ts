import { type SQL, inArray, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';

/**
 * Returns a condition: the column has one of these names, whatever their case. Postgres maps them all, as it does in
 * the index: others map letters such as `İ`, and a `Σ` that ends a word, in a way of their own.
 */
export const isNamed = (column: PgColumn, names: readonly string[]): SQL =>
  inArray(
    sql`lower(${column})`,
    [...new Set(names)].map((name) => sql`lower(${name})`),
  );
