import { type UserSetting, notificationTimes, roles, userSettings } from '@parley/protocol';
import { type SQL, sql } from 'drizzle-orm';

import { bigintArray } from '../ids.ts';
import { joinMessageMutes, messageMutedCondition, messageUnreadCondition } from '../messages/unread.ts';
import { numberLiteral } from '../number-literal.ts';
import { topicPolicies } from '../user-topics/policies.ts';

interface Considered {
  realmId: number;
  messageIds: readonly number[];
  /** Considers this user alone. */
  userId?: number;
  now: Date;
}

/** A setting of `u` that is on or off. */
const setting = (name: UserSetting): SQL =>
  sql`coalesce((u.settings ->> ${name}::text)::boolean, ${userSettings[name].default})`;

const follows = sql`p.policy = ${numberLiteral(topicPolicies.followed)}`;

/** Selects a user's membership of the conversation of `m`. By itself: Postgres would take all of the conversation's for few. */
const membershipOf = (realmId: number, userId: SQL): SQL => sql`
  select * from conversation_members
  where realm_id = ${realmId} and conversation_id = m.conversation_id and user_id = ${userId} offset 0`;

/** Selects the members of the conversation of `m` for whom a condition holds, by themselves for the same reason. */
const membersOf = (realmId: number, condition: SQL): SQL => sql`
  select user_id from conversation_members
  where realm_id = ${realmId} and conversation_id = m.conversation_id and ${condition} offset 0`;

/**
 * Returns the unread messages that users want to be notified of, as a relation: `message_id`, `user_id`, and whether
 * they want to be told by `mail` or `push`, if they are not here. Also where the message was sent to, and the user's
 * `settings`.
 *
 * People are notified of direct messages and of messages that mention them; where they have not muted it, also of those
 * that mention everyone, of those in topics that they follow, and of all in a channel: each as their settings, and those
 * for the channel, say. What it costs grows with those who want to be notified, and not with the channel's subscribers.
 */
export const wantedNotifications = ({ realmId, messageIds, userId, now }: Considered): SQL => sql`(
  with m as materialized (
    select * from messages
    where realm_id = ${realmId} and id = any(${bigintArray(messageIds)})
      and sent_at > ${new Date(now.getTime() - notificationTimes.messageMs).toISOString()}::timestamptz
  ), candidates as (
    select m.id, o.user_id from m
      cross join lateral (
        select people from conversations
        where realm_id = ${realmId} and id = m.conversation_id and people is not null offset 0
      ) d
      cross join lateral unnest(d.people) o (user_id)
    union select m.id, f.user_id from m
      cross join lateral (
        select user_id from message_flags
        where realm_id = ${realmId} and message_id = m.id and (mentioned or topic_wildcard_mentioned) offset 0
      ) f
    union select m.id, c.user_id from m
      cross join lateral (${membersOf(realmId, sql`true`)}) c
      where m.mentions_channel
    union select m.id, p.user_id from m
      cross join lateral (
        select user_id from user_topics p where p.realm_id = ${realmId} and p.topic_id = m.topic_id and ${follows} offset 0
      ) p
    union select m.id, c.user_id from m
      cross join lateral (${membersOf(realmId, sql`(push_notifications or email_notifications)`)}) c
      where m.channel_id is not null
    union select m.id, u.id from m
      join users u on u.realm_id = ${realmId} and (u.settings @> '{"enable_stream_push_notifications": true}'
        or u.settings @> '{"enable_stream_email_notifications": true}')
      cross join lateral (${membershipOf(realmId, sql`u.id`)}) c
      where m.channel_id is not null
  )
  select m.id as message_id, u.id as user_id, m.conversation_id, m.topic_id, u.settings,
    (is_personal or wildcard) and ${setting('enable_offline_email_notifications')}
      or (followed and ${setting('enable_followed_topic_email_notifications')})
      or (in_channel and coalesce(k.email_notifications, ${setting('enable_stream_email_notifications')})) as mail,
    (is_personal or wildcard) and ${setting('enable_offline_push_notifications')}
      or (followed and ${setting('enable_followed_topic_push_notifications')})
      or (in_channel and coalesce(k.push_notifications, ${setting('enable_stream_push_notifications')})) as push
  from candidates q
  join m on m.id = q.id
  cross join lateral (select * from users where realm_id = ${realmId} and id = q.user_id offset 0) u
  cross join lateral (${membershipOf(realmId, sql`u.id`)}) c
  left join lateral (
    select * from message_flags where realm_id = ${realmId} and message_id = m.id and user_id = u.id offset 0
  ) f on true
  ${joinMessageMutes({ id: sql`u.id`, realm: { id: realmId } })}
  cross join lateral (select
    m.channel_id is null or coalesce(f.mentioned, false) as is_personal,
    coalesce(${follows}, false) as followed,
    coalesce(k.is_subscribed, false) and not ${messageMutedCondition} as in_channel
  ) facts
  cross join lateral (select
    (m.mentions_channel or coalesce(f.topic_wildcard_mentioned, false)) and in_channel
      and (coalesce(k.wildcard_mentions_notify, ${setting('wildcard_mentions_notify')})
        or (followed and ${setting('enable_followed_topic_wildcard_mentions_notify')})) as wildcard
  ) mention
  where u.is_active and u.bot_type is null and not u.is_system and u.id <> m.sender_id
    and ${userId === undefined ? sql`true` : sql`u.id = ${userId}`}
    and ${messageUnreadCondition({ id: sql`u.id` })}
    and (m.channel_id is null or coalesce(k.is_subscribed, false)
      or (h.shares_history and not h.is_private and u.role < ${numberLiteral(roles.guest)}))
)`;
