import type { Tx } from '@parley/db';
import type { KeyQuery, SearchEngine } from '@parley/search';
import { type SQL, sql } from 'drizzle-orm';

import type { PreparedSearch } from './condition.ts';

/** A search among the messages of a realm. */
export interface SearchIn {
  tx: Tx;
  realmId: number;
  search: PreparedSearch;
  /** Keys of the place to which the narrow limits it. */
  places: readonly string[];
  /** What is joined to a message `m` that contains it, and what else has to hold. */
  joins: SQL;
  where: SQL;
  /** Says what keys all messages have that the reader may read. */
  findReach: () => Promise<KeyQuery>;
  /** What is asked for messages that may contain it; null where Postgres alone is. */
  engine: SearchEngine | null;
}

export type Direction = 'asc' | 'desc';

/** What a portion of the history has. */
export interface FoundInPortion {
  ids: number[];
  /** How many messages contain the words, and among how many ids. */
  hits: number;
  width: number;
  /** The message behind it; null at the end. */
  next: number | null;
}

export const numberOf = (id: number | null | undefined): number | null =>
  id === null || id === undefined ? null : Number(id);

/** Selects the next message in a direction: ids may have gaps of any size. */
export const neighbourOf = (realmId: number, direction: Direction, id: number): SQL => sql`
  select id from messages
  where realm_id = ${realmId} and id ${sql.raw(direction === 'desc' ? '<' : '>')} ${id}::bigint
  order by id ${sql.raw(direction)} limit 1`;
