import { type Tx, tables } from '@parley/db';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, events, to } from '@parley/protocol';

import { assertDraftsWithinLimits, lockDrafts } from './lock.ts';
import { type NewDraft, parseDraft } from './parse.ts';

/**
 * Creates drafts of the actor: all of them, or none. `ids` are in the order of `drafts`.
 *
 * @throws BAD_REQUEST for an actor whose clients keep their drafts to themselves, an invalid draft, or too many
 */
export async function create(
  tx: Tx,
  { actor, drafts, nowMs }: { actor: Actor; drafts: readonly NewDraft[]; nowMs: number },
): Promise<ActionResult & { ids: number[] }> {
  await lockDrafts(tx, actor);
  if (drafts.length === 0) return { events: [], ids: [] };
  const rows = [];
  for (const draft of drafts) rows.push(await parseDraft(tx, actor, draft, nowMs));
  const created = (await tx.insert(tables.drafts).values(rows).returning()).map(model.drafts.presentDraft);
  await assertDraftsWithinLimits(tx, actor);
  const event = events.drafts.add({ drafts: created });
  return { events: [to.user(actor, event)], ids: created.map(({ id }) => id) };
}
create.actionName = 'drafts.create' as const;
