import type { Tx } from '@parley/db';
import type { Draft, LogEvent } from '@parley/protocol';
import { type SQL, sql } from 'drizzle-orm';

import { intArray } from '../ids.ts';
import type { Rules } from '../realms/rules.ts';
import { listGuests } from '../users/sight.ts';
import type { ChannelRow } from './present.ts';
import { type Home, type Watchers, listOutsiders, watchersOf } from './watchers.ts';

/** Whom a change of a channel lets see it, who saw it and goes on to, and from whom it takes the sight. */
export interface SightChange {
  gain: Watchers | null;
  keep: Watchers;
  lose: Watchers | null;
}

/** How many see a channel: those it names, everyone but guests, everyone. */
const reachOf = ({ isPrivate, isWebPublic }: ChannelRow) => (isWebPublic ? 2 : isPrivate ? 0 : 1);

export async function sightChange(
  tx: Tx,
  realm: Home,
  [before, after]: readonly [ChannelRow, ChannelRow],
  subscribers: number[],
  rules: Rules,
): Promise<SightChange> {
  const [from, to] = [reachOf(before), reachOf(after)];
  if (from === to && to > 0)
    return { gain: null, keep: await watchersOf(tx, realm, after, rules), lose: null };
  if (from > to) {
    const { gain, keep, lose } = await sightChange(tx, realm, [after, before], subscribers, rules);
    return { gain: lose, keep, lose: gain };
  }
  const conversations = [after.conversationId];
  const outsiders = await listOutsiders(tx, realm.id, before, rules);
  if (to === 0) {
    const others = await listOutsiders(tx, realm.id, after, rules);
    return {
      gain: listed(without(others, [...outsiders, ...subscribers])),
      keep: { conversations, users: outsiders.filter((id) => others.includes(id)) },
      lose: listed(without(outsiders, [...others, ...subscribers])),
    };
  }
  if (from === 1) {
    const guests = await listGuests(tx, realm.id);
    return {
      gain: listed(without(guests, subscribers)),
      keep: await watchersOf(tx, realm, before, rules),
      lose: null,
    };
  }
  const except = [...new Set([...outsiders, ...subscribers])];
  return {
    gain: to === 1 ? { conversations: [realm.membersConversationId], except } : { except },
    keep: { conversations, users: outsiders },
    lose: null,
  };
}

const listed = (users: number[]): Watchers | null => (users.length > 0 ? { users } : null);

function without(ids: number[], those: number[]): number[] {
  const left = new Set(those);
  return ids.filter((id) => !left.has(id));
}

/**
 * Addresses an event to those who see a channel. Who they are depends on roles and groups where the channel is not
 * simply public: then the event is refused as stale if these have changed when it is appended.
 */
export const toWatchers = (watchers: Watchers, rules: Rules, event: LogEvent): Draft =>
  watchers.users?.length ? underRules(rules, { event, ...watchers }) : { event, ...watchers };

/** Of an event whose audience follows from roles and groups. */
export const underRules = ({ version }: Rules, draft: Draft): Draft => ({ ...draft, rulesVersion: version });

/**
 * For users who see a channel no more: it is as if they had never been in it, should they see it again. What they
 * received stays theirs.
 */
export async function forget(tx: Tx, { id, conversationId }: ChannelRow, losers: Watchers): Promise<void> {
  const { users, except = [] } = losers;
  const areThose = (column: SQL) =>
    users ? sql`${column} = any(${intArray(users)})` : sql`${column} <> all(${intArray(except)})`;
  await tx.execute(sql`
    with held as (
      select user_id from conversation_members
      where conversation_id = ${conversationId} and was_subscribed and ${areThose(sql`user_id`)}
      order by user_id for update
    )
    update conversation_members set was_subscribed = false
    where conversation_id = ${conversationId} and user_id in (select user_id from held)`);
  await tx.execute(sql`
    delete from user_topics
    where topic_id in (select id from topics where channel_id = ${id}) and ${areThose(sql`user_id`)}`);
}
