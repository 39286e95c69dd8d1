import { type Tx, tables } from '@parley/db';
import { type Actor, hasId } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, events, to } from '@parley/protocol';

import { assertDraftsWithinLimits, getDraft, lockDrafts } from './lock.ts';
import { type NewDraft, parseDraft } from './parse.ts';

/**
 * Replaces a draft of the actor by another.
 *
 * @throws BAD_REQUEST for an actor whose clients keep their drafts to themselves, a draft that does not exist, or an
 * invalid one
 */
export async function edit(
  tx: Tx,
  { actor, id, draft, nowMs }: { actor: Actor; id: number; draft: NewDraft; nowMs: number },
): Promise<ActionResult> {
  await lockDrafts(tx, actor);
  await getDraft(tx, actor, id);
  const { drafts } = tables;
  const { realmId: _, ...changed } = await parseDraft(tx, actor, draft, nowMs);
  const [row] = await tx
    .update(drafts)
    .set(changed)
    .where(hasId(drafts, actor.realm, id))
    .returning();
  if (!row) throw new Error('An update returned no row.');
  await assertDraftsWithinLimits(tx, actor);
  return {
    events: [to.user(actor, events.drafts.update({ draft: model.drafts.presentDraft(row) }))],
  };
}
edit.actionName = 'drafts.edit' as const;
