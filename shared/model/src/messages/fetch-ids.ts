import type { Tx } from '@parley/db';
import { limits } from '@parley/protocol';
import type { SearchEngine } from '@parley/search';
import { sql } from 'drizzle-orm';

import { findReadableMessages } from '../access/message-visibility.ts';
import type { Actor } from '../actor.ts';
import { bigintArray } from '../ids.ts';
import { getRules } from '../permissions/rules.ts';
import { type Anchor, resolveAnchor } from './anchors.ts';
import type { NarrowTerm } from './narrow-names.ts';
import { type ResolvedNarrow, resolveNarrow } from './narrow.ts';
import { type PageQuery, all, isFoundInOneWay, nothing, selectIds, selectNext } from './next-ids.ts';
import { readInOrder } from './plans.ts';
import type { Fallbacks } from './search/condition.ts';

export interface MessageRange {
  narrow: NarrowTerm[];
  anchor: Anchor;
  includeAnchor: boolean;
  numBefore: number;
  numAfter: number;
}

/** The ids of the messages in a range of a narrow. */
export interface MessageIdPage {
  ids: number[];
  /** The anchor as an id: 0 for the oldest, above every id for the newest. */
  anchor: number;
  foundAnchor: boolean;
  foundOldest: boolean;
  foundNewest: boolean;
  scope: ResolvedNarrow;
}

/** What a search is helped by: what is looked for beside some of its words, and an engine that knows where words are. */
export interface SearchAids {
  fallbacks?: Fallbacks;
  engine?: SearchEngine | null;
}

/**
 * Returns the message ids around an anchor in a narrow, ascending. Whatever uses them should run in the same snapshot; it
 * needs a transaction, at least. More than what the narrow searches for may be looked for.
 */
export async function fetchMessageIds(
  tx: Tx,
  actor: Actor,
  range: MessageRange,
  { fallbacks, engine = null }: SearchAids = {},
): Promise<MessageIdPage> {
  const { scope, isReadable } = await resolveReadable(tx, actor, range.narrow, fallbacks);
  const readable = isReadable(scope.isWholeHistory);
  const query: PageQuery = {
    tx,
    actor,
    scope,
    where: all(readable, scope.conditions),
    besides: all(readable, scope.besides),
    ofUnread: all(readable, scope.ofUnread),
    besideSearch: all(readable, scope.besideSearch),
    engine,
  };
  const { where } = query;
  // The two are sent together.
  const [, anchor] = await Promise.all([
    readInOrder(tx, { hasOnePlan: isFoundInOneWay(scope) }),
    resolveAnchor(query, range.anchor),
  ]);
  const isNewest = anchor === limits.anchorNewest;

  const isEnd = isNewest || anchor === 0;
  // What does not wait for each other is sent together, and what no message can be is not asked for.
  const [atAnchor, before, after] = await Promise.all([
    range.includeAnchor && !isEnd ? selectIds(query, sql`${where} and m.id = ${anchor}`, 'asc', 1) : [],
    anchor === 0 ? nothing : selectNext(query, 'desc', anchor, range.numBefore + 1),
    isNewest ? nothing : selectNext(query, 'asc', anchor, range.numAfter + 1),
  ]);
  return {
    ids: [
      ...before.ids.slice(0, range.numBefore).reverse(),
      ...atAnchor,
      ...after.ids.slice(0, range.numAfter),
    ],
    anchor,
    foundAnchor: atAnchor.length > 0,
    foundOldest: anchor === 0 || (before.ids.length <= range.numBefore && !before.isCut),
    foundNewest: isNewest || (after.ids.length <= range.numAfter && !after.isCut),
    scope,
  };
}

/** Resolves a narrow, and which messages the actor may read: both by the same rules, which are asked for once. */
async function resolveReadable(tx: Tx, actor: Actor, narrow: NarrowTerm[], fallbacks?: Fallbacks) {
  const rules = getRules(tx, actor.realm.id);
  const [scope, isReadable] = await Promise.all([
    resolveNarrow(tx, actor, narrow, { rules, fallbacks }),
    findReadableMessages(tx, actor, rules),
    rules,
  ]);
  return { scope, isReadable };
}

/** Returns those of `ids` that are in the narrow and that the actor may read, ascending. */
export async function filterMessageIds(tx: Tx, actor: Actor, ids: number[], narrow: NarrowTerm[]) {
  const { scope, isReadable } = await resolveReadable(tx, actor, narrow);
  // Messages that are named by id are found in readable channels whether or not the reader received them.
  const visible = isReadable(scope.isWholeHistory || narrow.length === 0);
  const where = all(visible, scope.conditions);
  const isAmongIds = sql`${where} and m.id = any(${bigintArray(ids)})`;
  const each = { besides: where, ofUnread: where, besideSearch: where };
  const query = { tx, actor, scope, where, engine: null, ...each };
  return {
    ids: await selectIds(query, isAmongIds, 'asc', limits.messagesPerFetch),
    highlight: scope.search?.highlight,
  };
}
