import { type Tx, tables } from '@parley/db';
import { and, eq, isNotNull, asc } from 'drizzle-orm';

import { type Actor, isAdministrator, isBot } from '../actor.ts';
import { presentBots } from './present.ts';

type ApiKeyOf = (user: { id: number; keyGeneration: number }) => string;

/** Returns `realm_bots` of POST /register: all bots for administrators who are not bots, for others the actor's own. */
export async function botsState(tx: Tx, actor: Actor, apiKeyOf: ApiKeyOf) {
  const { users } = tables;
  const seesAll = isAdministrator(actor) && !isBot(actor);
  const rows = await tx
    .select()
    .from(users)
    .where(
      and(
        eq(users.realmId, actor.realm.id),
        isNotNull(users.botType),
        eq(users.isSystem, false),
        seesAll ? undefined : eq(users.botOwnerId, actor.id),
      ),
    )
    .orderBy(asc(users.id));
  return (await presentBots(tx, rows)).map(({ key_generation, ...bot }) => ({
    api_key: apiKeyOf({ id: bot.user_id, keyGeneration: key_generation }),
    ...bot,
  }));
}
