import { bigint, integer, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core';

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
