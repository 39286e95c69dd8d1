import { type SQL, sql } from 'drizzle-orm';

/** Ids are positive int4 in Postgres, which refuses to compare them with more; any other number names nothing. */
export const isId = (value: number) => Number.isInteger(value) && value >= 0 && value <= 2_147_483_647;

/** Ids as one value of a query, however many they are. */
export const intArray = (ids: number[]): SQL => sql`${`{${ids.join(',')}}`}::text::int[]`;
