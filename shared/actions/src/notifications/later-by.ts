import { type SQL, sql } from 'drizzle-orm';

/**
 * Returns a time that is later by an interval. Several servers of one database refuse to change a row by what depends on the
 * time zone of a connection, as the sum of both would.
 */
export const laterBy = (at: SQL, interval: SQL): SQL =>
  sql`((${at} at time zone 'UTC') + ${interval}) at time zone 'UTC'`;
