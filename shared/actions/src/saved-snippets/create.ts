import { type Tx, tables } from '@parley/db';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, events, to } from '@parley/protocol';

import { lockUser } from '../lock.ts';
import { assertSnippetsWithinLimits, parseContent, parseTitle } from './lock.ts';

/**
 * Saves a snippet of the actor.
 *
 * @throws BAD_REQUEST for an invalid title or content, or too many snippets
 */
export async function create(
  tx: Tx,
  { actor, ...input }: { actor: Actor; title: string; content: string },
): Promise<ActionResult & { id: number }> {
  const row = {
    realmId: actor.realm.id,
    userId: actor.id,
    title: parseTitle(input.title),
    content: parseContent(input.content),
  };
  await lockUser(tx, actor);
  const [created] = await tx.insert(tables.savedSnippets).values(row).returning();
  if (!created) throw new Error('An insert returned no row.');
  await assertSnippetsWithinLimits(tx, actor);
  const event = events.savedSnippets.add({ saved_snippet: model.savedSnippets.presentSavedSnippet(created) });
  return { events: [to.user(actor, event)], id: created.id };
}
create.actionName = 'savedSnippets.create' as const;
