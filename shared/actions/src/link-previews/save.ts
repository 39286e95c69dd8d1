import { tables, type Tx } from '@parley/db';
import type { PageFacts } from '@parley/markdown';
import { type Realm, type SweptRealms, isSwept } from '@parley/model';
import { pageTimes } from '@parley/protocol';
import { sql, and, isNull, lt } from 'drizzle-orm';

const { linkPreviews } = tables;

/** The result of fetching a page: its facts, null for a page that says nothing of itself, or no answer. */
export type PageResult = PageFacts | null | 'unreached';

/**
 * Saves the result of fetching a page. Facts of an earlier fetch stay while the page does not answer, and are never
 * removed, because messages that show them may be rendered again.
 */
export async function save(
  tx: Tx,
  realm: Realm,
  { address, result, now }: { address: string; result: PageResult; now: Date },
): Promise<void> {
  const isReached = result !== 'unreached';
  const facts = isReached ? result : null;
  const ms = !isReached ? pageTimes.unreachableMs : facts ? pageTimes.foundMs : pageTimes.emptyMs;
  const freshUntil = new Date(now.getTime() + ms);
  await tx
    .insert(linkPreviews)
    .values({ realmId: realm.id, url: address, facts, freshUntil })
    .onConflictDoUpdate({
      target: [linkPreviews.realmId, linkPreviews.url],
      set: { freshUntil, ...(isReached && { facts: sql`excluded.facts` }) },
    });
}

/** Removes the records of pages that said nothing of themselves, once those records are no longer fresh. */
export async function removeEmpty(tx: Tx, now: Date, realmIds: SweptRealms): Promise<void> {
  await tx
    .delete(linkPreviews)
    .where(
      and(
        isSwept(linkPreviews.realmId, realmIds),
        isNull(linkPreviews.facts),
        lt(linkPreviews.freshUntil, now),
      ),
    );
}
