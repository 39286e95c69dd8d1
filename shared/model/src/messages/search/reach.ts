import { type Tx, readOnce } from '@parley/db';
import { type KeyQuery, allOf, anyOf } from '@parley/search';
import { sql } from 'drizzle-orm';

import { readableChannelCondition } from '../../access/message-visibility.ts';
import type { Actor } from '../../actor.ts';

/** The most channels, and the most people, whom the keys name: each takes a little of every message that is looked at. */
const keysMax = 64;

/** There is no such channel. */
const noMessage = '~c0';

interface Place extends Record<string, unknown> {
  id: number;
  is_readable: boolean;
}

/**
 * Returns keys that all messages have that the reader may read, so that an index passes over most of the others: the channels
 * that they may read or, where these are many, any but the largest that they may not; and direct messages by those with
 * whom they have conversations. It is no permission: others may have them, too.
 */
export const findReach = (tx: Tx, actor: Actor): Promise<KeyQuery> =>
  readOnce(tx, `reach of ${actor.id}`, () => readReach(tx, actor));

async function readReach(tx: Tx, actor: Actor): Promise<KeyQuery> {
  const realmId = actor.realm.id;
  const isReadable = await readableChannelCondition(tx, actor);
  const [places, partners] = await Promise.all([
    tx.execute<Place>(sql`
      select h.id, ${isReadable} as is_readable from channels h
      left join lateral (
        select * from conversation_members
        where realm_id = ${realmId} and conversation_id = h.conversation_id and user_id = ${actor.id} offset 0
      ) k on true
      left join conversation_heads o on o.realm_id = ${realmId} and o.conversation_id = h.conversation_id
      where h.realm_id = ${realmId} order by o.ordinal desc nulls last, h.id`),
    tx.execute<{ id: number }>(sql`
      select distinct unnest(d.people) as id from conversation_members o
      join conversations d on d.realm_id = ${realmId} and d.id = o.conversation_id and d.people is not null
      where o.realm_id = ${realmId} and o.user_id = ${actor.id} limit ${keysMax + 1}`),
  ]);
  const keysOf = (isIn: boolean) =>
    places.flatMap((place) => (place.is_readable === isIn ? `~c${place.id}` : []));
  const [readable, others] = [keysOf(true), keysOf(false).slice(0, keysMax)];
  const isAnyone = partners.length > keysMax;
  const senders = partners.map(({ id }) => `~s${id}`);
  const direct = isAnyone ? ['~d'] : senders.length === 0 ? [] : [allOf(['~d', anyOf(senders)])];
  const inChannels = readable.length <= keysMax ? readable : [{ none: [...others, '~d'] }];
  const reach = [...inChannels, ...direct];
  return reach.length > 0 ? anyOf(reach) : noMessage;
}
