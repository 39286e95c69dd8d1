import { type Tx, tables } from '@parley/db';
import { type Actor, hasId, parseOptional } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, events, to } from '@parley/protocol';

import { assertSnippetsWithinLimits, lockSavedSnippet, parseContent, parseTitle } from './lock.ts';

export interface SnippetEdit {
  id: number;
  title?: string | undefined;
  content?: string | undefined;
}

/**
 * Changes a saved snippet of the actor.
 *
 * @throws BAD_REQUEST for a snippet that does not exist, an invalid title or content, or snippets that are too long
 * together
 */
export async function edit(
  tx: Tx,
  { actor, id, ...input }: { actor: Actor } & SnippetEdit,
): Promise<ActionResult> {
  const before = await lockSavedSnippet(tx, actor, id);
  const title = parseOptional(input.title, parseTitle) ?? before.title;
  const content = parseOptional(input.content, parseContent) ?? before.content;
  if (title === before.title && content === before.content) return { events: [] };
  const { savedSnippets } = tables;
  await tx
    .update(savedSnippets)
    .set({ title, content })
    .where(hasId(savedSnippets, actor.realm, id));
  await assertSnippetsWithinLimits(tx, actor);
  const event = events.savedSnippets.update({
    saved_snippet: model.savedSnippets.presentSavedSnippet({ ...before, title, content }),
  });
  return { events: [to.user(actor, event)] };
}
edit.actionName = 'savedSnippets.edit' as const;
