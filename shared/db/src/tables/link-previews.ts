import { integer, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';

/** The preview of a page: its title, description and picture, or the HTML of its video's player. */
export type PageRecord =
  | { kind: 'page'; title: string; description: string; image: string | null }
  | { kind: 'video'; title: string; html: string; image: string | null };

export const linkPreviews = pgTable(
  'link_previews',
  {
    realmId: integer('realm_id').notNull(),
    url: text().notNull(),
    /** The preview; null if the page has none or could not be reached. */
    facts: jsonb().$type<PageRecord>(),
    /** Until this time the page is not fetched again. */
    freshUntil: timestamp('fresh_until', { withTimezone: true }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.realmId, table.url] })],
);
