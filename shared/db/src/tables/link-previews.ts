import { integer, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';

/** What a page says of itself; of a film, with the HTML of its player. */
export type PageRecord =
  | { kind: 'page'; title: string; description: string; image: string | null }
  | { kind: 'video'; title: string; html: string; image: string | null };

export const linkPreviews = pgTable(
  'link_previews',
  {
    realmId: integer('realm_id').notNull(),
    url: text().notNull(),
    /** Null of a page that says nothing, or could not be reached. */
    facts: jsonb().$type<PageRecord>(),
    /** Until then it is not looked at again. */
    freshUntil: timestamp('fresh_until', { withTimezone: true }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.realmId, table.url] })],
);
