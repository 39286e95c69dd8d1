import { type Tx, tables } from '@parley/db';
import { sql, type SQL, and, eq } from 'drizzle-orm';

import { type Actor, isGuest } from '../actor.ts';
import { intArray } from '../ids.ts';
import { getRules, type Rules } from '../permissions/rules.ts';
import { mayReadChannel } from './channel-permissions.ts';

/**
 * What a query about messages joins: `m` the message, `c` the reader's row of the conversation it was sent to, `h` the
 * channel it is in now, `k` the reader's row of that.
 */
export const joinMessageReader = ({ id }: Pick<Actor, 'id'>) => sql`
  left join conversation_members c on c.conversation_id = m.conversation_id and c.user_id = ${id}
  left join channels h on h.id = m.channel_id
  left join conversation_members k on k.conversation_id = h.conversation_id and k.user_id = ${id}`;

/**
 * Whether a reader may read `m`: what they received, unless it is in a channel that is closed to them now; with
 * `isWholeHistory` also what was said in channels that share their history with them.
 */
export async function readableMessageCondition(tx: Tx, actor: Actor, isWholeHistory: boolean): Promise<SQL> {
  const mayReadNow = await readableChannelCondition(tx, actor);
  const received = sql`(m.ordinal <@ c.received and (m.channel_id is null or ${mayReadNow}))`;
  const scope = isWholeHistory ? sql`(${received} or (h.shares_history and ${mayReadNow}))` : received;
  return sql`m.realm_id = ${actor.realm.id} and ${scope}`;
}

/** Whether a reader may look into the channel that a message is in now: for `h`, the channel, and `k`. */
export async function readableChannelCondition(tx: Tx, actor: Actor): Promise<SQL> {
  const isOpen = isGuest(actor)
    ? sql`h.is_web_public`
    : sql`(not h.is_private or h.id = any(${intArray(await listPermittedChannelIds(tx, actor))}))`;
  return sql`(coalesce(k.is_subscribed, false) or (h.shares_history and ${isOpen}))`;
}

/** Private channels whose own permissions let the reader in without being subscribed. */
async function listPermittedChannelIds(tx: Tx, actor: Actor): Promise<number[]> {
  const { channels } = tables;
  const rules = await getRules(tx, actor.realm.id);
  const rows = await tx
    .select()
    .from(channels)
    .where(
      and(eq(channels.realmId, actor.realm.id), channels.isPrivate, permitsNonSubscribersCondition(rules)),
    );
  return rows
    .filter((channel) => mayReadChannel(actor, { channel, isSubscribed: false }, rules))
    .map(({ id }) => id);
}

function permitsNonSubscribersCondition(rules: Rules): SQL {
  const nobody = String(rules.groupId('role:nobody'));
  const settings = tables.channels.groupSettings;
  return sql`(${settings} ->> 'can_subscribe_group' <> ${nobody}
    or ${settings} ->> 'can_add_subscribers_group' <> ${nobody})`;
}
