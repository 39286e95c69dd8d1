import type { Tx } from '@parley/db';
import { notificationTimes, realmSettings, userSettings } from '@parley/protocol';
import { sql } from 'drizzle-orm';

import { readableChannelCondition } from '../access/message-visibility.ts';
import type { Actor } from '../actor.ts';
import { type SweptRealms, isSwept } from '../ids.ts';
import { fromUnreadMessages, joinMessageMutes, messageMutedCondition } from '../messages/unread.ts';

/** The most topics that a digest names. */
const topicsMax = 8;

/** The day of the week in the time of Greenwich, with 0 for Monday. */
const weekdayOf = (now: Date) => (now.getUTCDay() + 6) % 7;

const dayOf = (now: Date, daysBefore = 0) =>
  new Date(now.getTime() - daysBefore * 86_400_000).toISOString().slice(0, 10);

/**
 * Returns people who are to be sent a digest: their organization sends digests on this day of the week, they want them,
 * and they were not here for some days. At most `limit` of them.
 */
export async function listDigestReaders(
  tx: Tx,
  { now, realmIds }: { now: Date; realmIds: SweptRealms },
  limit: number,
): Promise<{ userId: number; realmId: number }[]> {
  const { default: weekday } = realmSettings.digest_weekday;
  const { default: isWanted } = userSettings.enable_digest_emails;
  const absenceDays = notificationTimes.absenceMs / 86_400_000;
  const rows = await tx.execute<{ user_id: number; realm_id: number }>(sql`
    select u.id as user_id, u.realm_id
    from realms r
    join users u on u.realm_id = r.id and ${isSwept(sql`u.realm_id`, realmIds)} and u.is_active and u.bot_type is null
    left join digests d on d.realm_id = u.realm_id and d.user_id = u.id and ${isSwept(sql`d.realm_id`, realmIds)}
    where r.is_active and (r.settings ->> 'digest_emails_enabled')::boolean
      and coalesce((r.settings ->> 'digest_weekday')::int, ${weekday}::int) = ${weekdayOf(now)}
      and coalesce((u.settings ->> 'enable_digest_emails')::boolean, ${isWanted})
      and coalesce(u.last_active_on, u.joined_at::date) <= ${dayOf(now, absenceDays)}::date
      and coalesce(d.sent_on, '-infinity') < ${dayOf(now)}::date
    order by u.id limit ${limit}`);
  return rows.map(({ user_id, realm_id }) => ({ userId: user_id, realmId: realm_id }));
}

interface DigestTopic {
  channelName: string;
  topic: string;
  messages: number;
  people: number;
}

export interface Digest {
  /** The liveliest topics first. */
  topics: DigestTopic[];
  /** All unread messages in channels that are not muted, and all unread direct messages. */
  inChannels: number;
  direct: number;
}

interface UnreadTopic extends Record<string, unknown> {
  /** Null of direct messages. */
  channel: string | null;
  topic: string | null;
  messages: number;
  people: number;
}

/** Returns what a user has not read of what came in the last days. It must run in one snapshot. */
export async function readDigest(tx: Tx, actor: Actor, now: Date): Promise<Digest> {
  const since = new Date(now.getTime() - notificationTimes.digestMs).toISOString();
  const rows = await tx.execute<UnreadTopic>(sql`
    select h.name as channel, t.name as topic, count(*)::int as messages, count(distinct m.sender_id)::int as people
    from ${fromUnreadMessages(actor)}
    ${joinMessageMutes(actor)}
    left join topics t on t.realm_id = ${actor.realm.id} and t.id = m.topic_id
    where m.sent_at > ${since}::timestamptz and not ${messageMutedCondition}
      and (m.channel_id is null or ${await readableChannelCondition(tx, actor)})
    group by h.name, t.name
    order by messages desc, h.name, t.name`);
  const count = (some: UnreadTopic[]) => some.reduce((sum, { messages }) => sum + messages, 0);
  const inChannels = rows.filter(({ channel }) => channel !== null);
  return {
    topics: inChannels.slice(0, topicsMax).map(({ channel, topic, messages, people }) => ({
      channelName: channel ?? '',
      topic: topic ?? '',
      messages,
      people,
    })),
    inChannels: count(inChannels),
    direct: count(rows.filter(({ channel }) => channel === null)),
  };
}
