import { bigint, integer, pgTable, primaryKey, smallint, text, timestamp, uuid } from 'drizzle-orm/pg-core';

/** A word of a realm's messages and topics, by one of its stems; `languages` has a bit for each in which it is one. */
export const searchTerms = pgTable(
  'search_terms',
  {
    realmId: integer('realm_id').notNull(),
    stem: text().notNull(),
    word: text().notNull(),
    languages: smallint().notNull(),
  },
  (table) => [primaryKey({ columns: [table.realmId, table.stem, table.word] })],
);

/** Up to which message the words of a realm have been collected. */
export const searchCursors = pgTable('search_cursors', {
  realmId: integer('realm_id').primaryKey(),
  messageId: bigint('message_id', { mode: 'number' }).notNull(),
});

/**
 * What the search engine outside has of a realm, under the name of a generation: everything that the log says up to `seq`,
 * of the messages from `filledFrom` to `messageId`.
 */
export const searchEngineCursors = pgTable('search_engine_cursors', {
  realmId: integer('realm_id').primaryKey(),
  index: text('index_name').notNull(),
  generation: text().notNull(),
  epoch: uuid().notNull(),
  seq: bigint({ mode: 'number' }).notNull(),
  messageId: bigint('message_id', { mode: 'number' }).notNull(),
  filledFrom: bigint('filled_from', { mode: 'number' }).notNull(),
  attempts: smallint().notNull().default(0),
  retryAt: timestamp('retry_at', { withTimezone: true }),
});
