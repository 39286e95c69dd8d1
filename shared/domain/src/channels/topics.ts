import type { Tx } from '@parley/db';
import { sql } from 'drizzle-orm';

import type { Actor } from '../actor.ts';
import { getRules } from '../realms/rules.ts';
import { getReadableChannel } from './find.ts';
import { mayReadHistory } from './may.ts';

export interface ListedTopic {
  name: string;
  maxId: number;
}

interface Row extends Record<string, unknown> {
  name: string;
  max_id: number;
}

/** The topics of a channel that the actor has something to read in, newest first. */
export async function listTopics(tx: Tx, actor: Actor, channelId: number): Promise<ListedTopic[]> {
  const rules = await getRules(tx, actor.realm.id);
  const access = await getReadableChannel(tx, actor, channelId, rules);
  const newest = mayReadHistory(actor, access, rules)
    ? sql`select id from messages where topic_id = t.id order by id desc limit 1`
    : newestReceived(actor);
  const rows = await tx.execute<Row>(sql`
    select t.name, m.id as max_id
    from topics t cross join lateral (${newest}) m
    where t.channel_id = ${access.channel.id}
    order by m.id desc`);
  return rows.map(({ name, max_id }) => ({ name, maxId: max_id }));
}

/** Of a topic, the newest message that came to the actor: nothing older than the first of them all is looked at. */
const newestReceived = ({ id }: Actor) => sql`
  select m.id from messages m
  join conversation_members c on c.conversation_id = m.conversation_id and c.user_id = ${id}
  where m.topic_id = t.id and m.ordinal <@ c.received
  order by m.id desc limit 1`;
