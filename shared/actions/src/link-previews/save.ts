import { tables, type Tx } from '@parley/db';
import type { PageFacts } from '@parley/markdown';
import type { Realm } from '@parley/model';
import { pageTimes } from '@parley/protocol';
import { sql, and, isNull, lt } from 'drizzle-orm';

const { linkPreviews } = tables;

/** What came of looking at a page: facts, nothing (null), or no answer. */
export type PageResult = PageFacts | null | 'unreached';

/**
 * Keeps what came of looking at a page. What it once said is kept while it does not answer; and for ever, because
 * messages that show it may be rendered anew.
 */
export async function save(
  tx: Tx,
  realm: Realm,
  { address, seen, now }: { address: string; seen: PageResult; now: Date },
): Promise<void> {
  const isReached = seen !== 'unreached';
  const facts = isReached ? seen : null;
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

/** Forgets of which pages there was nothing to say. */
export async function removeEmpty(tx: Tx, now: Date): Promise<void> {
  await tx.delete(linkPreviews).where(and(isNull(linkPreviews.facts), lt(linkPreviews.freshUntil, now)));
}
