import { type Tx, tables } from '@parley/db';
import { and, eq, isNotNull, asc } from 'drizzle-orm';

import { type Actor, isAdministrator, isBot } from '../actor.ts';
import { presentBots } from './present.ts';

type ApiKeyOf = (user: { id: number; keyGeneration: number }) => string;

/** `realm_bots` of POST /register: the actor's own; of people who administer, everyone's. */
export async function botsState(tx: Tx, actor: Actor, apiKeyOf: ApiKeyOf) {
  const { users } = tables;
  const keepsAll = isAdministrator(actor) && !isBot(actor);
  const rows = await tx
    .select()
    .from(users)
    .where(
      and(
        eq(users.realmId, actor.realm.id),
        isNotNull(users.botType),
        eq(users.isSystem, false),
        keepsAll ? undefined : eq(users.botOwnerId, actor.id),
      ),
    )
    .orderBy(asc(users.id));
  return (await presentBots(tx, rows)).map(({ key_generation, ...bot }) => ({
    ...bot,
    api_key: apiKeyOf({ id: bot.user_id, keyGeneration: key_generation }),
  }));
}
