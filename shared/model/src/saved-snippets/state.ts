import { type SavedSnippetRow, type Tx, tables } from '@parley/db';
import type { SavedSnippet } from '@parley/protocol';
import { asc } from 'drizzle-orm';

import type { Actor } from '../actor.ts';
import { isOfUser } from '../ids.ts';
import { toSeconds } from '../time.ts';

export const presentSavedSnippet = ({ id, title, content, createdAt }: SavedSnippetRow): SavedSnippet => ({
  id,
  title,
  content,
  date_created: toSeconds(createdAt),
});

/** Returns `saved_snippets` of POST /register: those of a user, in the order of their creation. */
export async function savedSnippetsState(tx: Tx, user: Pick<Actor, 'id' | 'realm'>): Promise<SavedSnippet[]> {
  const { savedSnippets } = tables;
  const rows = await tx
    .select()
    .from(savedSnippets)
    .where(isOfUser(savedSnippets, user))
    .orderBy(asc(savedSnippets.id));
  return rows.map(presentSavedSnippet);
}
