import { sql } from 'drizzle-orm';

import type { Actor } from '../actor.ts';
import { messageUnreadCondition } from './unread.ts';

/** The facts that a reader's flags follow from. flagColumns selects them. */
export interface FlagRow {
  was_received: boolean;
  is_unread: boolean;
  starred: boolean;
  collapsed: boolean;
  mentioned: boolean;
  mentions_channel: boolean;
  topic_wildcard_mentioned: boolean;
  has_alert_word: boolean;
}

/**
 * Returns the columns of a FlagRow. `c` is the reader's membership of the conversation of `m`, `f` the reader's flags.
 */
export const flagColumns = (actor: Actor) => sql`
  coalesce(m.ordinal <@ c.received, false) as was_received,
  coalesce(${messageUnreadCondition(actor)}, false) as is_unread,
  coalesce(f.starred, false) as starred,
  coalesce(f.collapsed, false) as collapsed,
  coalesce(f.mentioned, false) as mentioned,
  m.mentions_channel,
  coalesce(f.topic_wildcard_mentioned, false) as topic_wildcard_mentioned,
  coalesce(f.has_alert_word, false) as has_alert_word`;

/**
 * Returns a reader's flags as the API names them. A message that the reader did not receive is `historical` and `read`.
 */
export function flagsOf(row: FlagRow): string[] {
  const wildcard = row.mentions_channel || row.topic_wildcard_mentioned;
  return [
    ...(row.is_unread ? [] : ['read']),
    ...(row.starred ? ['starred'] : []),
    ...(row.collapsed ? ['collapsed'] : []),
    ...(row.was_received
      ? [
          ...(row.mentioned ? ['mentioned'] : []),
          ...(row.mentions_channel ? ['stream_wildcard_mentioned'] : []),
          ...(row.topic_wildcard_mentioned ? ['topic_wildcard_mentioned'] : []),
          ...(wildcard ? ['wildcard_mentioned'] : []),
          ...(row.has_alert_word ? ['has_alert_word'] : []),
        ]
      : ['historical']),
  ];
}
