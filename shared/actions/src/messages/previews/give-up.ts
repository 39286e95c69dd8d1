import { tables, type Tx } from '@parley/db';
import { pageTimes } from '@parley/protocol';
import { lt } from 'drizzle-orm';

const { messages } = tables;

/** Leaves messages as they are whose links nobody could look at for a day. */
export async function giveUpPreviews(tx: Tx, now: Date): Promise<void> {
  await tx
    .update(messages)
    .set({ previewsDueAt: null })
    .where(lt(messages.previewsDueAt, new Date(now.getTime() - pageTimes.dueMs)));
}
