import { type Tx, type UserRow, tables } from '@parley/db';
import type { FetchedMessage, RealmSettings } from '@parley/protocol';
import { and, eq, sql } from 'drizzle-orm';

import { readableMessageCondition } from '../access/message-visibility.ts';
import { type Actor, type Realm, actorOf } from '../actor.ts';
import { presentMessages } from '../messages/present.ts';
import { getRules } from '../permissions/rules.ts';
import { type Site, realmAt } from '../realms/site.ts';
import { wantedNotifications } from './wanted.ts';

export interface NotifiedUser {
  actor: Actor;
  row: UserRow;
  realm: Realm;
  realmName: string;
  settings: RealmSettings;
}

/** Returns a user who can be notified; undefined for an account, or of an organization, that is deactivated. */
export async function findNotifiedUser(
  tx: Tx,
  site: Site,
  { realmId, userId }: { realmId: number; userId: number },
): Promise<NotifiedUser | undefined> {
  const { realms, users } = tables;
  const [found] = await tx
    .select({ user: users, realm: realms })
    .from(users)
    .innerJoin(realms, eq(realms.id, users.realmId))
    .where(and(eq(users.realmId, realmId), eq(users.id, userId), users.isActive, realms.isActive));
  const realm = found && realmAt(found.realm, site);
  if (!realm) return undefined;
  return {
    actor: actorOf(found.user, realm),
    row: found.user,
    realm,
    realmName: found.realm.displayName,
    settings: (await getRules(tx, realm.id)).settings,
  };
}

/** What is left of messages that a user was to be notified of. */
export interface WantedMessages {
  count: number;
  /** The first of them as HTML, ascending. */
  messages: FetchedMessage[];
}

interface WantedQuery {
  messageIds: readonly number[];
  by: 'mail' | 'push';
  /** The most messages that are presented. */
  max: number;
  now: Date;
}

/**
 * Returns those of the messages that the user still wants to be notified of and has not read. It must run in one
 * snapshot.
 */
export async function findWantedMessages(
  tx: Tx,
  actor: Actor,
  { messageIds, by, max, now }: WantedQuery,
): Promise<WantedMessages> {
  const wanted = wantedNotifications({ realmId: actor.realm.id, messageIds, userId: actor.id, now });
  const rows = await tx.execute<{ id: number }>(sql`
    select m.id from ${wanted} w
    join messages m on m.realm_id = ${actor.realm.id} and m.id = w.message_id
    join conversation_members c on c.realm_id = m.realm_id and c.conversation_id = m.conversation_id and c.user_id = ${actor.id}
    left join channels h on h.realm_id = m.realm_id and h.id = m.channel_id
    left join conversation_members k
      on k.realm_id = m.realm_id and k.conversation_id = h.conversation_id and k.user_id = ${actor.id}
    where w.${sql.raw(by)} and ${await readableMessageCondition(tx, actor, false)} order by m.id`);
  const ids = rows.slice(0, max).map(({ id }) => id);
  const format = { applyMarkdown: true, clientGravatar: false };
  return { count: rows.length, messages: await presentMessages(tx, actor, ids, format) };
}
