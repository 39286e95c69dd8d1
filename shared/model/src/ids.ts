import { type SQL, sql } from 'drizzle-orm';

/** Whether a number can be an id. Ids are int4 in Postgres, which fails a comparison with a larger number. */
export const isId = (value: number) => Number.isInteger(value) && value >= 0 && value <= 2_147_483_647;

/** Ids as one parameter of a query, however many they are. */
export const intArray = (ids: number[]): SQL => sql`${`{${ids.join(',')}}`}::text::int[]`;
