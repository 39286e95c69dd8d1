import { type SQL, sql } from 'drizzle-orm';

/**
 * Returns a constant inside the text of a statement, not a parameter: the planner knows its value, and Postgres
 * recognizes the same expression in `select` and `group by`.
 */
export const numberLiteral = (value: number): SQL => sql.raw(String(value));
