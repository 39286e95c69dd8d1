import { limits } from '@parley/protocol';
import { sql } from 'drizzle-orm';

import { isBigId } from '../ids.ts';
import { type PageQuery, joinUnreadReader, selectFound, selectNext, selectUnread } from './next-ids.ts';
import { messageMutedCondition, messageUnreadCondition } from './unread.ts';

/** Where in the narrow to look: a message id, an end, the first unread message, or the first since a time. */
export type Anchor = number | 'newest' | 'oldest' | 'first_unread' | Date;

/** Returns the id that an anchor means in a narrow: that of no message where the narrow has none for it. */
export async function resolveAnchor(query: PageQuery, anchor: Anchor): Promise<number> {
  if (anchor === 'newest') return limits.anchorNewest;
  if (anchor === 'oldest') return 0;
  if (anchor instanceof Date) return await findFirstSince(query, anchor);
  if (anchor !== 'first_unread')
    return isBigId(Math.max(anchor, 0)) ? Math.max(anchor, 0) : limits.anchorNewest;
  const isUnmuted = query.scope.ignoresMutes ? sql`true` : sql`not ${messageMutedCondition}`;
  if (query.scope.search) {
    const where = sql`${query.besideSearch} and ${messageUnreadCondition(query.actor)} and ${isUnmuted}`;
    const { ids } = await selectFound(query, { joins: joinUnreadReader(query.actor), where }, 'asc', 0, 1);
    return ids[0] ?? limits.anchorNewest;
  }
  const unmuted = { ...query, ofUnread: sql`${query.ofUnread} and ${isUnmuted}` };
  const [first] = await selectUnread(unmuted, 'asc', null, 1);
  return first ?? limits.anchorNewest;
}

/** Ids rise with time, except that concurrent sends may take ids out of order: by at most so many, it is assumed. */
const idDisorderMax = 1000;

/** The id of the narrow's first message that was sent at a time or later. */
async function findFirstSince(query: PageQuery, at: Date): Promise<number> {
  const [newest] = await query.tx.execute<{ id: number }>(sql`
    select id from messages where realm_id = ${query.actor.realm.id} order by id desc limit 1`);
  let [low, high] = [0, (newest?.id ?? 0) + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [message] = await query.tx.execute<{ id: number; is_later: boolean }>(sql`
      select id, sent_at >= ${at.toISOString()}::timestamptz as is_later from messages
      where realm_id = ${query.actor.realm.id} and id >= ${middle} order by id limit 1`);
    if (!message || message.is_later) high = middle;
    else low = message.id + 1;
  }
  const isSince = sql`m.sent_at >= ${at.toISOString()}::timestamptz`;
  const since = {
    ...query,
    where: sql`${query.where} and ${isSince}`,
    besides: sql`${query.besides} and ${isSince}`,
    besideSearch: sql`${query.besideSearch} and ${isSince}`,
  };
  const { ids } = await selectNext(since, 'asc', Math.max(low - idDisorderMax, 0), 1);
  return ids[0] ?? limits.anchorNewest;
}
