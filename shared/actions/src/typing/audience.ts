import { type Tx, tables } from '@parley/db';
import { type UserSettings, fullUserSettings } from '@parley/protocol';
import { type SQL, sql, eq, and } from 'drizzle-orm';

/** In a channel with more subscribers no typing notification is published. */
const subscribersMax = 100;

interface Person {
  id: number;
  isActive: boolean;
  settings: Partial<UserSettings>;
}

/** Returns ids of the active users among these who want typing notifications. */
export const typingAudienceAmong = (people: readonly Person[]): number[] =>
  people
    .filter(({ isActive, settings }) => isActive && fullUserSettings(settings).receives_typing_notifications)
    .map(({ id }) => id);

/**
 * Returns ids of a channel's subscribers who want typing notifications, among those for whom `isConcerned` is true.
 * Empty in a channel with too many.
 */
export async function listTypingAudience(
  tx: Tx,
  realmId: number,
  conversationId: number,
  isConcerned: SQL = sql`true`,
): Promise<number[]> {
  const { conversationMembers, users } = tables;
  const subscribers = await tx
    .select({ id: users.id, isActive: users.isActive, settings: users.settings })
    .from(conversationMembers)
    .innerJoin(users, and(eq(users.realmId, realmId), eq(users.id, conversationMembers.userId)))
    .where(
      and(
        eq(conversationMembers.realmId, realmId),
        eq(conversationMembers.conversationId, conversationId),
        conversationMembers.isSubscribed,
        users.isActive,
        isConcerned,
      ),
    )
    .orderBy(users.id)
    .limit(subscribersMax + 1);
  return subscribers.length > subscribersMax ? [] : typingAudienceAmong(subscribers);
}
