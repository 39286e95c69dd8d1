import type { Tx } from '@parley/db';
import { ApiError, type FetchedMessage } from '@parley/protocol';
import type { SearchEngine } from '@parley/search';

import type { Actor } from '../actor.ts';
import { type MessageRange, fetchMessageIds, filterMessageIds } from './fetch-ids.ts';
import type { NarrowTerm } from './narrow-names.ts';
import { chosenBytesMax, cutPage, weighPage } from './page-bytes.ts';
import { readByIds } from './plans.ts';
import { type MessageFormat, presentMessages } from './present.ts';
import { type Corrections, findFallbacks } from './search/fallbacks.ts';

/**
 * A page that may be longer than `most` on a side is looked for among its nearest messages first: these are often more than
 * it may hold, and what is beyond need not be found and weighed.
 */
const nearest = { most: 1000, number: 400 };

/**
 * Returns the messages around an anchor, ascending. A page of long messages holds fewer than were asked for: those
 * nearest to the anchor, and whatever end it does not reach is not found. It must run in one snapshot, or messages and
 * flags may disagree. A search may be helped by an engine.
 */
export async function fetchMessages(
  tx: Tx,
  actor: Actor,
  range: MessageRange & MessageFormat,
  engine: SearchEngine | null = null,
) {
  const { page, corrections, pageIds, attached } =
    (await choosePart(tx, actor, range, engine)) ?? (await choosePage(tx, actor, range, engine));
  const { anchor, foundAnchor, foundOldest, foundNewest, scope } = page;
  return {
    messages: await presentMessages(tx, actor, pageIds, range, {
      highlight: scope.search?.highlight,
      attached,
    }),
    anchor,
    found_anchor: foundAnchor,
    found_oldest: foundOldest,
    found_newest: foundNewest,
    history_limited: false,
    ...(corrections.size > 0 && { search_corrections: Object.fromEntries(corrections) }),
  };
}

/** Finds the messages of a range, and those of them that a page holds. */
async function choosePage(tx: Tx, actor: Actor, range: MessageRange, engine: SearchEngine | null) {
  const { page, corrections } = await fetchCorrected(tx, actor, range, engine);
  const { ids, anchor } = page;
  // The two are sent together.
  const [, { bytesOf, attached }] = await Promise.all([readByIds(tx), weighPage(tx, actor.realm.id, ids)]);
  const pageIds = cutPage(ids, anchor, bytesOf);
  const isCut = { before: pageIds[0] !== ids[0], after: pageIds.at(-1) !== ids.at(-1) };
  const foundOldest = page.foundOldest && !isCut.before;
  const foundNewest = page.foundNewest && !isCut.after;
  return { page: { ...page, foundOldest, foundNewest }, corrections, pageIds, attached, isCut };
}

/** Chooses the page of a long range among its nearest messages; undefined if it may hold more than these. */
async function choosePart(tx: Tx, actor: Actor, range: MessageRange, engine: SearchEngine | null) {
  const { numBefore, numAfter } = range;
  if (Math.max(numBefore, numAfter) <= nearest.most) return undefined;
  const part = {
    numBefore: Math.min(numBefore, nearest.number),
    numAfter: Math.min(numAfter, nearest.number),
  };
  const chosen = await choosePage(tx, actor, { ...range, ...part }, engine);
  const { isCut, page } = chosen;
  const isWhole =
    (part.numBefore === numBefore || isCut.before || page.foundOldest) &&
    (part.numAfter === numAfter || isCut.after || page.foundNewest);
  return isWhole ? chosen : undefined;
}

const uncorrected: Corrections = new Map();

/**
 * Returns the ids of a range, and which words were searched for instead of those that the reader finds nowhere, if these alone
 * have found something. Only who reads is helped so: a change of what is found is of what was written.
 */
async function fetchCorrected(tx: Tx, actor: Actor, range: MessageRange, engine: SearchEngine | null) {
  const page = await fetchMessageIds(tx, actor, range, { engine });
  const isEmpty = page.ids.length === 0 && page.foundOldest && page.foundNewest;
  const { isWholeHistory, search } = page.scope;
  if (!isEmpty || !search || search.words.length === 0) return { page, corrections: uncorrected };
  const { fallbacks, corrections } = await findFallbacks(
    { tx, actor, engine, isWholeHistory },
    { words: search.words, isAlone: search.isOneWord && range.narrow.length === 1 },
  );
  if (fallbacks.size === 0) return { page, corrections };
  const more = await fetchMessageIds(tx, actor, range, { fallbacks, engine });
  return more.ids.length > 0 ? { page: more, corrections } : { page, corrections: uncorrected };
}

/**
 * Returns those of the messages `ids` that are in the narrow and that the actor may read, ascending.
 *
 * @throws BAD_REQUEST if several are asked for that are too long for one reply
 */
export async function fetchMessagesByIds(
  tx: Tx,
  actor: Actor,
  ids: number[],
  fetching: MessageFormat & { narrow: NarrowTerm[] },
): Promise<FetchedMessage[]> {
  const { ids: readableIds, highlight } = await filterMessageIds(tx, actor, ids, fetching.narrow);
  const { bytesOf, attached } = await weighPage(tx, actor.realm.id, readableIds);
  const bytes = [...bytesOf.values()].reduce((sum, each) => sum + each, 0);
  if (readableIds.length > 1 && bytes > chosenBytesMax) {
    throw new ApiError('BAD_REQUEST', 'These messages are too large for one reply. Request fewer at once.');
  }
  return await presentMessages(tx, actor, readableIds, fetching, { highlight, attached });
}
