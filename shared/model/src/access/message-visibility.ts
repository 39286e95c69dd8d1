import { type Tx, readOnce, tables } from '@parley/db';
import { sql, type SQL, and, eq } from 'drizzle-orm';

import { type Actor, isGuest } from '../actor.ts';
import { intArray } from '../ids.ts';
import { type Rules, getRules } from '../permissions/rules.ts';
import { mayReadChannel } from './channel-permissions.ts';

/**
 * Joins for a query about messages. `m` is the message, `c` the reader's membership of the conversation that it was
 * sent to, `h` the channel that it is in now, and `k` the reader's membership of that channel. They are looked up for one
 * message after the other (`offset 0`): so messages stay in their order, no more of them are read than a limit asks for,
 * and nothing of another organization.
 */
export const joinMessageReader = ({ id, realm }: Pick<Actor, 'id' | 'realm'>) => sql`
  left join lateral (
    select * from conversation_members
    where realm_id = ${realm.id} and conversation_id = m.conversation_id and user_id = ${id} offset 0
  ) c on true
  left join lateral (
    select * from channels where realm_id = ${realm.id} and id = m.channel_id offset 0
  ) h on true
  left join lateral (
    select * from conversation_members
    where realm_id = ${realm.id} and conversation_id = h.conversation_id and user_id = ${id} offset 0
  ) k on true`;

/**
 * Returns a condition: the reader may read `m`. Readers see what they received, unless it is now in a channel that they
 * may not read. With `isWholeHistory` they also see the shared history of channels that they may read.
 */
export async function readableMessageCondition(tx: Tx, actor: Actor, isWholeHistory: boolean): Promise<SQL> {
  return (await findReadableMessages(tx, actor))(isWholeHistory);
}

/** Makes the same condition once it is known whether the whole history counts. If need be, it asks for the `rules`. */
export async function findReadableMessages(
  tx: Tx,
  actor: Actor,
  rules?: Promise<Rules>,
): Promise<(isWholeHistory: boolean) => SQL> {
  const mayReadNow = await readableChannelCondition(tx, actor, rules);
  const received = sql`(m.ordinal <@ c.received and (m.channel_id is null or ${mayReadNow}))`;
  return (isWholeHistory) => {
    const scope = isWholeHistory ? sql`(${received} or (h.shares_history and ${mayReadNow}))` : received;
    return sql`m.realm_id = ${actor.realm.id} and ${scope}`;
  };
}

/** Returns a condition on `h` and `k`: the reader may read the channel that the message is in now. */
export async function readableChannelCondition(tx: Tx, actor: Actor, rules?: Promise<Rules>): Promise<SQL> {
  const isOpen = isGuest(actor)
    ? sql`h.is_web_public`
    : sql`(not h.is_private or h.id = any(${intArray(await listPermittedChannelIds(tx, actor, rules ?? getRules(tx, actor.realm.id)))}))`;
  return sql`(coalesce(k.is_subscribed, false) or (h.shares_history and ${isOpen}))`;
}

/** The ids of private channels whose own permissions allow the actor to read them without being subscribed. */
const listPermittedChannelIds = (tx: Tx, actor: Actor, asked: Promise<Rules>): Promise<number[]> =>
  readOnce(tx, `channels permitted to ${actor.id}`, () => readPermittedChannelIds(tx, actor, asked));

async function readPermittedChannelIds(tx: Tx, actor: Actor, asked: Promise<Rules>): Promise<number[]> {
  const { channels } = tables;
  const [rules, rows] = await Promise.all([
    asked,
    tx
      .select()
      .from(channels)
      .where(
        and(
          eq(channels.realmId, actor.realm.id),
          channels.isPrivate,
          permitsNonSubscribersCondition(actor.realm.id),
        ),
      ),
  ]);
  return rows
    .filter((channel) => mayReadChannel(actor, { channel, isSubscribed: false }, rules))
    .map(({ id }) => id);
}

/** A condition on the channels of a realm: their permissions allow anyone at all to subscribe or to add subscribers. */
function permitsNonSubscribersCondition(realmId: number): SQL {
  const settings = tables.channels.groupSettings;
  const nobody = sql`(
    select id::text from user_groups where realm_id = ${realmId} and is_system and name = 'role:nobody')`;
  return sql`(${settings} ->> 'can_subscribe_group' <> ${nobody}
    or ${settings} ->> 'can_add_subscribers_group' <> ${nobody})`;
}
