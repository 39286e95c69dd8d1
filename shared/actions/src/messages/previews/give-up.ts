import { tables, type Tx } from '@parley/db';
import { type SweptRealms, isSwept } from '@parley/model';
import { pageTimes } from '@parley/protocol';
import { and, lt } from 'drizzle-orm';

const { messages } = tables;

/** Gives up the previews of messages whose links could not be fetched for a day: the messages stay as they are. */
export async function giveUpPreviews(tx: Tx, now: Date, realmIds: SweptRealms): Promise<void> {
  await tx
    .update(messages)
    .set({ previewsDueAt: null })
    .where(
      and(
        isSwept(messages.realmId, realmIds),
        lt(messages.previewsDueAt, new Date(now.getTime() - pageTimes.dueMs)),
      ),
    );
}
