import type { Tx } from '@parley/db';
import { type FetchedMessage, limits } from '@parley/protocol';
import { type SQL, sql } from 'drizzle-orm';

import { type Actor, isGuest } from '../actor.ts';
import { type Term, isUnread, scopeOf } from './narrow.ts';
import { type MessageForm, presentMessages } from './present.ts';

/** Where in the narrow to look: at a position, at an end, or at the first unread message. */
export type Anchor = number | 'newest' | 'oldest' | 'first_unread';

export interface Fetching extends MessageForm {
  narrow: Term[];
}

export interface FetchingRange extends Fetching {
  anchor: Anchor;
  includeAnchor: boolean;
  numBefore: number;
  numAfter: number;
}

/** A page of messages around an anchor, ascending. Run it in one snapshot, or page and flags may disagree. */
export async function fetchRange(tx: Tx, actor: Actor, range: FetchingRange) {
  const scope = await scopeOf(tx, actor, range.narrow);
  const visible = visibleTo(actor, scope.isWholeHistory, scope.conditions);
  const anchor = await resolveAnchor(tx, actor, range.anchor, visible);
  const isNewest = anchor === limits.anchorNewest;

  const atAnchor = range.includeAnchor
    ? await selectIds(tx, actor, sql`${visible} and m.id = ${clamp(anchor)}`, 'asc', 1)
    : [];
  const before = await selectIds(
    tx,
    actor,
    sql`${visible} and m.id < ${clamp(anchor)}`,
    'desc',
    range.numBefore + 1,
  );
  const after = isNewest
    ? []
    : await selectIds(tx, actor, sql`${visible} and m.id > ${clamp(anchor)}`, 'asc', range.numAfter + 1);

  const page = [
    ...before.slice(0, range.numBefore).reverse(),
    ...atAnchor,
    ...after.slice(0, range.numAfter),
  ];
  return {
    messages: await presentMessages(tx, actor, page, range),
    anchor,
    found_anchor: atAnchor.length > 0,
    found_oldest: anchor === 0 || before.length <= range.numBefore,
    found_newest: isNewest || after.length <= range.numAfter,
    history_limited: false,
  };
}

/** The messages among `ids` that the narrow holds and the actor may read; others are left out. */
export async function fetchByIds(
  tx: Tx,
  actor: Actor,
  ids: number[],
  fetching: Fetching,
): Promise<FetchedMessage[]> {
  const scope = await scopeOf(tx, actor, fetching.narrow);
  // Named one by one, messages of readable channels are found whether or not the reader received them.
  const visible = visibleTo(actor, scope.isWholeHistory || fetching.narrow.length === 0, scope.conditions);
  const wanted = sql`${visible} and m.id = any(${`{${ids.join(',')}}`}::text::int[])`;
  return await presentMessages(
    tx,
    actor,
    await selectIds(tx, actor, wanted, 'asc', limits.messagesPerFetch),
    fetching,
  );
}

/** Ids are int in Postgres, anchors are not. */
const clamp = (anchor: number) => Math.min(anchor, 2_147_483_647);

/** Everything of the realm that the actor received and may still read, or the whole history of what is open to them. */
function visibleTo(actor: Actor, isWholeHistory: boolean, conditions: SQL[]): SQL {
  const received = sql`(m.ordinal <@ c.received and (m.channel_id is null or c.is_subscribed or ${open(actor)}))`;
  const history = sql`(h.shares_history and (c.is_subscribed or ${open(actor)}))`;
  const scope = isWholeHistory ? sql`(${received} or ${history})` : received;
  return sql.join([sql`m.realm_id = ${actor.realm.id}`, scope, ...conditions], sql` and `);
}

const open = (actor: Actor) => (isGuest(actor) ? sql`h.is_web_public` : sql`not h.is_private`);

const joined = (actor: Actor) => sql`
  messages m
  left join conversation_members c on c.conversation_id = m.conversation_id and c.user_id = ${actor.id}
  left join channels h on h.id = m.channel_id`;

type Direction = 'asc' | 'desc';

async function selectIds(
  tx: Tx,
  actor: Actor,
  where: SQL,
  direction: Direction,
  limit: number,
): Promise<number[]> {
  const order = direction === 'asc' ? sql`m.id asc` : sql`m.id desc`;
  const rows = await tx.execute<{ id: number }>(
    sql`select m.id from ${joined(actor)} where ${where} order by ${order} limit ${limit}`,
  );
  return rows.map(({ id }) => id);
}

async function resolveAnchor(tx: Tx, actor: Actor, anchor: Anchor, visible: SQL): Promise<number> {
  if (anchor === 'newest') return limits.anchorNewest;
  if (anchor === 'oldest') return 0;
  if (anchor !== 'first_unread') return Math.min(Math.max(anchor, 0), limits.anchorNewest);
  const [first] = await selectIds(
    tx,
    actor,
    sql`${visible} and ${isUnread(actor)} and c.is_muted is not true`,
    'asc',
    1,
  );
  return first ?? limits.anchorNewest;
}
