import type { Sql } from '@parley/db';
import { roles } from '@parley/protocol';

import type { Growth } from './growth.ts';
import type { Match } from './match.ts';
import type { ArchivedUser, Structure } from './structure.ts';

/** People that are subscribed with one action. */
const subscribersPerStep = 500;

/**
 * Creates the people, channels and emoji that an organization lacks, and subscribes to each channel who was never in it here.
 * Roles are not taken over: who is no guest becomes a member. Doing it again changes nothing.
 */
export async function grow(
  sql: Sql,
  realmId: number,
  { structure, match, growth }: { structure: Structure; match: Match; growth: Growth },
): Promise<void> {
  // The owners of bots before the bots.
  const people = [...structure.users.values()].sort(
    (a, b) => Number(a.botType !== null) - Number(b.botType !== null),
  );
  for (const user of people) {
    const matched = match.users.get(user.id);
    if (!matched || matched.id !== null || user.isSystem) continue;
    matched.id = await growth.createAccount(newAccount(user, match));
  }
  for (const [id, emoji] of structure.emoji) {
    if (match.emoji.get(id)?.id === null && !emoji.isDeactivated) await growth.createEmoji(emoji);
  }
  await findEmoji(sql, realmId, match);
  for (const channel of structure.channels.values()) {
    const matched = match.channels.get(channel.id);
    if (!matched) continue;
    matched.id ??= await growth.createChannel({ ...channel, name: matched.name });
    const members = (structure.members.get(channel.conversationId) ?? []).flatMap((member) =>
      member.isSubscribed ? (match.users.get(member.userId)?.id ?? []) : [],
    );
    const joining = await neverSubscribed(sql, realmId, matched.id, members);
    for (let start = 0; start < joining.length; start += subscribersPerStep) {
      await growth.subscribe(matched.id, joining.slice(start, start + subscribersPerStep));
    }
  }
}

const newAccount = (user: ArchivedUser, match: Match) => ({
  email: user.email,
  fullName: user.fullName,
  role: user.role === roles.guest ? roles.guest : roles.member,
  isActive: user.isActive,
  isBot: user.botType !== null,
  botOwnerId: match.users.get(user.botOwnerId ?? 0)?.id ?? null,
});

/** Emoji have got their ids where they were created. */
async function findEmoji(sql: Sql, realmId: number, { emoji }: Match): Promise<void> {
  const rows = await sql<{ id: number; name: string }[]>`
    select id, name from realm_emoji where realm_id = ${realmId} and not is_deactivated`;
  const ids = new Map(rows.map(({ id, name }) => [name, id]));
  for (const one of emoji.values()) one.id ??= ids.get(one.name) ?? null;
}

/** Returns those of some people who are active and were never subscribed to a channel: who has left it stays away. */
async function neverSubscribed(
  sql: Sql,
  realmId: number,
  channelId: number,
  people: readonly number[],
): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    select u.id from channels c join users u on u.realm_id = c.realm_id and u.id = any(${people}::int[]) and u.is_active
    where c.realm_id = ${realmId} and c.id = ${channelId} and not c.is_archived and not exists (
      select from conversation_members m
      where m.realm_id = c.realm_id and m.conversation_id = c.conversation_id and m.user_id = u.id and m.was_subscribed
    ) order by u.id`;
  return rows.map(({ id }) => id);
}
